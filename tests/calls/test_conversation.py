"""Whole conversations with the local server, in every API that is served."""

from __future__ import annotations

from typing import Any

from support.apis import of_every_served_api
from toolwire import functions
from toolwire.testing import LocalServer


def weather(city: str, days: int = 1) -> dict[str, object]:
    """Tells the weather of a city.

    Args:
        city: Name of the city.
        days: For how many days.
    """
    return {"city": city, "days": days, "sky": "clear"}


def clock(zone: str) -> str:
    """Tells the time.

    Args:
        zone: Name of the time zone.
    """
    raise LookupError(f"no zone {zone}")


@of_every_served_api
def test_calls_are_run_and_answered_until_there_are_none(api: str) -> None:
    make: Any = functions.Toolbox
    read: Any = functions.calls
    respond: Any = functions.respond
    box = make([weather, clock], api=api, timeout=30)
    question = "What is the weather in Lisbon, and what time is it there? Use weather and clock."
    with LocalServer() as server:
        connect: Any = server.client
        with connect(api=api) as client:
            history: list[Any] = [question]
            names: list[str] = []
            for _ in range(5):
                response = client.generate_content("gemini-2.5-flash", history, tools=[box.tool])
                found = read(response, tools=box)
                if not found:
                    assert found.finish_reason == "STOP"
                    break
                # The server refuses a turn that comes back changed, or answers that do not pair.
                history += [found.content, respond(found, *box.run(found))]
                names += [call.name for call in found]
    assert sorted(names) == ["clock", "weather"]
