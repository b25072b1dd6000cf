"""Small evaluation data sets, written as the real ones lie on disk."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

CAT = "Is allergic to cats"
NIGHT = "Works nights at the bakery"
KNEE = "Broke her knee on the ice"
QUERY = "Plan a weekend visit to my cousin for me"
CUES = {
    "f1": ["Plan a stay at my aunt's for me", "Which flat should I rent?"],
    "f2": ["When should I book the dentist?", "Suggest an evening class"],
    "f3": ["Plan a hike for us", "Which sport should I take up?"],
}


def tree(*actions: str) -> list[dict[str, Any]]:
    """A tree whose first step is the root of the others."""
    return [
        {
            "action_id": f"A{number}",
            "action": action,
            "constraints": "",
            "parent": "A1" if number > 1 else None,
        }
        for number, action in enumerate(actions, start=1)
    ]


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, values: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def session(name: str, date: str, *said: str) -> dict[str, Any]:
    return {"id": name, "date": date, "conversation": [{"user": text} for text in said]}


def fact(name: str, text: str, at: str = "s01") -> dict[str, Any]:
    date = "2025-01-01" if at == "s01" else "2025-02-01"
    return {"id": name, "info": text, "type": "Identity", "session_id": at, "date": date}


def user(**changes: Any) -> dict[str, Any]:
    """A user of the mini set with three facts and one plan."""
    return {
        "demographics": {"user_id": "u1", "summary": "Somebody."},
        "sessions": [
            session("s01", "2025-01-01", "Cats make me sneeze, and I work nights."),
            session("s02", "2025-02-01", "I broke my knee on the ice."),
        ],
        "facts": [fact("f1", CAT), fact("f2", NIGHT), fact("f3", KNEE, "s02")],
        "queries": [
            {"id": "q1", "date": "2025-02-01", "query": QUERY, "needed_references": ["f1", "f2"]}
        ],
    } | changes


def official_user() -> dict[str, Any]:
    """The same user as the official files have them: no facts, references as dated texts."""
    given = user()
    del given["facts"]
    references = [["2025-01-01", CAT], ["2025-01-01", "She works at night in a bakery"]]
    given["queries"] = [{"date": "2025-02-01", "query": QUERY, "needed_references": references}]
    return given


def write_mini(folder: Path, **changes: Any) -> Path:
    """A mini set of one user, with everything recorded."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "u1.json", user(**changes))
    write_lines(
        folder / "cues.jsonl", [{"id": f"u1/{name}", "cues": some} for name, some in CUES.items()]
    )
    first, second = tree("sleep beside a pet"), tree("sleep beside a pet", "be free on Saturday")
    write_lines(folder / "prospections.jsonl", [{"id": "u1/q1", "phase1": first, "phase2": second}])
    lookup = {"id": "u1/l1", "query": "Where do I work?", "needed_references": ["f2"]}
    write_lines(folder / "lookups.jsonl", [lookup])
    return folder


def write_locomo(folder: Path) -> Path:
    """One conversation of two sessions; the facts of the second stand first in the file."""
    folder.mkdir(parents=True, exist_ok=True)
    turns = [{"speaker": "Ann", "dia_id": f"D1:{n}", "text": f"Turn {n}"} for n in (1, 2, 3)]
    later = [{"speaker": "Bob", "dia_id": "D2:1", "text": "I sold the boat"}]
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "session_1": turns,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_2": later,
            "session_2_date_time": "2:00 pm on 9 June, 2023",
        },
        "observation": {
            "session_2_observation": {"Bob": [["Bob sold his boat", "D2:1"]]},
            "session_1_observation": {"Ann": [["Ann keeps bees", ["D1:1", "D1:2"]]]},
        },
        "qa": [
            {"question": "Who keeps bees?", "evidence": ["D1:1; D1:3", "D9:9"], "category": 4},
            {"question": "What did Bob sell?", "evidence": ["D2:1"], "category": 4},
            {"question": "Who flew?", "evidence": ["D1:1"], "category": 5},
            {"question": "Why?", "evidence": [], "category": 1},
        ],
    }
    write_json(folder / "locomo10.json", [sample])
    cues = [
        {"fact": "Ann keeps bees", "cues": ["What may I plant?", "Where can we picnic?"]},
        {"fact": "Bob sold his boat", "cues": ["Plan a day on the lake"]},
    ]
    write_lines(folder / "cues_conv-1.jsonl", cues)
    return folder


def write_longmemeval(folder: Path) -> Path:
    """A pool of three turns, two of which say the same for different questions."""
    folder.mkdir(parents=True, exist_ok=True)
    pool = [
        {"question_id": "a", "date": "2023/04/10 (Mon) 23:07", "text": "I like tea", "cues": ["?"]},
        {
            "question_id": "b",
            "date": "2023/04/11 (Tue) 23:07",
            "text": "I like tea!",
            "cues": ["?"],
        },
        {
            "question_id": "b",
            "date": "2023/04/12 (Wed) 23:07",
            "text": "My dog is Rex",
            "cues": ["?"],
        },
    ]
    write_lines(folder / "cues.jsonl", pool)

    def asked(name: str, kind: str, *said: str) -> dict[str, Any]:
        turns = [{"role": "user", "content": text} for text in said]
        turns.append({"role": "assistant", "content": "My dog is Rex"})
        return {
            "question_id": name,
            "question_type": kind,
            "question": f"Question {name}?",
            "evidence_sessions": [{"date": "2023/04/10 (Mon) 23:07", "turns": turns}],
        }

    questions = [
        asked("a", "single-session-preference", "I like tea"),
        asked("b", "multi-session", "My dog is Rex", "I like tea!"),
        asked("c", "multi-session", "I like tea"),
    ]
    write_json(folder / "evidence_turns.json", questions)
    return folder
