"""The one check of an argument that the reducers share."""

from __future__ import annotations

from acpinspect.errors import ArgumentError
from acpinspect.protocol import Version
from acpinspect.reducer.state import SessionState

__all__ = ["checked"]


def checked(state: SessionState, version: Version) -> SessionState:
    """The state itself.

    Raises:
        ArgumentError: It is of another protocol version.
    """
    if state.protocol != version:
        raise ArgumentError(f"the state is of protocol {state.protocol}, and this is the reducer of {version}")
    return state
