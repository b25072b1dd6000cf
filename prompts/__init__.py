"""One file per prompt: the pydantic model of its answer and a typed function that renders it."""
