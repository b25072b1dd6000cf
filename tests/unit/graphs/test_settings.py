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


@pytest.mark.parametrize("url", ["localhost:8080/v1", "ftp://host/v1", "http://", "http://[bad/v1"])
def test_an_endpoint_that_is_no_web_address_is_refused_by_its_name(url: str) -> None:
    with pytest.raises(InvalidInput, match="FORETHOUGHT_BASE_URL"):
        load_settings(base_url=url)


@pytest.mark.parametrize("key", ["sk-1\n", "schlüssel", "sk-…"])
def test_a_key_that_no_request_can_carry_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(InvalidInput, match="FORETHOUGHT_API_KEY: .*only ASCII") as refused:
        load_settings(api_key=key)
    assert key not in str(refused.value)


def test_a_blank_data_directory_is_the_default_and_not_wherever_one_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FORETHOUGHT_DATA_DIR", raising=False)
    default = load_settings().data_dir
    monkeypatch.setenv("FORETHOUGHT_DATA_DIR", "")
    assert load_settings().data_dir == default != Path()


def test_a_settings_file_in_another_encoding_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes("FORETHOUGHT_BANK=Inés".encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"\.env .*is not UTF-8 \(byte 19\): save it as UTF-8"):
        load_settings()
