"""Our table of methods says what the published schemas say, and results tell which request they answer."""

from __future__ import annotations

from typing import Any

import pytest

from acpinspect.protocol import (
    METHODS,
    VARIANTS,
    VERSIONS,
    Version,
    params_keys,
    result_keys,
    result_methods,
    sender_of,
    update_keys,
)
from tests.conftest import corpus_files, needs_corpus, needs_spec, read_case
from tests.protocol.schemas import definitions

ROWS = [(version, name) for name, method in METHODS.items() for version in method.versions]
SENDERS = {"agent": "client", "client": "agent", "both": "both", "protocol": "both"}


def schema_methods(version: str, *, stable: bool = False) -> dict[str, dict[str, dict[str, Any]]]:
    """The definitions of each method, by what they end in: Request, Response or Notification."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, definition in definitions(version, stable=stable).items():
        if "x-method" in definition:
            ending = next(e for e in ("Request", "Response", "Notification") if name.endswith(e))
            found.setdefault(definition["x-method"], {})[ending] = definition
    return found


def all_keys(node: dict[str, Any], version: str) -> set[str]:
    """The keys that an object can have, in any of its cases."""
    keys = set(node.get("properties", {}))
    for part in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        ref = part.get("$ref")
        keys |= all_keys(definitions(version)[ref.removeprefix("#/$defs/")] if ref else part, version)
    return keys


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_every_method_of_the_schema_has_its_row_and_no_other(version: Version) -> None:
    assert {name for v, name in ROWS if v == version} == set(schema_methods(version))


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_a_method_is_marked_stable_exactly_if_the_stable_schema_has_it(version: Version) -> None:
    stable = {name for v, name in ROWS if v == version and METHODS[name].calls[version].stable}
    assert stable == set(schema_methods(version, stable=True))


@needs_spec
@pytest.mark.parametrize(("version", "name"), ROWS)
def test_a_methods_sender_and_kind_are_those_of_the_schema(version: Version, name: str) -> None:
    parts = schema_methods(version)[name]
    side = next(iter(parts.values()))["x-side"]
    kinds = {"Request": "request", "Notification": "notification"}
    found = {kinds[ending] for ending in parts if ending in kinds}
    kind = found.pop() if len(found) == 1 else "both"
    assert (METHODS[name].sender, METHODS[name].kind) == (SENDERS[side], kind)


@needs_spec
@pytest.mark.parametrize(("version", "name"), ROWS)
def test_a_methods_params_are_those_of_the_schema(version: Version, name: str) -> None:
    parts = schema_methods(version)[name]
    params = parts.get("Request") or parts["Notification"]
    call = METHODS[name].calls[version]
    assert (call.params, call.required_params) == (all_keys(params, version), set(params.get("required", ())))


@needs_spec
@pytest.mark.parametrize(("version", "name"), [row for row in ROWS if METHODS[row[1]].kind != "notification"])
def test_a_methods_result_is_that_of_the_schema(version: Version, name: str) -> None:
    result = schema_methods(version)[name]["Response"]
    call = METHODS[name].calls[version]
    assert (call.result or set()) == all_keys(result, version)
    assert call.required_result == set(result.get("required", ()))


@pytest.mark.parametrize(("version", "name"), [row for row in ROWS if METHODS[row[1]].kind == "notification"])
def test_a_notification_has_no_result(version: Version, name: str) -> None:
    assert result_keys(name, version) is None


@pytest.mark.parametrize("version", VERSIONS)
def test_an_unknown_method_has_no_keys(version: Version) -> None:
    assert (params_keys("acme/dig", version), result_keys("acme/dig", version)) == (None, None)


def test_a_method_of_the_other_version_has_no_keys() -> None:
    assert params_keys("session/load", "v2") is None


def test_the_keys_of_an_update_are_those_of_all_its_cases() -> None:
    assert update_keys("state_update", "v2") == {"sessionUpdate", "state", "stopReason", "usage", "_meta"}


def test_an_unknown_update_has_its_discriminator_only() -> None:
    assert update_keys("state_update", "v1") == {"sessionUpdate"}


@pytest.mark.parametrize(("version", "name"), [(v, name) for v in VERSIONS for name in VARIANTS[v]])
def test_every_field_of_an_update_is_among_its_keys(version: Version, name: str) -> None:
    assert {field.name for field in VARIANTS[version][name].fields} < update_keys(name, version)


@pytest.mark.parametrize(
    ("method", "sender"),
    [
        ("session/prompt", "client"),
        ("fs/read_text_file", "agent"),
        ("session/set_model", "client"),
        ("mcp/message", None),
        ("$/cancel_request", None),
        ("_acme/tick", None),
        ("", None),
    ],
)
def test_the_sender_is_told_only_where_the_protocol_fixes_it(method: str, sender: str | None) -> None:
    assert sender_of(method) == sender


# --- results ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "methods"),
    [
        ({"stopReason": "end_turn", "usage": {}}, {"session/prompt"}),
        ({"stop_reason": "end_turn"}, {"session/prompt"}),
        ({"userMessageId": "u1"}, {"session/prompt"}),
        ({"messageId": "u1"}, {"session/prompt"}),
        ({"protocolVersion": 1}, {"initialize"}),
        ({"outcome": {"outcome": "cancelled"}}, {"session/request_permission"}),
        ({"content": "text of a file"}, {"fs/read_text_file"}),
        ({"terminalId": "e1"}, {"terminal/create"}),
        ({"output": "", "truncated": False}, {"terminal/output"}),
        ({"exitCode": 0, "signal": None}, {"terminal/wait_for_exit"}),
        ({"sessions": []}, {"session/list"}),
        ({"action": "accept", "content": {"a": 1}}, {"elicitation/create"}),
        ({"sessionId": "s1"}, {"session/new", "session/fork", "nes/start"}),
        ({"session_id": "s1"}, {"session/new", "session/fork", "nes/start"}),
        (
            {"sessionId": "s1", "modes": {}},
            {"session/new", "session/fork", "session/load", "session/resume"},
        ),
        ({"modes": None}, {"session/load", "session/resume"}),
        ({"configOptions": []}, {"session/load", "session/resume", "session/set_config_option"}),
        ({"content": [{"type": "text", "text": "of a tool"}]}, set()),
        ({"tools": []}, set()),
        ([], set()),
        ("done", set()),
        (True, set()),
    ],
)
def test_a_result_tells_which_requests_it_can_answer(result: object, methods: set[str]) -> None:
    assert result_methods(result) == methods


@pytest.mark.parametrize("result", [None, {}, {"_meta": {"took": 3}}])
def test_an_empty_result_answers_whatever_needs_no_key(result: object) -> None:
    methods = result_methods(result)
    assert {"session/close", "session/load", "terminal/release", "fs/write_text_file"} < methods
    assert not methods & {"initialize", "session/new", "session/update", "session/request_permission"}


def answered(log: list[dict[str, Any]]) -> list[tuple[str, object]]:
    """The results of a log whose request is unmistakable, with its method."""
    requests: dict[object, str] = {}
    clashing: set[object] = set()
    pairs = []
    for message in log:
        rpc_id = message.get("id")
        if "method" in message and rpc_id is not None:
            clashing |= {rpc_id} & requests.keys()
            requests[rpc_id] = message["method"]
        elif "result" in message and rpc_id in requests and rpc_id not in clashing:
            pairs.append((requests[rpc_id], message["result"]))
    return pairs


@needs_corpus
def test_the_results_of_the_corpus_name_their_method_among_others() -> None:
    paths = corpus_files("bugs/*.json") + corpus_files("rules/*.json")
    pairs = [pair for path in paths for pair in answered(read_case(path)["log"]) if pair[0] in METHODS]
    assert pairs
    assert [pair for pair in pairs if pair[0] not in result_methods(pair[1])] == []
