"""What differs between the APIs' schemas and no descriptor says: the table of the rules, by API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._rules._profile import PROFILES as _OF_PACKAGES
from toolwire._rules._profile import Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PROFILES", "Profile"]

PROFILES: Mapping[str, Profile] = {profile.api: profile for profile in _OF_PACKAGES.values()}
