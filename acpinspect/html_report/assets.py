"""The page's own parts, which stand beside this module: HTML, style sheets, scripts; and what may run in it."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from string import Template
from typing import Final

import acpinspect
from acpinspect.html_report.texts import escape

__all__ = ["SCRIPTS", "STYLES", "page_head", "page_style", "script", "style", "template"]

STYLES: Final = ("page.css", "explorer.css")
SCRIPTS: Final = (
    "inflate.js",
    "load.js",
    "make.js",
    "regroup.js",
    "model.js",
    "tree.js",
    "conversation.js",
    "change.js",
    "strip.js",
    "explorer.js",
)
"""The scripts in the order in which they stand in the page; they share one scope and nothing else."""


def _read(name: str) -> str:
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def style() -> str:
    """All style sheets, joined."""
    return "\n".join(_read(name) for name in STYLES)


def page_style() -> str:
    """The style sheet of a page without an explorer: colours, tables, findings."""
    return _read(STYLES[0])


def script() -> str:
    """All scripts, joined, in a scope of their own."""
    return '"use strict";\n(() => {\n' + "\n".join(_read(name) for name in SCRIPTS) + "\n})();\n"


def template() -> Template:
    """The page."""
    return Template(_read("page.html"))


def page_head(title: str, style: str, script: str | None) -> str:
    """All of a page before its body: it forbids the page to fetch anything, and to run anything but its script.

    Args:
        title: The title, as HTML.
        style: The text of the style element.
        script: The text of the script element; None for a page without one.
    """
    return Template(_read("head.html")).substitute(
        policy=escape(_content_security_policy(style, script)),
        generator=f"acpinspect {acpinspect.__version__}",
        title=title,
        style=style,
    )


def _content_security_policy(style: str, script: str | None) -> str:
    """Nothing may be fetched or sent, and nothing may run but this script.

    Args:
        style: The text of the style element.
        script: The text of the script element; None for a page without one.
    """
    return "; ".join(
        (
            "default-src 'none'",
            *([] if script is None else [f"script-src '{_hash(script)}'"]),
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
