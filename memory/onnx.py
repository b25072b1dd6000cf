"""Run a transformer from an ONNX file on the CPU: text in, what its last layer says out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 32  # throughput is flat from 8 to 64 on two cores
_RUN = 32  # tokens that a run costs as much as by itself (5 ms on two cores); 16 to 64 are level


@dataclass(frozen=True, slots=True)
class Batch:
    """What the model said of some texts: their `rows` in the input, the mask, the first output."""

    rows: list[int]
    mask: NDArray[np.int64]
    output: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Transformer:
    """A model and its tokenizer, loaded. Its methods block: call them in a worker thread."""

    session: Any
    tokenizer: Any

    @classmethod
    def load(cls, model: Path | bytes, tokenizer: Path, *, max_tokens: int) -> Transformer:
        """Load both; a text is cut at `max_tokens`, whatever the tokenizer's own file says.

        Raises whatever onnxruntime and tokenizers raise for files that are not theirs.
        """
        # It reports to Microsoft (its Privacy.md) unless told not to before it is first imported.
        os.putenv("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # idle threads would spin for a while, on the core that Chroma's search is waiting for
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4  # what fails is raised; a second line on stderr says no more
        source = model if isinstance(model, bytes) else str(model)
        session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
        return cls(session, _tokenizer(tokenizer, max_tokens))

    def batches(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> Iterator[Batch]:
        """What the model says of `texts` (or pairs of them), those of like length together."""
        encoded = self.tokenizer.encode_batch(list(texts))
        by_length = sorted(range(len(encoded)), key=lambda row: len(encoded[row].ids))
        for start, end in runs([len(encoded[row].ids) for row in by_length]):
            rows = by_length[start:end]
            feed = _padded([encoded[row] for row in rows])
            mask = feed["attention_mask"]
            taken = {name: feed[name] for name in self.inputs}
            yield Batch(rows, mask, self.session.run(None, taken)[0])

    @property
    def inputs(self) -> list[str]:
        """Names of the model's inputs."""
        return [given.name for given in self.session.get_inputs()]


def runs(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Where to part texts of these ascending lengths, in tokens: from and to, `BATCH` at most each.

    In a run each text is padded to the longest, and what the model takes grows with the tokens and
    the padding alike. These are the runs that take the least: a turn is not made as long as a page
    for being embedded beside it, nor are texts of nearly one length parted.
    """
    least, begins = [0], [0]
    for end, width in enumerate(lengths, start=1):
        cost, begin = min(
            (least[start] + _RUN + (end - start) * width, start)
            for start in range(max(0, end - BATCH), end)
        )
        least.append(cost)
        begins.append(begin)
    parts, end = [], len(lengths)
    while end:
        parts.append((begins[end], end))
        end = begins[end]
    return parts[::-1]


def _tokenizer(file: Path, max_tokens: int) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
"""What a model may ask for: what every BERT-like export does."""


def _padded(encoded: Sequence[Any]) -> dict[str, NDArray[np.int64]]:
    import numpy as np

    width = max(len(item.ids) for item in encoded)
    feed = {name: np.zeros((len(encoded), width), dtype=np.int64) for name in INPUTS}
    for row, item in enumerate(encoded):
        length = len(item.ids)
        feed["input_ids"][row, :length] = item.ids
        feed["token_type_ids"][row, :length] = item.type_ids
        feed["attention_mask"][row, :length] = 1
    return feed


def encodable(text: str) -> str:
    """`text` without lone surrogates, which a tokenizer cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")
