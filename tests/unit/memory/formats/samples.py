"""Small hand-written files of each format, and a short way to read them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, tzinfo

from forethought.memory.conversations import Conversation
from forethought.memory.formats import Parsed, read_text

MEMORYQUEST: dict[str, object] = {
    "demographics": {"user_id": "mq05", "summary": "Marisol, 25"},
    "sessions": [
        {
            "id": "s01",
            "date": "2024-08-14",
            "conversation": [{"user": "Hola, ¿qué tal? 👩‍🎓"}, {"assistant": "Bien."}],
        },
        {"id": "s02", "date": "2024-08-19", "conversation": [{"user": "The lease is signed."}]},
    ],
    "facts": [{"id": "f001", "info": "Is a student", "session_id": "s01", "date": "2024-08-14"}],
    "queries": [{"id": "q1", "date": "2025-05-16", "query": "?", "needed_references": ["f001"]}],
}
OFFICIAL: dict[str, object] = {
    "demographics": {"age": "25-34", "gender": "female"},
    "domain_summaries": {"travel": "Likes trains."},
    "sessions": [
        {
            "session_id": 7,
            "date": "2024-03-01 09:30:00",
            "is_required": True,
            "conversation": [{"user": "I take the train.", "assistant": "Noted."}],
        },
        {
            "date": "2024-03-02",
            "is_required": False,
            "conversation": [{"role": "user", "content": "Any news?"}],
        },
    ],
    "queries": [
        {"date": "2024-04-01", "query": "?", "needed_references": [["2024-03-01", "Train"]]}
    ],
}
LOCOMO: list[object] = [
    {
        "sample_id": "conv-26",
        "qa": [],
        "conversation": {
            "speaker_a": "Caroline",
            "speaker_b": "Melanie",
            "session_10_date_time": "12:09 am on 13 September, 2023",
            "session_10": [{"speaker": "Melanie", "dia_id": "D10:1", "text": "Still up?"}],
            "session_2_date_time": "1:14 pm on 25 May, 2023",
            "session_2": [
                {"speaker": "Caroline", "dia_id": "D2:1", "text": "Hey Mel!"},
                {
                    "speaker": "Melanie",
                    "dia_id": "D2:2",
                    "text": "Look at this.",
                    "img_url": ["https://example.org/a.jpg"],
                    "blip_caption": "a photo of a sunset over a lake",
                    "query": "painting sunrise",
                },
            ],
            "session_11_date_time": "1:00 pm on 14 September, 2023",
        },
    },
    {
        "sample_id": "conv-30",
        "conversation": {
            "session_1_date_time": "4:04 pm on 20 January, 2023",
            "session_1": [{"speaker": "Jon", "dia_id": "D1:1", "text": "Lost my job."}],
        },
    },
]
LONGMEMEVAL: list[object] = [
    {
        "question_id": "q-one",
        "question_type": "temporal-reasoning",
        "question": "When?",
        "answer": "In May",
        "question_date": "2023/06/10 (Sat) 23:07",
        "haystack_session_ids": ["answer_1", "sharegpt_x_0"],
        "haystack_dates": ["2023/04/10 (Mon) 17:50", "2023/04/11 (Tue) 08:05"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "My car was serviced.", "has_answer": True},
                {"role": "assistant", "content": "Good."},
            ],
            [{"role": "user", "content": "Write a haiku."}],
        ],
        "answer_session_ids": ["answer_1"],
    },
    {
        "question_id": "q-two",
        "haystack_session_ids": ["sharegpt_x_0"],
        "haystack_dates": ["2023/04/11 (Tue) 08:05"],
        "haystack_sessions": [[{"role": "user", "content": "Write a haiku."}]],
    },
]
EVIDENCE: list[object] = [
    {
        "question_id": "q-three",
        "question": "?",
        "evidence_sessions": [
            {
                "date": "2023/04/10 (Mon) 14:47",
                "turns": [{"role": "user", "content": "The GPS broke on 3/22."}],
            }
        ],
    }
]
OPENAI: list[object] = [
    {
        "id": "chat-1",
        "created_at": "2024-05-01T10:00:00+02:00",
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "我明天搬家。"}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "function": {"name": "diary", "arguments": "{}"}}],
            },
            {"role": "tool", "content": "free all day", "tool_call_id": "c1", "name": "diary"},
            {"role": "assistant", "content": "祝你好运！🚚"},
        ],
    },
    {
        "id": "chat-2",
        "messages": [
            {"role": "user", "content": "Good evening", "timestamp": 1714590000},
            {"role": "assistant", "content": "Hello", "timestamp": 1714590003.5},
        ],
    },
]
MESSAGES: list[object] = [
    {"role": "system", "content": "You are helpful."},
    {"role": "user", "content": "I moved to Oslo.", "date": "2024-05-01T09:00:00"},
    {"role": "assistant", "content": "Lovely.", "date": "2024-05-01T09:00:05"},
    {"role": "user", "content": "It snows.", "date": "2024-05-02T08:00:00"},
]
CHATGPT: list[object] = [
    {
        "title": "Moving",
        "create_time": 1712345678.9,
        "update_time": 1712345999.0,
        "current_node": "d",
        "conversation_id": "conv-a",
        "id": "conv-a",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["sys"]},
            "sys": {
                "id": "sys",
                "parent": "root",
                "children": ["a"],
                "message": {
                    "author": {"role": "user", "name": None, "metadata": {}},
                    "content": {
                        "content_type": "user_editable_context",
                        "user_profile": "Preferred name: Elin",
                        "user_instructions": "Be brief.",
                    },
                    "metadata": {"is_visually_hidden_from_conversation": True},
                },
            },
            "a": {
                "id": "a",
                "parent": "sys",
                "children": ["b-old", "b"],
                "message": {
                    "id": "a",
                    "author": {"role": "user"},
                    "create_time": 1712345679,
                    "content": {
                        "content_type": "multimodal_text",
                        "parts": [
                            {"content_type": "image_asset_pointer", "asset_pointer": "file://1"},
                            "Muutan Tampereelle 🏠",
                        ],
                    },
                },
            },
            "b-old": {
                "id": "b-old",
                "parent": "a",
                "children": [],
                "message": {
                    "author": {"role": "assistant"},
                    "content": {"content_type": "text", "parts": ["An answer thrown away"]},
                },
            },
            "b": {
                "id": "b",
                "parent": "a",
                "children": ["c"],
                "message": {
                    "author": {"role": "assistant"},
                    "recipient": "python",
                    "content": {"content_type": "code", "language": "python", "text": "1 + 1"},
                },
            },
            "c": {
                "id": "c",
                "parent": "b",
                "children": ["thought"],
                "message": {
                    "author": {"role": "tool", "name": "python"},
                    "recipient": "all",
                    "content": {"content_type": "execution_output", "text": "2"},
                },
            },
            "thought": {
                "id": "thought",
                "parent": "c",
                "children": ["d"],
                "message": {
                    "author": {"role": "assistant"},
                    "content": {"content_type": "thoughts", "thoughts": [{"content": "Hm."}]},
                },
            },
            "d": {
                "id": "d",
                "parent": "thought",
                "children": [],
                "message": {
                    "author": {"role": "assistant"},
                    "recipient": "all",
                    "content": {"content_type": "text", "parts": ["Onnea!"]},
                },
            },
        },
    }
]
ALL: dict[str, object] = {
    "memoryquest": MEMORYQUEST,
    "memoryquest, official": OFFICIAL,
    "locomo": LOCOMO,
    "longmemeval": LONGMEMEVAL,
    "longmemeval, evidence": EVIDENCE,
    "openai": OPENAI,
    "openai, messages": MESSAGES,
    "chatgpt": CHATGPT,
}


def parse(
    data: object,
    *,
    zone: tzinfo = UTC,
    only: str | None = None,
    date: datetime | None = None,
) -> Parsed:
    """What `data` reads as, when it is a JSON file named x.json."""
    text = json.dumps(data, ensure_ascii=False)
    return read_text(text, name="x.json", zone=zone, only=only, date=date)


def parse_lines(
    records: list[object], *, zone: tzinfo = UTC, date: datetime | None = None
) -> Parsed:
    """What `records` read as, when they are the lines of x.jsonl; a string is a raw line."""
    lines = (line if isinstance(line, str) else json.dumps(line) for line in records)
    return read_text("\n".join(lines) + "\n", name="x.jsonl", zone=zone, date=date)


def keys(parsed: Parsed) -> list[str]:
    """The keys of the conversations read."""
    return [conversation.key for conversation in parsed.conversations]


def talk(conversation: Conversation) -> list[tuple[str, str]]:
    """Who said what."""
    return [(turn.role, turn.text) for turn in conversation.turns]


def problems(parsed: Parsed) -> list[str]:
    """The problems as shown."""
    return [str(problem) for problem in parsed.problems]
