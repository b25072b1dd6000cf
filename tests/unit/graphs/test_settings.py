"""Settings: what is wrong in them is named, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from forethought.graphs.settings import load_settings
from forethought.memory.errors import InvalidInput


@pytest.mark.parametrize("zone", ["Europe", "America/Argentina", "x" * 300])
def test_a_zone_that_is_a_folder_or_no_file_name_is_refused_by_its_name(zone: str) -> None:
    with pytest.raises(InvalidInput, match=f"FORETHOUGHT_ZONE.*{zone}.*Europe/Helsinki"):
        load_settings(zone=zone)


def test_a_settings_file_in_another_encoding_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes("FORETHOUGHT_BANK=Inés".encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"\.env .*is not UTF-8 \(byte 19\): save it as UTF-8"):
        load_settings()
