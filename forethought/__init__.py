"""Long-term memory that looks forward: it imagines when a fact will matter.

The public names below are imported when they are first used, so importing this costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forethought.graphs.agent import build_agent
    from forethought.graphs.app import App, open_app
    from forethought.graphs.prospect import build_prospect
    from forethought.graphs.retain import build_retain
    from forethought.graphs.settings import Settings, load_settings
    from forethought.graphs.tools import memory_tools
    from forethought.memory.errors import ForethoughtError
    from forethought.memory.types import Fact, Hit
    from forethought.nodes.context import Context

__version__ = "0.1.0"

_HOMES = {
    "App": "forethought.graphs.app",
    "Context": "forethought.nodes.context",
    "Fact": "forethought.memory.types",
    "ForethoughtError": "forethought.memory.errors",
    "Hit": "forethought.memory.types",
    "Settings": "forethought.graphs.settings",
    "build_agent": "forethought.graphs.agent",
    "build_prospect": "forethought.graphs.prospect",
    "build_retain": "forethought.graphs.retain",
    "load_settings": "forethought.graphs.settings",
    "memory_tools": "forethought.graphs.tools",
    "open_app": "forethought.graphs.app",
}

__all__ = [
    "App",
    "Context",
    "Fact",
    "ForethoughtError",
    "Hit",
    "Settings",
    "build_agent",
    "build_prospect",
    "build_retain",
    "load_settings",
    "memory_tools",
    "open_app",
]


def __getattr__(name: str) -> Any:
    """Import a public name's module when the name is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
