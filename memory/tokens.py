"""How many tokens a text has, by the tokenizer that comes with the bundled embedder.

Another model's tokenizer counts otherwise: what a budget bounds is about right, not exact.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

from forethought.memory.embedding import tokenizer_file
from forethought.memory.onnx import encodable

_UNKNOWN = "[UNK]"


async def counted(texts: Sequence[str]) -> list[int]:
    """Tokens of each text. Raises StoreUnavailable where the tokenizer is not installed."""
    return await asyncio.to_thread(_counted, list(texts))


def _counted(texts: list[str]) -> list[int]:
    sound = [encodable(text) for text in texts]
    encoded = _tokenizer().encode_batch(sound, add_special_tokens=False)
    return [_size(text, item) for text, item in zip(sound, encoded, strict=True)]


def _size(text: str, encoded: Any) -> int:
    """Its tokens, where a word that the vocabulary lacks counts with each byte.

    A chat model has no unknown words: it spells them, in tokens of at least a byte. A word of
    100,000 letters would count as one token otherwise.
    """
    spans = zip(encoded.tokens, encoded.offsets, strict=True)
    return sum(
        len(text[start:end].encode()) if token == _UNKNOWN else 1 for token, (start, end) in spans
    )


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
