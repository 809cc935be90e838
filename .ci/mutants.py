"""Runs mutmut on decorated functions too, which it leaves out by itself: all rules and most columns are some.

A mutated function becomes several copies of it and one that chooses among them. Here only the one that chooses
keeps the decorators, so that a rule is registered once and a property stays one. Nothing is kept by `cache`: a
value from before a mutant was there would hide it.
"""

from __future__ import annotations

import functools
from typing import Any

import libcst as cst
from libcst import matchers
from mutmut.__main__ import cli
from mutmut.mutation import file_mutation

KEPT = (
    matchers.Name("cache")
    | matchers.Name("cached_property")
    | matchers.Name("property")
    | matchers.Call(matchers.Name("builtin"))
)
"""The decorators that may stand above the function that chooses."""

skips = file_mutation.MutationVisitor._skip_node_and_children
arranged = file_mutation.function_trampoline_arrangement


def has_kept_decorators(node: cst.CSTNode) -> bool:
    """Whether it is a function, with no other decorators than those."""
    return isinstance(node, cst.FunctionDef) and all(
        matchers.matches(one.decorator, KEPT) for one in node.decorators
    )


def skips_fewer(visitor: file_mutation.MutationVisitor, node: cst.CSTNode) -> bool:
    """Whether a node and all in it stay as they are."""
    return skips(visitor, node.with_changes(decorators=()) if has_kept_decorators(node) else node)


def arranged_with_decorators(function: cst.FunctionDef, mutants: Any, class_name: str | None) -> Any:
    """The copies of a function, and before them the one that chooses."""
    if not has_kept_decorators(function):
        return arranged(function, mutants, class_name)
    bare = function.with_changes(decorators=())
    dictionary, (chooser, *copies), filled, names = arranged(bare, mutants, class_name)
    decorated = chooser.with_changes(decorators=[*function.decorators, *chooser.decorators])
    return dictionary, [decorated, *copies], filled, names


if __name__ == "__main__":
    file_mutation.MutationVisitor._skip_node_and_children = skips_fewer  # type: ignore[method-assign]
    file_mutation.function_trampoline_arrangement = arranged_with_decorators
    functools.cache = lambda function: function  # type: ignore[assignment]
    cli()
