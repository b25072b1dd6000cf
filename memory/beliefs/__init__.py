"""What the assistant believes and what it has summed up: opinions that evidence moves (CARA)."""
