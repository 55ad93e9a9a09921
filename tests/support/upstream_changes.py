"""A newer schema as upstream makes them: ours, with one change of each usual kind in v1."""

from __future__ import annotations

import shutil
from pathlib import Path

FOLDER = "google/cloud/aiplatform/v1"
ACME = f"{FOLDER}/acme.proto"

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
message Weather {
  // True for the forecast, too.
  bool forecast = 1;
}

// Asks for a warm start.
message WarmUpRequest {
  // Required. The model.
  string endpoint = 1 [(google.api.field_behavior) = REQUIRED];
}

// Tells how warm it is.
message WarmUpResponse {
  // Degrees.
  int32 degrees = 1;
}
"""

_WARM_UP = """\
  // Warms a model up.
  rpc WarmUp(WarmUpRequest) returns (WarmUpResponse) {
    option (google.api.http) = {
      post: "/v1/{endpoint=projects/*/locations/*/publishers/*/models/*}:warmUp"
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
        "  // The weather.\n  Weather weather = 90;\n\n",
    ),
    (f"{FOLDER}/tool.proto", "  oneof source {\n", "    // Acme.\n    AcmeSearch acme = 91;\n\n"),
    (f"{FOLDER}/tool.proto", "    NONE = 3;\n", "\n    // With care.\n    CAREFUL = 90;\n"),
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
_RENAMED = (f"{FOLDER}/tool.proto", "string metadata_filter = 2", "string metadata_condition = 2")


def newer(proto: Path, target: Path) -> Path:
    """Copies a schema folder and changes it.

    Args:
        proto: The folder.
        target: Where the copy goes.

    Returns:
        The copy.
    """
    shutil.copytree(proto, target, ignore=shutil.ignore_patterns("*.toml"))
    (target / ACME).write_text(_ACME_TEXT)
    for name, anchor, addition in _INSERTED:
        change(target / name, anchor, anchor + addition)
    name, before, after = _RENAMED
    change(target / name, before, after)
    return target


def change(path: Path, before: str, after: str) -> None:
    """Replaces a text that stands in a file once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path}: {before!r}"
    path.write_text(text.replace(before, after), encoding="utf-8")
