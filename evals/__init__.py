"""Data sets, recorded replies, metrics, baselines and reports."""
