# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v2: the terminals of the agent."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    REJECTED,
    SAME,
    SCHEMA,
    Case,
    b64,
    case,
    state,
    terminal,
    up,
)

TERMINAL = f"{SCHEMA['v2']}: TerminalUpdate"
OUTPUT = f"{SCHEMA['v2']}: TerminalOutputChunk"


def X(*terminals: JSON, **more: Any) -> JSON:  # noqa: N802 - a state of terminals
    return state("v2", terminals=list(terminals), **more)


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v2/{name}", "v2", tests, source, *steps)


def term(terminal_id: str = "x", **fields: Any) -> JSON:
    return up("terminal_update", terminalId=terminal_id, **fields)


def out(data: bytes, terminal_id: str = "x") -> JSON:
    return up("terminal_output_chunk", terminalId=terminal_id, data=b64(data))


def snapshot(data: bytes) -> JSON:
    return {"data": b64(data)}


# key, attribute, a value, another value; null clears to None
_TERMINAL_FIELDS: list[tuple[str, str, Any, Any]] = [
    ("command", "command", "ls", "ls -l"),
    ("cwd", "cwd", "/a", "/b"),
    ("exitStatus", "exit_status", {"exitCode": 0}, {"signal": "SIGTERM"}),
    ("meta", "meta", {"x": 1}, {"y": 2}),
]

TERMINALS = [
    *(
        c(
            f"terminals/{attribute}-patch",
            f"{key} of a terminal is a patch field: a value replaces, omitted leaves, null clears it.",
            TERMINAL,
            (term(**{key: one}), X(terminal(**{attribute: one}))),
            (term(), X(terminal(**{attribute: one}))),
            (term(**{key: other}), X(terminal(**{attribute: other}))),
            (term(**{key: None}), X(terminal())),
        )
        for key, attribute, one, other in _TERMINAL_FIELDS
    ),
    c(
        "terminals/output-patch",
        "Output in an update is a snapshot of all bytes: it replaces, omitted leaves, null makes them unknown.",
        f"{SCHEMA['v2']}: TerminalOutput",
        (term(output=snapshot(b"one")), X(terminal(output=b"one"))),
        (term(), SAME),
        (term(output=snapshot(b"two")), X(terminal(output=b"two"))),
        (term(output=None), X(terminal())),
        (term(output=snapshot(b"")), X(terminal(output=b""))),
    ),
    c(
        "terminals/first-sight",
        "Of a new terminal, what is omitted or null is unknown.",
        TERMINAL,
        (term(), X(terminal())),
        (term("y", command=None, cwd=None, output=None, exitStatus=None), X(terminal(), terminal("y"))),
    ),
    c(
        "terminals/chunk-makes-the-terminal",
        "An output chunk of an unknown id makes the terminal.",
        OUTPUT,
        (out(b"a"), X(terminal(output=b"a"))),
        (term(command="ls"), X(terminal(output=b"a", command="ls"))),
    ),
    c(
        "terminals/chunks-append-bytes",
        "Each chunk is decoded by itself, and its bytes are appended: the paddings don't matter.",
        OUTPUT,
        (out(b"a"), X(terminal(output=b"a"))),
        (out(b"bc"), X(terminal(output=b"abc"))),
        (out(b"def"), X(terminal(output=b"abcdef"))),
        (out(b""), SAME),
    ),
    c(
        "terminals/code-point-split-over-chunks",
        "A code point can be cut anywhere: bytes are appended, not decoded text.",
        OUTPUT,
        (out(b"\xf0\x9f"), X(terminal(output=b"\xf0\x9f"))),
        (out(b"\x8c"), X(terminal(output=b"\xf0\x9f\x8c"))),
        (out(b"\xbb!"), X(terminal(output="\U0001f33b!".encode()))),
    ),
    c(
        "terminals/escape-sequence-split-over-chunks",
        "An escape sequence can be cut anywhere as well.",
        OUTPUT,
        (out(b"\x1b"), X(terminal(output=b"\x1b"))),
        (out(b"[31"), X(terminal(output=b"\x1b[31"))),
        (out(b"mred"), X(terminal(output=b"\x1b[31mred"))),
    ),
    c(
        "terminals/bytes-that-are-no-text",
        "Output is bytes of any kind.",
        OUTPUT,
        (out(b"\xff\x00\xfe"), X(terminal(output=b"\xff\x00\xfe"))),
    ),
    c(
        "terminals/snapshot-replaces-chunks",
        "A snapshot replaces what chunks appended, and later chunks append to the snapshot.",
        TERMINAL,
        (out(b"ab"), X(terminal(output=b"ab"))),
        (term(output=snapshot(b"AB")), X(terminal(output=b"AB"))),
        (out(b"c"), X(terminal(output=b"ABc"))),
    ),
    c(
        "terminals/chunk-after-null",
        "After null nothing is known of the output; a chunk begins it anew.",
        TERMINAL,
        (out(b"ab"), X(terminal(output=b"ab"))),
        (term(output=None), X(terminal())),
        (out(b"c"), X(terminal(output=b"c"))),
    ),
    c(
        "terminals/empty-chunk-on-first-sight",
        "An empty chunk says that there is output and that it is empty so far.",
        OUTPUT,
        (out(b""), X(terminal(output=b""))),
    ),
    c(
        "terminals/exit-status-of-an-empty-object",
        "An exit status marks the terminal as ended, even when it says nothing else.",
        f"{SCHEMA['v2']}: TerminalExitStatus",
        (term(exitStatus={}), X(terminal(exit_status={}))),
        (
            term(exitStatus={"exitCode": None, "signal": None}),
            X(terminal(exit_status={"exitCode": None, "signal": None})),
        ),
    ),
    c(
        "terminals/output-after-the-end",
        "Output may still arrive after the exit status; it is appended.",
        OUTPUT,
        (term(exitStatus={"exitCode": 0}), X(terminal(exit_status={"exitCode": 0}))),
        (out(b"late"), X(terminal(exit_status={"exitCode": 0}, output=b"late"))),
    ),
    c(
        "terminals/interleaved",
        "Chunks of one terminal do not touch another.",
        OUTPUT,
        (out(b"a", "x"), X(terminal("x", b"a"))),
        (out(b"1", "y"), X(terminal("x", b"a"), terminal("y", b"1"))),
        (out(b"b", "x"), X(terminal("x", b"ab"), terminal("y", b"1"))),
    ),
    c(
        "terminals/chunk-meta-is-the-chunk-s",
        "The metadata of an output chunk or of a snapshot is not that of the terminal.",
        f"{OUTPUT}._meta",
        (out(b"a") | {"_meta": {"n": 1}}, X(terminal(output=b"a"))),
        (term(output=snapshot(b"b") | {"_meta": {"n": 2}}), X(terminal(output=b"b"))),
    ),
    *(
        c(
            f"terminals/chunk-that-is-no-base64-{name}",
            "Data that is no base64 can't be appended: the chunk has no effect, and makes no terminal.",
            OUTPUT,
            (up("terminal_output_chunk", terminalId="y", data=data), SAME, REJECTED),
            (out(b"a"), X(terminal(output=b"a"))),
            (up("terminal_output_chunk", terminalId="x", data=data), SAME, REJECTED),
        )
        for name, data in [("symbols", "%%%%"), ("cut", "QUJ"), ("space", "QU I="), ("url-alphabet", "_-__")]
    ),
    c(
        "terminals/snapshot-that-is-no-base64",
        "A snapshot that can't be decoded leaves the bytes as they were; the rest of the update holds.",
        f"{SCHEMA['v2']}: TerminalOutput",
        (out(b"a"), X(terminal(output=b"a"))),
        (
            term(output={"data": "%%%%"}, exitStatus={"exitCode": 1}),
            X(terminal(output=b"a", exit_status={"exitCode": 1})),
        ),
    ),
    *(
        c(
            f"terminals/malformed-{key}",
            f"A malformed {key} counts as omitted: the stored value stays, and the rest of the update holds.",
            f"{TERMINAL}.{key}, default on error",
            (
                term(command="ls", cwd="/a", output=snapshot(b"a"), exitStatus={"exitCode": 0}),
                X(terminal(output=b"a", command="ls", cwd="/a", exit_status={"exitCode": 0})),
            ),
            (
                term(**{key: value}, meta={"x": 1}),
                X(terminal(output=b"a", command="ls", cwd="/a", exit_status={"exitCode": 0}, meta={"x": 1})),
            ),
        )
        for key, value in [("command", 7), ("cwd", False), ("output", "text"), ("exitStatus", 0)]
    ),
    *(
        c(
            f"terminals/{name}",
            "Id and data are required strings: without them the update has no effect.",
            OUTPUT,
            (out(b"a"), X(terminal(output=b"a"))),
            (update, SAME, REJECTED),
        )
        for name, update in [
            ("update-without-an-id", up("terminal_update", command="ls")),
            ("update-with-a-null-id", up("terminal_update", terminalId=None, command="ls")),
            ("chunk-without-an-id", up("terminal_output_chunk", data=b64(b"b"))),
            ("chunk-without-data", up("terminal_output_chunk", terminalId="x")),
            ("chunk-with-null-data", up("terminal_output_chunk", terminalId="x", data=None)),
            ("chunk-with-bytes-as-numbers", up("terminal_output_chunk", terminalId="x", data=[98])),
        ]
    ),
]


CASES: list[Case] = TERMINALS
