"""A package, so that tests may share code as `tests.…`."""
