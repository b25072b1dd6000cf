from __future__ import annotations

import ctypes
import platform

import pytest

from forethought.memory.allocation import blank_new_memory

SIZE = 4096
SECRET = b"xylophone" * 400


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's malloc can fill")
def test_new_memory_does_not_hold_what_was_in_freed_memory() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes, libc.free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
    assert blank_new_memory()
    blocks = [libc.malloc(SIZE) for _ in range(20)]
    for block in blocks:
        ctypes.memmove(block, SECRET, len(SECRET))
        libc.free(block)
    again = [libc.malloc(SIZE) for _ in range(20)]
    held = [ctypes.string_at(block, SIZE) for block in again]
    for block in again:
        libc.free(block)
    assert not any(b"xylophone" in content for content in held)
