"""Recall: find facts with no model call, by what they say and by when they matter."""
