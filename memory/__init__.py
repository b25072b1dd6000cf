"""What is remembered: stores, recall and ranking. Knows no LangGraph and calls no chat model."""
