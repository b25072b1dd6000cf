"""Years, seasons and parts of years in Chinese and Japanese, which write no spaces.

A part counts where what follows cannot make another word of it: 去年夏天 is a summer, 去年夏威夷 is
Hawaii; 2024年初 is early 2024, 2024年初めて is "for the first time". Then the year counts.
"""

from __future__ import annotations

import re
from datetime import date as Day

from forethought.memory.times import year_parts as parts
from forethought.memory.when import Span

_ENDS = r"(?=[我你您他她它们們在的是有都，。？！、,.?!\s]|に|の|は|も|で|から|まで|頃|ごろ|$)"
_SEASON = rf"(?P<season>[春夏秋冬])(?:天|季|休み|{_ENDS})"
_PART = rf"""
    第?(?P<quarter>[1-4一二三四])(?:个|個)?(?:季度|四半期)
  | (?P<first>上半年|上半期|前半)  | (?P<second>下半年|下半期|後半|后半)
  | (?P<early>(?:初め|はじめ|初|头){_ENDS}|上旬)
  | (?P<mid>中旬|半ば)
  | (?P<late>(?:末|底|终わり|終わり){_ENDS}|下旬)
"""
_NAMED = re.compile(
    rf"""
    (?: (?P<year>(?:19|20)\d\d)年 | (?P<said>去年|昨年|今年|明年|来年|來年|前年) )
    [的の]?
    (?: {_SEASON} | (?:(?P<month>1[0-2]|0?[1-9])月[的の]?)?(?:{_PART}) | (?!\d{{1,2}}月) )
  | (?P<beside>上|这|這|本|今|下)(?:个|個)?(?:(?P<near>[春夏秋冬])[天季]|(?P<unit>季度))
    """,
    re.VERBOSE,
)
_SEASONS = "春夏秋冬"
_COUNT = {"一": 0, "二": 1, "三": 2, "四": 3}
_AWAY = {"前年": -2, "去年": -1, "昨年": -1, "今年": 0, "明年": 1, "来年": 1, "來年": 1}  # years
_BESIDE = {"上": -1, "下": 1}
_PARTS = {"first": (0, 2), "second": (1, 2), "early": (0, 3), "mid": (1, 3), "late": (2, 3)}


def year_named(question: str, start: int, today: Day) -> Span | None:
    """The year, or the season or part of one, that is named from the character `start` on."""
    found = _NAMED.match(question, start)
    if not found:
        return None
    if found["beside"]:
        return _beside(found, today)
    year = int(found["year"]) if found["year"] else today.year + _AWAY[found["said"]]
    if found["season"]:
        return parts.season(_SEASONS.index(found["season"]), year)
    if found["month"]:  # a part of it counts as the month: see `seasons.month_asked`
        return parts.month_of(year, int(found["month"]))
    whole = parts.year_of(year)
    if quarter := found["quarter"]:
        return parts.portion(whole, _COUNT.get(quarter, ord(quarter) - ord("1")), 4)
    named = next((part for name, part in _PARTS.items() if found[name]), None)
    return parts.portion(whole, *named) if named else whole


def _beside(found: re.Match[str], today: Day) -> Span:
    """Such as 上个季度 and 这个夏天."""
    ahead = _BESIDE.get(found["beside"], 0)
    if found["unit"]:
        return parts.quarter(today, ahead)
    which = _SEASONS.index(found["near"])
    return parts.season_near(which, today, ahead)
