"""A bank as a file and back: docs/EXPORT.md describes the format."""
