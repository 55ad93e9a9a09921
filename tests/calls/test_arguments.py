"""Arguments are checked, and become the function's own types."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import functools
import re
import uuid
from collections.abc import Callable, Generator, Iterable
from typing import Annotated, Any, Literal, Optional, Union

import pydantic
import pytest
from typing_extensions import TypedDict

import toolwire
from support.calling import content, error_of
from toolwire import DeclarationError, functions, v1
from toolwire.functions import Toolbox


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


class Address(pydantic.BaseModel):
    street: str
    number: int = pydantic.Field(ge=1)
    since: datetime.date | None = None


class Options(TypedDict, total=False):
    loud: bool


def given(annotation: Any, value: Any) -> Any:
    """Returns what a function with such a parameter gets, or the error that goes back."""
    got: list[Any] = []

    def take(x: Any) -> None:
        got.append(x)

    take.__annotations__ = {"x": annotation}
    # What is tested is not the declaration, which refuses some of these types.
    declaration = v1.FunctionDeclaration(name="take")
    (outcome,) = Toolbox([(declaration, take)]).run(content(("take", {"x": value})))
    if outcome.error is not None:
        assert got == []
        return error_of(outcome)
    return got[0]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (int, 3.0, 3),
        (int, "3", 3),
        (float, 3, 3.0),
        (str, "x", "x"),
        (bool, True, True),
        (Color, "red", Color.RED),
        (Level, 3, Level.HIGH),
        (datetime.date, "2026-01-02", datetime.date(2026, 1, 2)),
        (
            datetime.datetime,
            "2026-01-02T03:04:05Z",
            datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
        ),
        (datetime.timedelta, "PT5M", datetime.timedelta(minutes=5)),
        (decimal.Decimal, "19.90", decimal.Decimal("19.90")),
        (uuid.UUID, str(uuid.UUID(int=7)), uuid.UUID(int=7)),
        (tuple[int, str], [1, "x"], (1, "x")),
        (set[int], [1, 2], {1, 2}),
        (list[Point], [{"x": 1}], [Point(1.0)]),
        (dict[str, Point], {"a": {"x": 1, "y": 2}}, {"a": Point(1.0, 2.0)}),
        (
            Address,
            {"street": "s", "number": 5, "since": "2026-01-02"},
            Address(street="s", number=5, since=datetime.date(2026, 1, 2)),
        ),
        (Options, {"loud": True}, {"loud": True}),
        (Optional[int], None, None),  # noqa: UP045
        (Union[int, str], "x", "x"),  # noqa: UP007
        (int | None, None, None),
        (Literal[1, "a"], 1.0, 1),
        (Annotated[int, pydantic.Field(gt=2)], 3, 3),
        (Any, {"a": [1, 2.5]}, {"a": [1, 2.5]}),
    ],
    ids=str,
)
def test_an_argument_becomes_what_the_function_takes(
    annotation: Any, value: Any, expected: Any
) -> None:
    found = given(annotation, value)
    assert (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize(
    ("annotation", "value", "message"),
    [
        (int, 2.5, "x: input should be a valid integer, got a number with a fractional part, fou"),
        (int, "two", 'x: input should be a valid integer, .*found the string "two"'),
        (str, 5, "x: input should be a valid string, found the number 5"),
        (Color, "blue", "x: input should be 'red', found the string \"blue\""),
        (list[int], [1, "x", None], r"x\[1\]: .*; x\[2\]: .*found null"),
        (Address, {"number": 5}, r"^x\.street: field required$"),
        (Address, {"street": "s", "number": 0}, r"^x\.number: input should be greater than or "),
        (list[Address], [{"street": "s", "number": "?"}], r"^x\[0\]\.number: .*found the string"),
        (dict[str, Point], {"a b": {"x": "?"}}, r'^x\["a b"\]\.x: .*found the string "\?"'),
        (int | Address, {"street": 5, "number": 1}, r"x\.street: .*found the number 5"),
        (
            Annotated[int, pydantic.Field(gt=2)],
            1,
            "x: input should be greater than 2, found the nu",
        ),
        (list[int], ["?"] * 20, r"; and 12 more$"),
        (tuple[int, str], [1], r"^x\[1\]: field required$"),
        (
            dict[str, list[tuple[int, int]]],
            {"a": [[1, 2], []]},
            r"^x\.a\[1\]\[0\]: field required; ",
        ),
    ],
    ids=str,
)
def test_a_wrong_argument_goes_back_with_its_path(
    annotation: Any, value: Any, message: str
) -> None:
    found = given(annotation, value)
    assert found["type"] == "InvalidArguments"
    assert re.search(message, found["message"])


def test_a_secret_is_not_shown() -> None:
    def login(api_key: int) -> None:
        """Logs in."""

    (outcome,) = Toolbox([login]).run(content(("login", {"api_key": "hunter2"})))
    message = error_of(outcome)["message"]
    assert message.startswith("api_key: ")
    assert "hunter2" not in message


def add(a: int, /, b: int = 2, *, c: int = 3) -> list[int]:
    """Adds."""
    return [a, b, c]


@pytest.mark.parametrize(
    ("args", "value"),
    [
        ({"a": 1}, [1, 2, 3]),
        ({"a": 1, "c": 5}, [1, 2, 5]),
        ({"c": 7, "b": 6, "a": 5}, [5, 6, 7]),
    ],
)
def test_every_kind_of_parameter_is_filled(args: dict[str, Any], value: list[int]) -> None:
    assert Toolbox([add]).run(content(("add", args)))[0].value == value


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({}, "a: missing required argument"),
        (None, "a: missing required argument"),
        ({"a": 1, "d": 2}, "d: unexpected keyword argument, found the number 2"),
        ({"a": 1, "self": 2, "args": []}, "self: unexpected keyword argument"),
        ({"a": None}, "a: input should be a valid integer, found null"),
        ({"a": 1, "": 1}, '[""]: unexpected keyword argument'),
    ],
)
def test_missing_and_unexpected_arguments_are_named(
    args: dict[str, Any] | None, message: str
) -> None:
    (outcome,) = Toolbox([add]).run(content("add" if args is None else ("add", args)))
    assert message in error_of(outcome)["message"]


def test_a_field_that_is_required_may_stand_behind_a_default() -> None:
    def search(limit: int = 10, text: str = pydantic.Field(description="What for."), /) -> str:
        """Searches."""
        return text * limit

    box = Toolbox([search])
    assert list(box.tool.function_declarations[0].parameters.required) == ["text"]
    found, missing = box.run(content(("search", {"text": "a", "limit": 2}), ("search", {})))
    assert found.value == "aa"
    assert error_of(missing)["message"] == "text: missing required argument"


@pytest.mark.filterwarnings("ignore:The 'default' attribute")  # which pydantic says since 2.12
def test_a_default_inside_of_a_union_is_none_of_the_parameter() -> None:
    def order(count: Annotated[int, pydantic.Field(default=3)] | None) -> object:
        """Orders."""
        return count

    box = Toolbox([order])
    parameters = box.tool.function_declarations[0].parameters
    assert list(parameters.required) == ["count"]
    given, missing = box.run(content(("order", {"count": None}), ("order", {})))
    assert given.value is None
    assert error_of(missing)["message"] == "count: missing required argument"


def test_defaults_are_the_functions_own() -> None:
    def search(
        query: str,
        limit: int = pydantic.Field(default=10, le=50),
        tags: list[str] = [],  # noqa: B006 - pydantic copies it
    ) -> dict[str, Any]:
        """Searches."""
        tags.append("seen")
        return {"query": query, "limit": limit, "tags": tags}

    box = Toolbox([search])
    for _ in range(2):
        (outcome,) = box.run(content(("search", {"query": "x"})))
        assert outcome.response == {"query": "x", "limit": 10, "tags": ["seen"]}
    (outcome,) = box.run(content(("search", {"query": "x", "limit": 51})))
    assert error_of(outcome)["message"].startswith("limit: input should be less than or equal")


def test_what_a_partial_has_set_the_model_cannot() -> None:
    def send(user: str, text: str, urgent: bool = False) -> str:
        """Sends."""
        return f"{user} {text} {urgent}"

    box = Toolbox([functools.partial(functools.partial(send, "alice"), urgent=True)])
    (sent,) = box.run(content(("send", {"text": "hi"})))
    assert sent.value == "alice hi True"
    for args in ({"text": "hi", "urgent": False}, {"text": "hi", "user": "bob"}):
        (refused,) = box.run(content(("send", args)))
        assert "unexpected keyword argument" in error_of(refused)["message"]


def test_an_object_that_is_called() -> None:
    class Weather:
        def __call__(self, day: datetime.date) -> str:
            """Tells the weather."""
            return f"{day:%A}"

    declared = functions.declare(
        {"type": "object", "properties": {"day": {"type": "string"}}}, name="weather"
    )
    (outcome,) = Toolbox([(declared, Weather())]).run(content(("weather", {"day": "2026-11-30"})))
    assert outcome.value == "Monday"


def test_a_json_schema_goes_with_a_function_that_takes_anything() -> None:
    def handler(**arguments: object) -> object:
        return arguments

    schema = {"type": "object", "properties": {"x": {"type": "integer"}}}
    mcp = {"name": "remote", "description": "Remote.", "inputSchema": schema}
    box = Toolbox([(schema, handler), (mcp, handler)])
    names = [declared.name for declared in box.tool.function_declarations]
    assert names == ["handler", "remote"]
    outcomes = box.run(content(("handler", {"x": 1}), ("remote", {}), ("remote", {"x": [1]})))
    assert [outcome.value for outcome in outcomes] == [{"x": 1}, {}, None]
    assert error_of(outcomes[2])["message"] == "x: input should be a valid integer, found a list"


def anything(**arguments: object) -> object:
    return arguments


class Order(pydantic.BaseModel):
    """Orders an item."""

    item: Literal["tea", "salt"]
    count: int = 1
    to: Address | None = None


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "from": {"type": "string", "enum": ["tea", "salt"]},
        "count": {"type": "integer", "enum": [1, 2]},
        "price": {"type": "number"},
        "on": {"type": ["boolean", "null"]},
        "lines": {"type": "array", "items": {"type": "object", "required": ["id"]}},
        "who": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]},
        "deep": {
            "type": "object",
            "properties": {"x": {"type": "integer"}},
            "additionalProperties": False,
        },
        "kinds": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "marks": {
            "type": "object",
            "patternProperties": {"^x-": {"type": "string"}},
            "additionalProperties": False,
        },
        "any": {},
        "size": {"enum": ["s", "m"], "nullable": True},
        "same": {"$ref": "#/properties/count"},
        "age": {"type": "integer", "minimum": 0.5, "exclusiveMaximum": 120},
        "share": {"type": ["number", "null"], "exclusiveMinimum": 0.5, "maximum": 1},
        "code": {"type": "string", "minLength": 2, "maxLength": 3},
        "pair": {"type": "array", "items": {"type": "number"}, "minItems": 1, "maxItems": 2},
    },
    "required": ["from"],
}
WHAT: list[tuple[dict[str, Any], str]] = [  # what is given beside a good "from", and what goes back
    ({"price": 2, "on": None, "count": 2}, ""),
    ({"who": "me", "any": [{}], "lines": [{"id": 1, "more": 2}]}, ""),
    ({"size": None}, ""),
    ({"marks": {"x-a": "b"}}, ""),
    ({"size": "l"}, "size: input should be 's' or 'm', found the string \"l\""),
    ({"who": [1], "kinds": {"a": True}, "deep": {}, "same": "anything"}, ""),
    ({"from": "rice"}, "from: input should be 'tea' or 'salt', found the string \"rice\""),
    ({"count": 3}, "count: input should be 1 or 2, found the number 3"),
    ({"price": "x"}, "price: input should be a valid number, unable to parse string as a number"),
    ({"on": []}, "on: input should be a valid boolean, found a list"),
    ({"lines": [{}, {"id": 1}]}, "lines[0].id: field required"),
    ({"deep": {"x": 1, "y": 2}}, "deep.y: extra inputs are not permitted, found the number 2"),
    ({"kinds": {"a": []}}, "kinds.a: input should be a valid boolean, found a list"),
    ({"age": 1, "share": 1, "code": "ab", "pair": [0]}, ""),
    ({"share": None, "code": "\U0001f600\U0001f600"}, ""),  # characters, however they are encoded
    ({"age": 0}, "age: input should be greater than or equal to 1, found the number 0"),
    ({"age": 120}, "age: input should be less than 120, found the number 120"),
    ({"share": 0.5}, "share: input should be greater than 0.5, found the number 0.5"),
    ({"code": "a"}, 'code: string should have at least 2 characters, found the string "a"'),
    ({"pair": [1, 2, 3]}, "pair: list should have at most 2 items after validation, not 3"),
    ({"rest": 1}, "rest: extra inputs are not permitted, found the number 1"),
]


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
@pytest.mark.parametrize(("args", "said"), WHAT, ids=[str(number) for number in range(len(WHAT))])
def test_what_is_declared_counts_where_the_function_says_nothing(
    api: Any, args: Any, said: str
) -> None:
    make: Any = Toolbox
    mcp = {"name": "order", "description": "Orders.", "inputSchema": SCHEMA}
    declare: Any = functions.declare
    declared = declare(mcp, api=api, as_json_schema=True)
    box = make([(declared, anything)], api=api)
    given = {"from": "tea"} | args
    (outcome,) = box.run(content(("order", given), api=api))
    if said:
        assert error_of(outcome)["type"] == "InvalidArguments"
        assert error_of(outcome)["message"].startswith(said)
    else:
        assert outcome.value == given


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_a_model_is_the_declaration_of_an_untyped_function(api: Any) -> None:
    box: Any = Toolbox([(Order, anything)], api=api)
    call = content(
        ("Order", {"item": "tea", "count": 2, "to": {"street": "x", "number": 1}}),
        ("Order", {"item": "rice"}),
        ("Order", {}),
        ("Order", {"item": "salt", "more": 1}),
        ("Order", {"item": "salt", "to": {"street": "x"}}),
    )
    good, *bad = box.run(functions.calls(call))  # of v1, to functions that any API declares
    assert good.value["to"] == {"street": "x", "number": 1}
    assert [error_of(each)["message"] for each in bad] == [
        "item: input should be 'tea' or 'salt', found the string \"rice\"",
        "item: field required",
        "more: extra inputs are not permitted, found the number 1",
        "to.number: field required",
    ]


def test_only_what_the_function_leaves_open_is_the_declarations() -> None:
    def order(item: str, count: Any, /, price: Any = 0, *, on: Any = None, **_: object) -> object:
        return (item, count, price, on)

    for name in ("count", "on"):
        del order.__annotations__[name]
    schema = {
        "type": "object",
        "properties": {
            "item": {"type": "string", "enum": ["tea"]},
            "count": {"type": "integer"},
            "price": {"type": "number"},
            "on": {"type": "boolean"},
        },
    }
    box = Toolbox([(schema, order)])
    good, wrong = box.run(
        content(
            ("order", {"item": "rice", "count": 1}),
            ("order", {"item": "tea", "count": "x", "price": "y", "on": "z", "rest": 1}),
        )
    )
    assert good.value == ("rice", 1, 0, None)
    said = error_of(wrong)["message"].split("; ")
    assert [each.partition(":")[0] for each in said] == ["count", "price", "on", "rest"]


def test_a_function_of_a_model_gets_the_model() -> None:
    def place(order: Order) -> str:
        return f"{order.count} {order.item}"

    class Same(TypedDict):
        """Takes what is named as its parameter."""

        same: int

    def keep(same: object) -> object:
        return same

    box = Toolbox([(Order, place), (Same, functools.partial(keep))])
    good, wrong, plain = box.run(
        content(
            ("Order", {"item": "tea", "count": 2}),
            ("Order", {"item": "rice"}),
            ("Same", {"same": 3}),
        )
    )
    assert (good.value, plain.value) == ("2 tea", 3)
    assert error_of(wrong)["message"].startswith("item: input should be 'tea' or 'salt'")


@pytest.mark.parametrize("name", ["arguments", "arguments_", "self", "args", "kwargs"])
def test_an_argument_may_have_any_name_beside_stars(name: str) -> None:
    declared: Any = {name: {"type": "integer"}, "more": {"type": "string"}}
    schema = {"type": "object", "properties": declared, "required": [name]}
    box = Toolbox([(schema, anything)])
    good, wrong = box.run(content(("anything", {name: 1}), ("anything", {name: "x"})))
    assert good.value == {name: 1}
    assert error_of(wrong)["message"].startswith(f"{name}: input should be a valid integer")


FAULTY: dict[str, Any] = {
    "no members": {"properties": 5, "required": "x"},
    "no schemas": {"properties": {"x": 1, "1": True, "None": {}}, "required": [1, None]},
    "no types": {
        "properties": {"x": {"type": [1, {}], "enum": {}, "items": []}, "1": {}, "None": {}}
    },
    "itself": {"type": "object", "$ref": "#", "additionalProperties": 7},
    "no bounds": {
        "properties": {
            "x": {"type": "object"},
            "1": {"type": "integer", "minimum": "2", "maximum": False},
            "None": {"type": ["integer", "string"], "minLength": -1, "maxLength": 0.5},
        }
    },
}


@pytest.mark.parametrize("schema", FAULTY.values(), ids=FAULTY)
def test_a_faulty_schema_refuses_nothing_that_it_does_not_tell(schema: Any) -> None:
    json_schema = functions.to_value(schema)
    declared = v1.FunctionDeclaration(name="f", parameters_json_schema=json_schema)
    box = Toolbox([(declared, anything)])
    given = {"x": {"y": 1}, "1": 1, "None": 1}
    (outcome,) = box.run(content(("f", given)))
    assert outcome.value == given


ITEM: dict[str, object] = {
    "type": "object",
    "properties": {"item": {"type": "string"}},
    "required": ["item"],
}


def one_object(arguments: Any) -> Any:
    return arguments


def one_more(item: Any, x: Any) -> Any:
    return item, x


def one_more_beside_all(x: Any, **rest: Any) -> Any:
    return x, rest


def no_more(item: Any) -> Any:
    return item


def many(*item: Any) -> Any:
    return item


def one_of_its_own(item: Any, x: Any = 1) -> Any:
    return item if x == 1 else x


def takes_all(**rest: Any) -> Any:
    return rest["item"]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (one_object, 'requires "item", which the function does not take'),
        (many, 'requires "item", which the function does not take'),
        (functools.partial(no_more, item="tea"), 'requires "item", which the function does not'),
        (one_more, 'does not name "x", which the function requires'),
        (one_more_beside_all, 'does not name "x", which the function requires'),
    ],
    ids=["one object", "stars", "bound", "one more", "one more beside all"],
)
def test_a_function_that_no_declared_call_can_reach_is_refused(
    function: Callable[..., object], reason: str
) -> None:
    with pytest.raises(DeclarationError, match=reason) as caught:
        Toolbox([(functions.declare(ITEM, name="find"), function)])
    assert caught.value.path == "functions[0]"


@pytest.mark.parametrize("function", [no_more, one_of_its_own, takes_all])
@pytest.mark.parametrize("schema", [ITEM, {"type": "object"}], ids=["closed", "open"])
def test_a_function_that_declared_calls_reach_is_taken(
    schema: dict[str, object], function: Callable[..., object]
) -> None:
    box = Toolbox([(functions.declare(schema, name="find"), function)])
    assert box.run(content(("find", {"item": "tea"})))[0].value == "tea"


def test_renamed_parameters_reach_the_function_under_their_own_names() -> None:
    def handler(**arguments: object) -> object:
        return arguments

    schema = {"type": "object", "properties": {"a.b": {"type": "integer"}}}
    declared = functions.declare(schema, name="handler", rename=True, report=True)
    (renamed,) = declared.names
    assert renamed != "a.b"
    box = Toolbox([(declared, handler)])
    assert box.run(content(("handler", {renamed: 1})))[0].value == {"a.b": 1}
    assert [change.path for change in box.changes] == [
        f"functions[0].{change.path}" for change in declared.changes
    ]


def test_the_call_keeps_what_was_received() -> None:
    def change(data: dict[str, Any]) -> dict[str, Any]:
        data["more"] = [1]
        return data

    declared = functions.declare({"type": "object"}, name="change")
    (outcome,) = Toolbox([(declared, change)]).run(content(("change", {"data": {"x": 1}})))
    assert outcome.response == {"x": 1, "more": [1]}
    assert outcome.call.args == {"data": {"x": 1}}


def test_a_faulty_validator_is_a_fault_of_the_function() -> None:
    def boom(_: object) -> object:
        raise RuntimeError("in a validator")

    Broken = Annotated[int, pydantic.AfterValidator(boom)]  # noqa: N806
    assert given(Broken, 1) == {"type": "RuntimeError", "message": "in a validator"}


def test_a_validation_error_inside_the_function_is_not_about_its_arguments() -> None:
    def parse(text: str) -> int:
        """Parses."""
        return pydantic.TypeAdapter(int).validate_python(text)

    (outcome,) = Toolbox([parse]).run(content(("parse", {"text": "x"})))
    assert error_of(outcome)["type"] == "ValidationError"


def test_types_that_cannot_be_checked_are_found_at_once() -> None:
    class Opaque:
        pass

    def take(x: Opaque) -> None: ...

    take.__annotations__ = {"x": Opaque}
    with pytest.raises(DeclarationError) as caught:
        Toolbox([(v1.FunctionDeclaration(name="take"), take)])
    assert caught.value.path == "functions[0]"
    assert caught.value.reason.startswith("its arguments cannot be checked: ")


def test_what_cannot_be_declared_is_named_with_its_place() -> None:
    def many(*items: int) -> None:
        """Takes many."""

    with pytest.raises(DeclarationError) as caught:
        Toolbox([add, many])
    assert caught.value.path.startswith("functions[1]")


def test_results_of_the_functions_own_types_go_back_as_json() -> None:
    def locate(name: str) -> Address:
        """Locates."""
        return Address(street=name, number=5)

    def stats() -> collections.Counter[str]:
        """Counts."""
        return collections.Counter("aab")

    declared = functions.declare({"type": "object"}, name="stats")
    box = Toolbox([locate, (declared, stats)])
    outcomes = box.run(content(("locate", {"name": "x"}), "stats"))
    assert [outcome.response for outcome in outcomes] == [
        {"street": "x", "number": 5, "since": None},
        {"a": 2, "b": 1},
    ]


@dataclasses.dataclass
class Batch:
    items: Iterable[int]


@pytest.mark.parametrize("kind", [Iterable[int], Generator[int, None, None], Iterable[int] | None])
def test_items_are_checked_before_the_function_runs(kind: Any) -> None:
    assert list(given(kind, [1, "2"])) == [1, 2]
    assert next(given(kind, [3])) == 3
    wrong = given(kind, [1, "x", 2.5])
    assert wrong["type"] == "InvalidArguments"
    assert wrong["message"].startswith("x[1]: input should be a valid integer")
    assert 'found the string "x"; x[2]: input should be a valid integer' in wrong["message"]
    assert "errors.pydantic.dev" not in wrong["message"]


def test_items_are_checked_wherever_they_stand() -> None:
    assert list(given(Batch, {"items": [1]}).items) == [1]
    assert given(Batch, {"items": ["x"]})["message"].startswith("x.items[0]: ")
    assert given(list[Iterable[int]], [[1], ["x"]])["message"].startswith("x[1][0]: ")
    assert list(functions.parse("[1, 2]", Iterable[int])) == [1, 2]
    with pytest.raises(toolwire.JsonError, match=r"^\[1\]: the answer does not fit"):
        functions.parse('[1, "x"]', Iterable[int])


def test_an_error_keeps_the_case_of_an_acronym() -> None:
    wrong = given(pydantic.HttpUrl, "ftp://example.com")
    assert wrong["message"].startswith("x: URL scheme should be")
    assert given(pydantic.Json, {})["message"].startswith("x: JSON input should be")


@pytest.mark.parametrize("listed", [[1, True], [True, 1], [0, False]])
def test_a_bool_stays_one_beside_numbers(listed: list[object]) -> None:
    schema = {"type": "object", "properties": {"x": {"enum": listed}}, "required": ["x"]}
    got: list[object] = []

    def take(x: Any) -> None:
        got.append(x)

    box = Toolbox([(functions.declare(schema, name="take", description="Takes."), take)])
    outcomes = box.run(content(*(("take", {"x": value}) for value in listed)))
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert [(type(value), value) for value in got] == [(type(value), value) for value in listed]
