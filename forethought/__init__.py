"""Long-term memory that looks forward: it imagines when a fact will matter."""

__version__ = "0.1.0"
