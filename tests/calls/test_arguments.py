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
from typing import Annotated, Any, Literal, Optional, Union

import pydantic
import pytest
from typing_extensions import TypedDict

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
    outcomes = box.run(content(("handler", {"x": [1]}), ("remote", {})))
    assert [outcome.value for outcome in outcomes] == [{"x": [1]}, {}]


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
