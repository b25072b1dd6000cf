"""Reading conversations from the files people have: one entry, one small file per format."""

from forethought.memory.formats.files import read, read_text
from forethought.memory.formats.parsed import Parsed, Problem

__all__ = ["Parsed", "Problem", "read", "read_text"]
