"""Sample data that ships with the package: read it through importlib.resources.

`memoryquest-mini/` is one user of the MemoryQuest mini set (ours, MIT), as it lies in the shared
data: sessions, facts, queries, recorded cues, trees and lookups. `demo/` holds the replies that the
demo's model would give: `extractions.jsonl` are that user's own facts by session, each with the
turns that say it (matched by embedding and words, then read through); `answers.jsonl` is written by
hand, where `{f034}` stands for the fact of that number. `learning/paraphrases.jsonl` has each of
the whole mini set's 48 queries in other words, for `eval learning`; written by a model for that.
"""
