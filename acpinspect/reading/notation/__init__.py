"""Readers of values written in another notation than JSON: Lua, Lisp, Python, Rust, Node, Kotlin, cut JSON.

Each is a pure function of a text and a position; none knows of files, records or the protocol, and none
evaluates anything.
"""
