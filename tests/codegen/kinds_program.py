"""What the widened stubs of kinds.proto accept: it type-checks, and it runs."""

import datetime

from kinds_pb.kinds_pb2 import Colour, Inner, Outer
from typing_extensions import assert_type

now = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
second = datetime.timedelta(seconds=1)
message = Outer(
    colour="RED",
    maybe=1,
    colours=["RED", 1, Colour.RED],
    by_name={"a": "RED", "b": Colour.RED},
    inner={"name": "x"},
    inners=[{"name": "x"}, Inner(name="y")],
    by_number={1: {"name": "x"}, 2: Inner()},
    time=now,
    times=[now, {"seconds": 1}],
    duration=second,
    struct={"a": {"b": [1, None]}},
    list=[1, "x", None],
    value={"number_value": 1},
    property="p",
    type="t",
    nested={"colour": "RED", "outer": {"text": "t"}},
)
message.colour = "RED"
message.maybe = Colour.RED
message.shade = "RED"
message.time = now
message.duration = second
message.span = second
message.struct = {"a": 1}
message.list = [1, 2]
message.nested.colour = "RED"

assert_type(message.colour, Colour.ValueType)
assert_type(message.maybe, Colour.ValueType)
assert_type(message.property, str)
assert_type(message.type, str)
assert_type(message.colours[0], Colour.ValueType)
assert_type(message.by_name["a"], Colour.ValueType)
assert_type(message.by_number[1], Inner)
assert_type(message.nested, Outer.Nested)
assert_type(message.nested.outer, Outer)
assert_type(message.struct["a"] == 1.0, bool)

copy = Outer.FromString(message.SerializeToString())
assert copy == message
assert copy.times[1].seconds == 1
assert copy.by_number[1].name == "x"
print(Outer.DESCRIPTOR.file.package)
