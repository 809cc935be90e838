"""The parameters of a policy: the values that each allows, and what each value means in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

__all__ = [
    "POLICY_VALUES",
    "RULES_VALUES",
    "STREAM_VALUES",
    "Blank",
    "BlankGroup",
    "Dedup",
    "Empty",
    "EmptyId",
    "Evidence",
    "Id",
    "KindConflict",
    "Late",
    "Newline",
    "NonText",
    "Null",
    "Prompt",
    "Scope",
    "Show",
    "Values",
]

Id = Literal["ignore", "compare", "key", "key_then_compare", "each"]
Null = Literal["wildcard", "distinct", "fresh", "open"]
Show = Literal["always", "never"]
Empty = Literal["keep", "drop", "absorb"]
Blank = Literal["keep", "drop", "drop_at_start"]
BlankGroup = Literal["keep", "drop"]
Newline = Literal["keep", "absorb_at_start"]
NonText = Literal["join", "own", "absorb", "drop"]
Prompt = Literal["none", "closed", "open", "open_null_only", "join"]
Late = Literal["accept", "drop", "route_by_id"]
Scope = Literal["type", "role"]
KindConflict = Literal["split", "reject"]
EmptyId = Literal["id", "absent"]
Dedup = Literal[
    "echo_block_optimistic", "echo_block_last", "echo_text_tail", "restated_block", "swallow_consolidated"
]
Evidence = Literal["executed", "partly executed", "source", "pull-request text", "specification", "own", "user"]

Values = Mapping[str, Mapping[str, str]]

STREAM_VALUES: Final[Values] = {
    "id": {
        "ignore": "ids are not looked at",
        "compare": "a chunk joins the open message if their ids go together",
        "key": "a chunk joins the message of its id, wherever that is",
        "key_then_compare": "a chunk joins the message of its id, else the open one if their ids go together",
        "each": "every chunk is a message of its own",
    },
    "null": {
        "wildcard": "a chunk without id goes with any open message, which takes the first id that it meets",
        "distinct": "no id is a value of its own",
        "fresh": "a chunk without id never continues anything",
        "open": "a chunk without id continues the open message; a chunk with a new id begins one",
    },
    "show": {"always": "they are shown", "never": "they are never shown"},
    "empty": {
        "keep": "empty chunks count like others",
        "drop": "empty chunks are dropped",
        "absorb": "empty chunks show nothing, but they cut the others",
    },
    "blank": {
        "keep": "blank chunks count like others",
        "drop": "blank chunks are dropped",
        "drop_at_start": "blank chunks are dropped where they would begin a message",
    },
    "newline": {
        "keep": "chunks of line breaks count like others",
        "absorb_at_start": "a chunk of line breaks begins a message, but shows nothing there",
    },
    "blank_group": {
        "keep": "a message without any text is shown",
        "drop": "a message whose text is blank is not shown",
    },
    "nontext": {
        "join": "images and the like join the message",
        "own": "images and the like stand alone and close the message",
        "absorb": "images and the like show nothing, but they cut the others",
        "drop": "images and the like are dropped",
    },
}

RULES_VALUES: Final[Values] = {
    "prompt": {
        "none": "the prompt that was sent is not shown",
        "closed": "the prompt that was sent is a message of its own",
        "open": "the prompt that was sent is shown, and user chunks join it",
        "open_null_only": "the prompt that was sent is shown, and user chunks join it unless they bring a new id",
        "join": "the prompt that was sent joins an open user message",
    },
    "dedup": {
        "echo_block_optimistic": "a user chunk that repeats a block of the prompt that was sent is swallowed",
        "echo_block_last": "a user chunk that repeats a block of the last user message is swallowed",
        "echo_text_tail": "a user chunk whose text is one of the up to five last user messages is swallowed",
        "restated_block": "an agent chunk that repeats the whole text so far under another id is dropped",
        "swallow_consolidated": "the first chunk with an id after text without one gives its id, not its text",
    },
    "late": {
        "accept": "chunks outside a turn count like others",
        "drop": "chunks outside a turn are dropped",
        "route_by_id": "chunks of an id of the finished turn go there; others outside a turn are dropped",
    },
    "id_scope": {
        "type": "an id is compared within its role",
        "role": "agent text and thought share the id that is compared",
    },
    "kind_conflict": {
        "split": "one id in two roles is two messages",
        "reject": "a chunk whose id belongs to another role is rejected",
    },
}

POLICY_VALUES: Final[Values] = {
    "empty_id": {"id": 'the id "" is an id', "absent": 'the id "" counts as none'},
    "evidence": {
        "executed": "the client's own code was run",
        "partly executed": "parts of the client's code were retyped, then run",
        "source": "read from the client's source",
        "pull-request text": "from the words of a pull request",
        "specification": "from the words of the protocol",
        "own": "acpinspect's own rule",
        "user": "made by a user",
    },
}
