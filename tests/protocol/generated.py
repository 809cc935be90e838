"""Makes updates from the published schemas, valid ones and broken ones, without looking at our tables."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.protocol.schemas import Form, definitions, schema_form, update_cases

Values = st.SearchStrategy[Any]

# What stands where something else should: each JSON type, and the values that are nearly right.
JUNK: Values = st.sampled_from(
    [None, True, False, 0, 1, -1, 2**70, 1.0, 1.5, -0.5, "", "x", "USD", "usd", "_own", "text", [], {}]
) | st.sampled_from(
    [
        [None],
        ["x", 1],
        [{}],
        [{"type": "text", "text": "a"}, {"type": "text"}],
        [{"type": "content", "content": {"type": "text", "text": "a"}}, 3],
        [{"value": "a", "name": "A"}, {"group": "g", "groupId": "g", "name": "G", "options": []}],
        {"type": "text", "text": "a"},
        {"type": "text", "text": None},
        {"type": "later", "text": 1},
        {"uri": "file:///a", "text": "a", "blob": 3},
        {"audience": ["user", "nobody"]},
    ]
)
TEXTS: Values = st.sampled_from(["", "a", "two words", "\ud83c", "é"]) | st.text(max_size=5)
ANYTHING: Values = st.sampled_from([None, 1, "a", [1], {"a": {"b": None}}])


@cache
def updates(version: str, *, broken: bool) -> Values:
    """Updates of one version; with `broken`, about one value in seven is junk, and keys are lost or added."""
    made = [_named(name, _values(form, broken)) for name, form in update_cases(version).items()]
    if broken:
        made.append(st.fixed_dictionaries({}, optional={"sessionUpdate": JUNK, "content": JUNK}))
        made.append(JUNK)
    return st.one_of(*made)


def _named(name: str, payloads: Values) -> Values:
    return payloads.map(lambda value: {"sessionUpdate": name, **value} if isinstance(value, dict) else value)


@cache
def permissions(version: str, *, broken: bool) -> Values:
    """Params of `session/request_permission`."""
    defs = definitions(version)
    return _values(schema_form(defs["RequestPermissionRequest"], defs), broken)


def _values(form: Form, broken: bool) -> Values:
    made = _MAKERS[form[0]](form, broken)
    return _seldom(JUNK, made) if broken else made


def _seldom(rare: Values, usual: Values, times: int = 6) -> Values:
    return st.integers(0, times).flatmap(lambda n: rare if n == times else usual)


def _text(form: Form, _: bool) -> Values:
    values, is_open, least, pattern = form[1:]
    if pattern is not None:
        return st.sampled_from(["USD", "EUR"])
    named = [st.sampled_from(values)] if values else []
    free = [TEXTS.filter(lambda text: len(text) >= least)] if is_open else []
    return st.one_of(*named, *free)


def _number(form: Form, _: bool) -> Values:
    low, high = form[1], form[2] if len(form) > 2 else None
    whole = st.integers(-5 if low is None else low, 10 if high is None else high)
    if form[0] == "integer":
        return whole | whole.map(float)
    return whole | st.floats(low, high, allow_nan=False, allow_infinity=low is None)


def _list(form: Form, broken: bool) -> Values:
    return st.lists(_values(form[1], broken), min_size=form[2], max_size=3)


def _members(members: dict[str, Any], broken: bool, **fixed: str) -> Values:
    required, optional = {}, {}
    for name, (is_required, is_nullable, _, _, form) in members.items():
        values = _values(form, broken)
        values = st.none() | values if is_nullable else values
        (required if is_required else optional)[name] = values
    constants = {name: st.just(value) for name, value in fixed.items()}
    made = st.fixed_dictionaries({**required, **constants}, optional=optional)
    return _seldom(made.flatmap(_spoil), made) if broken else made


def _spoil(value: dict[str, Any]) -> Values:
    """The same object with a key lost or added."""
    lost = [{k: v for k, v in value.items() if k != name} for name in value]
    added = [{**value, name: 1} for name in ("extra", "_meta", "annotations", "stopReason", "planId")]
    return st.sampled_from([*lost, *added])


def _record(form: Form, broken: bool) -> Values:
    return _members(form[1], broken)


def _tagged(form: Form, broken: bool) -> Values:
    _, tag, shared, cases, other = form
    made = [_case(tag, name, shared, members, broken) for name, members in cases.items()]
    if other is not None:
        made.append(_members({**shared, **other}, broken, **{tag: "_own"}))
    return st.one_of(*made)


def _case(tag: str, name: str, shared: dict[str, Any], members: dict[str, Any], broken: bool) -> Values:
    return _members({**shared, **members}, broken, **{tag: name})


_MAKERS: dict[str, Any] = {
    "any": lambda *_: ANYTHING,
    "object": lambda *_: st.sampled_from([{}, {"a": 1}, {"b": [None]}]),
    "flag": lambda *_: st.booleans(),
    "text": _text,
    "integer": _number,
    "number": _number,
    "list": _list,
    "record": _record,
    "tagged": _tagged,
    "one of": lambda form, broken: st.one_of(*(_values(option, broken) for option in form[1])),
}
