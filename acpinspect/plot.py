"""Pictures of logs: each function takes a table, draws on Matplotlib Axes, and returns the Axes.

The table is one of events, a comparison, or one of a corpus. Matplotlib is needed, which comes with
``pip install acpinspect[notebook]``.
"""

from __future__ import annotations

from acpinspect.plotting.agents import agents
from acpinspect.plotting.boundaries import boundaries
from acpinspect.plotting.chunks import chunks
from acpinspect.plotting.clients import clients
from acpinspect.plotting.ids import ids
from acpinspect.plotting.sessions import sessions
from acpinspect.plotting.tools import tools
from acpinspect.plotting.usage import usage

__all__ = ["agents", "boundaries", "chunks", "clients", "ids", "sessions", "tools", "usage"]
