"""Printers of JSON-like values in the notations that we read, as the programs that write logs print them."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    TEXT,
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=15
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=4)

_LUA_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


def as_lua(value: Any) -> str:
    """As `vim.inspect` does; an empty list is `{}`, an empty object `vim.empty_dict()`."""
    if isinstance(value, str):
        return _quoted_lua(value)
    if isinstance(value, list):
        return "{ " + ", ".join(map(as_lua, value)) + " }" if value else "{}"
    if isinstance(value, dict):
        pairs = (f"{_lua_key(key)} = {as_lua(item)}" for key, item in value.items())
        return "{\n" + ",\n".join(pairs) + "\n}" if value else "vim.empty_dict()"
    return (
        {None: "vim.NIL", True: "true", False: "false"}[value]
        if value is None or value is True or value is False
        else repr(value)
    )


def _quoted_lua(text: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(named.get(c, c if ord(c) >= 32 else f"\\{ord(c):03d}") for c in text) + '"'


def _lua_key(key: str) -> str:
    return key if _LUA_NAME.match(key) else f"[{_quoted_lua(key)}]"


def as_lisp(value: Any) -> str:
    """As Emacs prints an alist: vectors for lists, nil for null, false and the empty object."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + " ".join(map(as_lisp, value)) + "]"
    if isinstance(value, dict):
        return "(" + "\n ".join(_lisp_pair(key, item) for key, item in value.items()) + ")" if value else "nil"
    if value is None or isinstance(value, bool):
        return "t" if value else "nil"
    return repr(value)


def _lisp_pair(key: str, value: Any) -> str:
    symbol = re.sub(r"([^\w-]|^(?=[\d?-]))", r"\\\1", key) if key else "##"
    printed = as_lisp(value)
    if printed == "nil":
        return f"({symbol})"
    return f"({symbol} {printed[1:-1]})" if isinstance(value, dict) else f"({symbol} . {printed})"


def as_rust(value: Any) -> str:
    """As `{:?}` prints a `serde_json::Value`."""
    if isinstance(value, bool):
        return f"Bool({str(value).lower()})"
    if value is None:
        return "Null"
    if isinstance(value, str):
        return f"String({_quoted_rust(value)})"
    if isinstance(value, list):
        return f"Array [{', '.join(map(as_rust, value))}]"
    if isinstance(value, dict):
        return "Object {" + ", ".join(f"{_quoted_rust(key)}: {as_rust(item)}" for key, item in value.items()) + "}"
    return f"Number({value!r})"


def _quoted_rust(text: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0"}
    return '"' + "".join(named.get(c, c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text) + '"'


def as_node(value: Any) -> str:
    """As `util.inspect` does, with no limit of depth."""
    if isinstance(value, str):
        return _quoted_node(value)
    if isinstance(value, list):
        return "[ " + ", ".join(map(as_node, value)) + " ]" if value else "[]"
    if isinstance(value, dict):
        pairs = (
            f"{key if _LUA_NAME.match(key) else _quoted_node(key)}: {as_node(item)}" for key, item in value.items()
        )
        return "{\n  " + ",\n  ".join(pairs) + "\n}" if value else "{}"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)


def _quoted_node(text: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "'": "\\'", "\\": "\\\\"}
    return "'" + "".join(named.get(c, c if ord(c) >= 32 else f"\\x{ord(c):02X}") for c in text) + "'"
