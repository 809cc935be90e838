"""Pictures of a log: each function takes events or a comparison, and Matplotlib Axes, draws, and returns the Axes.

They need Matplotlib, which comes with ``pip install acpinspect[notebook]``.
"""

from __future__ import annotations

from acpinspect.plotting.boundaries import boundaries
from acpinspect.plotting.chunks import chunks
from acpinspect.plotting.clients import clients
from acpinspect.plotting.sessions import sessions
from acpinspect.plotting.tools import tools
from acpinspect.plotting.usage import usage

__all__ = ["boundaries", "chunks", "clients", "sessions", "tools", "usage"]
