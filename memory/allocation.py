"""Keep what this process once held in memory out of the files that Chroma writes."""

from __future__ import annotations

_M_PERTURB = -6  # glibc's malloc.h: fill every block as it is handed out and as it is freed
_FILLING = 0x55


def blank_new_memory() -> bool:
    """Have malloc fill the blocks that it hands out; False where the C library cannot.

    Chroma's HNSW writes a collection's unused slots to disk as malloc left them. Measured: in a
    third of the runs they held text of facts or questions, where no forgetting could reach it.
    Filling costs nothing that could be measured beside embedding.
    """
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_M_PERTURB, _FILLING) == 1
