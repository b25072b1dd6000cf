"""A local cross-encoder as the reranker: no network, no torch, the user's own ONNX file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from forethought.memory.errors import InvalidInput
from forethought.memory.onnx import INPUTS, Batch, Transformer, encodable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Result = TypeVar("Result")

EXPECTED = (
    "FORETHOUGHT_RERANKER is a folder with model.onnx and tokenizer.json of a cross-encoder, which "
    "takes input_ids (and attention_mask, token_type_ids) and gives one relevance a pair"
)


class CrossEncoder:
    """A cross-encoder exported to ONNX: a folder with `model.onnx` and `tokenizer.json`.

    For instance cross-encoder/ms-marco-MiniLM-L6-v2, the paper's. The model takes token ids and
    gives one relevance a pair (a logit), or two: irrelevant and relevant.
    """

    _MAX_TOKENS = 512  # of query and text together: what BERT's kin have positions for

    depth = 50  # the 35 facts that an answer is made from, and some that may displace them

    def __init__(self, folder: Path) -> None:
        """Check that the files are there; they are loaded at the first call, in a worker thread.

        Raises InvalidInput naming what is missing.
        """
        self._folder = folder
        self._loaded: Transformer | None = None
        self._loading = asyncio.Lock()
        missing = [name for name in ("model.onnx", "tokenizer.json") if not self._has(name)]
        if missing:
            raise self._unfit(f"there is no {' and no '.join(missing)} in it")

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """See `Reranker.scores`. Raises InvalidInput for a model that is no cross-encoder."""
        if not texts:
            return []
        async with self._loading:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(self._tried, self._load)
        work = partial(self._scores, self._loaded, query, texts)
        return await asyncio.to_thread(self._tried, work)

    def _tried(self, work: Callable[[], Result]) -> Result:
        """What `work` gives. Neither library's errors have a base narrower than Exception."""
        try:
            return work()
        except InvalidInput:
            raise
        except Exception as error:
            raise self._unfit(f"onnxruntime or tokenizers says {error}") from error

    def _has(self, name: str) -> bool:
        return (self._folder / name).is_file()

    def _load(self) -> Transformer:
        model, tokenizer = self._folder / "model.onnx", self._folder / "tokenizer.json"
        loaded = Transformer.load(model, tokenizer, max_tokens=self._MAX_TOKENS)
        if strange := set(loaded.inputs) - INPUTS:
            raise self._unfit(f"its model asks for {', '.join(sorted(strange))}")
        return loaded

    def _scores(self, loaded: Transformer, query: str, texts: Sequence[str]) -> list[float]:
        import numpy as np

        pairs = [(encodable(query), encodable(text)) for text in texts]
        relevance = np.zeros(len(pairs))
        for batch in loaded.batches(pairs):
            relevance[batch.rows] = self._relevance(batch)
        if not np.isfinite(relevance).all():
            raise self._unfit("its model's output is not finite")
        scores: list[float] = (1 / (1 + np.exp(-relevance.clip(-500, 500)))).tolist()
        return scores

    def _relevance(self, batch: Batch) -> NDArray[np.float32]:
        """One logit a pair, from an output of shape [pairs], [pairs, 1] or [pairs, 2]."""
        shape = batch.output.shape
        if shape not in {(len(batch.rows), *more) for more in ((), (1,), (2,))}:
            raise self._unfit(f"its model's first output has the shape {list(shape)}")
        logits = batch.output.reshape(len(batch.rows), -1)
        return logits[:, -1] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]

    def _unfit(self, found: str) -> InvalidInput:
        return InvalidInput(f"the reranker {self._folder} cannot be used: {found}; {EXPECTED}")
