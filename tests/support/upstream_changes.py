"""A newer schema as upstream makes them: ours, with one change of each usual kind in v1.

It must work for whatever schema is there, one that such a change made among them: what is new is
called after the first of some names that is not taken.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from environments import ROOT

FOLDER = "google/cloud/aiplatform/v1"
_PROTO = ROOT / "proto"
_NAMES = ("acme", "bolt", "crow")
_PLACE = next(
    place for place, name in enumerate(_NAMES) if not (_PROTO / FOLDER / f"{name}.proto").exists()
)


def named(text: str) -> str:
    """Puts the name that is used in place of Acme, and its number in place of 90."""
    name = _NAMES[_PLACE]
    for spelled in (str.lower, str.upper, str.title):
        text = text.replace(spelled("acme"), spelled(name))
    return re.sub(r"\b9([01])\b", rf"9{_PLACE}\1" if _PLACE else r"9\1", text)


ACME = named(f"{FOLDER}/acme.proto")

_ACME_TEXT = """\
syntax = "proto3";

package google.cloud.aiplatform.v1;

import "google/api/field_behavior.proto";
import "google/type/money.proto";

// Looks passages up at Acme.
message AcmeSearch {
  // Required. Where to look.
  string shelf = 1 [(google.api.field_behavior) = REQUIRED];

  // Most that a search may cost.
  google.type.Money budget = 2;
}

// Looks the weather up.
message AcmeWeather {
  // True for the forecast, too.
  bool forecast = 1;
}

// Asks for a warm start.
message AcmeWarmUpRequest {
  // Required. The model.
  string endpoint = 1 [(google.api.field_behavior) = REQUIRED];
}

// Tells how warm it is.
message AcmeWarmUpResponse {
  // Degrees.
  int32 degrees = 1;
}
"""

_WARM_UP = """\
  // Warms a model up.
  rpc AcmeWarmUp(AcmeWarmUpRequest) returns (AcmeWarmUpResponse) {
    option (google.api.http) = {
      post: "/v1/{endpoint=projects/*/locations/*/publishers/*/models/*}:acmeWarmUp"
      body: "*"
    };
  }

"""

# File, what stands there, and what is put behind it or in its place.
_INSERTED = (
    (f"{FOLDER}/tool.proto", 'import "google/api/resource.proto";\n', f'import "{ACME}";\n'),
    (
        f"{FOLDER}/tool.proto",
        "\nmessage Tool {\n",
        "  // The weather.\n  AcmeWeather acme_weather = 90;\n\n",
    ),
    (f"{FOLDER}/tool.proto", "  oneof source {\n", "    // Acme.\n    AcmeSearch acme = 91;\n\n"),
    (f"{FOLDER}/tool.proto", "    NONE = 3;\n", "\n    // With care.\n    ACME_CAREFUL = 90;\n"),
    (
        f"{FOLDER}/prediction_service.proto",
        'import "google/api/resource.proto";\n',
        f'import "{ACME}";\n',
    ),
    (
        f"{FOLDER}/prediction_service.proto",
        "service PredictionService {\n",
        _WARM_UP,
    ),
)
_RENAMED = re.search(
    r"string (metadata_\w+) = 2", (_PROTO / FOLDER / "tool.proto").read_text(encoding="utf-8")
)
assert _RENAMED is not None
RENAMED = _RENAMED[1]


def newer(proto: Path, target: Path) -> Path:
    """Copies a schema folder and changes it.

    Args:
        proto: The folder.
        target: Where the copy goes.

    Returns:
        The copy.
    """
    shutil.copytree(proto, target, ignore=shutil.ignore_patterns("*.toml"))
    (target / ACME).write_text(named(_ACME_TEXT))
    for name, anchor, addition in _INSERTED:
        change(target / name, anchor, anchor + named(addition))
    change(target / FOLDER / "tool.proto", f"string {RENAMED} = 2", f"string {RENAMED}_x = 2")
    return target


def change(path: Path, before: str, after: str) -> None:
    """Replaces a text that stands in a file once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path}: {before!r}"
    path.write_text(text.replace(before, after), encoding="utf-8")
