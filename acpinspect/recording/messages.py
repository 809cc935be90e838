"""Messages that a program has as values: what an observer of the SDK is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acpinspect.recording.records import Sender

if TYPE_CHECKING:
    from acpinspect.recording.recorder import Recorder

__all__ = ["observer"]


def observer(recorder: Recorder, own: Sender, other: Sender) -> Callable[[Any], None]:
    """What records each event of a stream: a ``direction``, incoming or outgoing, and a ``message``.

    Args:
        recorder: Where to.
        own: The side that sends what goes out.
        other: The side that sends what comes in.
    """

    def observe(event: Any) -> None:  # noqa: ANN401 - the SDK's StreamEvent, of any version
        if recorder.closed:
            return
        outgoing = str(getattr(event.direction, "value", event.direction)) == "outgoing"
        # As the SDK writes it: all but ASCII escaped, so that lone surrogates have a form as well.
        line = json.dumps(event.message, separators=(",", ":"))
        recorder.write(own if outgoing else other, line.encode() + b"\n")

    return observe
