from __future__ import annotations

from pathlib import Path

import pytest

from forethought.evals.foresight import AHEAD, SHIPPED, run_foresight
from forethought.evals.pools import COLUMNS, MINI_LOOKUPS, MINI_PLANS
from forethought.evals.rules import RULES
from forethought.graphs.settings import Settings, load_settings
from forethought.memory.errors import InvalidInput
from tests.unit.evals import samples


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "home")


async def test_every_rule_is_measured_on_every_set_that_is_there(
    settings: Settings, tmp_path: Path
) -> None:
    samples.write_mini(tmp_path / "memoryquest-mini")
    samples.write_locomo(tmp_path / "locomo")
    samples.write_longmemeval(tmp_path / "longmemeval")
    report = await run_foresight(tmp_path, settings=settings)
    assert list(report.rules) == [*RULES, SHIPPED, AHEAD]
    assert report.skipped == ()
    assert set(report.questions) == set(COLUMNS)
    shares = report.rules.pop(AHEAD)
    assert set(shares) == set(COLUMNS) and all(0 <= share <= 1 for share in shares.values())
    for figures in report.rules.values():  # each pool is smaller than what is read of it
        assert figures == {
            MINI_PLANS: 1.0,
            MINI_LOOKUPS: 1.0,
            "LoCoMo conv-26@20": 0.75,  # of two questions' evidence, one turn is in no fact
            "LongMemEval preference@5": 1.0,
            "LongMemEval lookups@5": 1.0,
        }
    assert report.table().row_count == len(RULES) + 2


async def test_a_set_that_is_not_there_is_left_out_and_named(
    settings: Settings, tmp_path: Path
) -> None:
    samples.write_mini(tmp_path / "memoryquest-mini")
    report = await run_foresight(tmp_path, settings=settings)
    assert set(report.plain()["rules"][SHIPPED]) == {MINI_PLANS, MINI_LOOKUPS}
    assert len(report.skipped) == 2
    assert "locomo is not there" in report.skipped[0]


async def test_a_folder_without_any_set_is_an_error(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="memoryquest-mini, locomo, longmemeval"):
        await run_foresight(tmp_path, settings=settings)
