"""Records: everything that must be exact, behind one port (`port.py`) and its adapters."""
