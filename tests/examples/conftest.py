"""A Chromium to look at pages with."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.conftest import is_missing

NAMES = (
    "chromium", "chromium-browser", "chromium-headless-shell", "google-chrome",
    "google-chrome-stable",
)  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a browser: the one that FORETHOUGHT_TEST_CHROMIUM names, else one on the PATH."""
    if os.environ.get("FORETHOUGHT_TEST_CHROMIUM") == "none":
        pytest.skip("there is no Chromium here, and none could be installed")
    there = (os.environ.get("FORETHOUGHT_TEST_CHROMIUM"), *map(shutil.which, NAMES))
    found = next(filter(None, there), None)
    if found is None:
        is_missing(
            "there is no Chromium: `make browser` installs one as root of a Debian, or name one in "
            "FORETHOUGHT_TEST_CHROMIUM"
        )
    return found
