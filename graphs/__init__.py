"""Wiring: the state machines, the composition root, settings and the command line."""
