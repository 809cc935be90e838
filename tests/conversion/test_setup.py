from __future__ import annotations

from typing import Any

import pytest

from acpinspect.protocol import Version
from tests.conftest import needs_spec
from tests.conversion.logs import convert_frames, converted, frames_of, losses_of
from tests.conversion.validity import problems
from tests.wire import request, result

Json = dict[str, Any]
INFO = {"name": "acme", "version": "1"}
V1_PROMPT = "agentCapabilities.promptCapabilities"
MCP = {"stdio": {}, "http": {}}


def exchange(asked: Json, answered: Json, version: int) -> list[Json]:
    return [
        request(0, "initialize", protocolVersion=version, **asked),
        result(0, protocolVersion=version, **answered),
    ]


V1 = exchange(
    {"clientCapabilities": {"auth": {"terminal": True}, "elicitation": {"form": {}}}, "clientInfo": INFO},
    {
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {"image": True, "audio": False, "_meta": {"a": 1}},
            "mcpCapabilities": {"http": True, "sse": False},
            "sessionCapabilities": {"list": {}, "fork": {}, "resume": {}, "close": {}, "_acme": {}},
            "auth": {"logout": {}},
            "positionEncoding": "utf-16",
        },
        "agentInfo": INFO,
        "authMethods": [
            {"id": "key", "name": "Key"},
            {"id": "t", "name": "T", "type": "terminal", "env": {"A": "1"}},
        ],
    },
    1,
)
V2 = exchange(
    {"capabilities": {"elicitation": {"form": {}}, "auth": {"terminal": {}}}, "info": INFO},
    {
        "capabilities": {
            "session": {"fork": {}, "_acme": {}, "prompt": {"_meta": {"a": 1}, "image": {}}, "mcp": MCP},
            "positionEncoding": "utf-16",
        },
        "info": INFO,
        "authMethods": [
            {"type": "agent", "methodId": "key", "name": "Key"},
            {"type": "terminal", "methodId": "t", "name": "T", "env": [{"name": "A", "value": "1"}]},
        ],
    },
    2,
)


def test_v1_says_the_same_in_v2() -> None:
    assert convert_frames(V1, "v2") == V2


def test_v2_says_the_same_in_v1() -> None:
    # What v1 has no need to deny stays unsaid.
    asked, answered = convert_frames(V2, "v1")
    assert asked == V1[0]
    expected = V1[1]["result"]["agentCapabilities"]
    made = answered["result"]["agentCapabilities"]
    assert made == expected | {
        "promptCapabilities": {"image": True, "_meta": {"a": 1}},
        "mcpCapabilities": {"http": True},
    }
    assert answered["result"]["authMethods"] == V1[1]["result"]["authMethods"]


def test_who_does_not_say_its_name_is_unknown_in_v2() -> None:
    asked, answered = convert_frames(exchange({}, {}, 1), "v2")
    assert asked["params"]["info"] == answered["result"]["info"] == {"name": "unknown", "version": "unknown"}


def test_an_agent_without_sessions_has_none_in_v1() -> None:
    capabilities = convert_frames(exchange({"info": INFO}, {"info": INFO}, 2), "v1")[1]["result"][
        "agentCapabilities"
    ]
    assert capabilities == {}


@pytest.mark.parametrize(
    ("capabilities", "lost"),
    [
        ({"fs": {"readTextFile": True}}, ["clientCapabilities.fs"]),
        ({"terminal": True}, ["clientCapabilities.terminal"]),
        ({"plan": {}}, ["clientCapabilities.plan"]),
        ({"session": {"compaction": {}}}, ["clientCapabilities.session"]),
        ({"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}, []),
        ({"fs": {}, "session": None}, ["clientCapabilities.fs"]),
    ],
)
def test_a_capability_that_v2_does_not_have_is_lost_where_it_is_announced(
    capabilities: Json, lost: list[str]
) -> None:
    frames = exchange({"clientCapabilities": capabilities}, {}, 1)
    assert losses_of(frames, "v2") == [("initialize", field) for field in lost]


def test_servers_over_sse_are_lost_where_they_are_announced() -> None:
    frames = exchange({}, {"agentCapabilities": {"mcpCapabilities": {"sse": True}}}, 1)
    assert losses_of(frames, "v2") == [("initialize", "agentCapabilities.mcpCapabilities.sse")]


def test_a_way_to_log_in_of_a_foreign_type_is_lost_in_v1() -> None:
    method = {"type": "_acme", "methodId": "m", "name": "M"}
    frames = exchange({"info": INFO}, {"info": INFO, "authMethods": [method]}, 2)
    assert losses_of(frames, "v1") == [("initialize", "authMethods[0]")]


@pytest.mark.parametrize(
    ("told", "to", "lost"),
    [
        ({"agentCapabilities": 3}, "v2", ["agentCapabilities"]),
        ({"agentCapabilities": {"promptCapabilities": {"image": "yes"}}}, "v2", [f"{V1_PROMPT}.image"]),
        ({"agentCapabilities": {"promptCapabilities": []}}, "v2", [V1_PROMPT]),
        ({"authMethods": {}}, "v2", ["authMethods"]),
        ({"authMethods": [3]}, "v2", ["authMethods[0]"]),
        ({"info": INFO, "capabilities": {"session": {"mcp": 3}}}, "v1", ["capabilities.session.mcp"]),
    ],
)
def test_what_is_malformed_is_lost(told: Json, to: Version, lost: list[str]) -> None:
    frames = exchange({"info": INFO}, told, 1 if to == "v2" else 2)
    assert losses_of(frames, to) == [("initialize", field) for field in lost]


def test_a_side_that_writes_both_forms_is_taken_at_the_one_of_the_version() -> None:
    frames = exchange({"clientInfo": INFO, "info": INFO | {"name": "other"}}, {}, 1)
    made = converted(frames, "v2", on_loss="report")
    assert made.losses["field"].tolist() == ["clientInfo"]
    assert frames_of(made)[0]["params"]["info"]["name"] == "other"


@needs_spec
def test_both_exchanges_are_valid() -> None:
    assert problems(converted(V1, "v2").events, "v2") == []
    assert problems(converted(V2, "v1").events, "v1") == []


# --- sessions ---------------------------------------------------------------------------------------------------


def test_a_load_becomes_a_resume_with_replay_and_back() -> None:
    load = request(1, "session/load", sessionId="s1", cwd="/", mcpServers=[])
    (there,) = convert_frames([load], "v2")
    assert (there["method"], there["params"]["replayFrom"]) == ("session/resume", {"type": "start"})
    assert convert_frames([there], "v1") == [load]


def test_a_resume_without_replay_stays_one() -> None:
    resume = request(1, "session/resume", sessionId="s1", cwd="/", mcpServers=[])
    assert convert_frames([resume], "v2") == convert_frames([resume], "v1") == [resume]


def test_a_replay_from_null_is_none() -> None:
    resume = request(1, "session/resume", sessionId="s1", cwd="/", replayFrom=None)
    (made,) = convert_frames([resume], "v1")
    assert (made["method"], "replayFrom" in made["params"]) == ("session/resume", False)


def test_v1_wants_a_list_of_servers() -> None:
    (made,) = convert_frames([request(1, "session/new", cwd="/")], "v1")
    assert made["params"]["mcpServers"] == []


def test_servers_say_their_type_in_v2_and_are_complete_in_v1() -> None:
    servers = [
        {"name": "a", "command": "/a", "args": [], "env": []},
        {"type": "http", "name": "b", "url": "http://b", "headers": []},
    ]
    new = request(1, "session/new", cwd="/", mcpServers=servers)
    there = convert_frames([new], "v2")
    assert [server["type"] for server in there[0]["params"]["mcpServers"]] == ["stdio", "http"]
    bare = [{"type": "stdio", "name": "a", "command": "/a"}, {"type": "http", "name": "b", "url": "http://b"}]
    (back,) = convert_frames([request(1, "session/new", cwd="/", mcpServers=bare)], "v1")
    assert back["params"]["mcpServers"] == servers


def test_ways_to_log_in_and_out_have_other_names() -> None:
    frames = [request(1, "authenticate", methodId="key"), result(1), request(2, "logout"), result(2)]
    there = convert_frames(frames, "v2")
    assert [f.get("method") for f in there] == ["auth/login", None, "auth/logout", None]
    assert convert_frames(there, "v1") == frames


def test_an_option_that_is_set_says_its_type_in_v2() -> None:
    def frames(**value: object) -> list[Json]:
        asked = request(1, "session/set_config_option", sessionId="s1", configId="c", **value)
        return [asked, result(1, configOptions=[])]

    there = convert_frames(frames(value="a"), "v2")
    assert there[0]["params"]["type"] == "id"
    assert convert_frames(there, "v1") == frames(value="a")
    assert convert_frames(frames(type="boolean", value=True), "v2") == frames(type="boolean", value=True)


def test_a_result_that_is_null_is_an_empty_one() -> None:
    load = request(1, "session/load", sessionId="s1", cwd="/", mcpServers=[])
    frames = [load, {"jsonrpc": "2.0", "id": 1, "result": None}]
    assert convert_frames(frames, "v2")[1]["result"] == {}


def test_extensions_and_unknown_methods_stay_as_they_are() -> None:
    frames = [
        request(1, "_acme/ask", a=1),
        {"jsonrpc": "2.0", "id": 1, "result": None},
        request(2, "session/set_model", sessionId="s1", modelId="m"),
        {"jsonrpc": "2.0", "method": "$/progress", "params": [1]},
    ]
    assert convert_frames(frames, "v2") == convert_frames(frames, "v1") == frames


def test_suggestions_have_their_ids_under_other_names() -> None:
    frames = [
        request(1, "nes/suggest", sessionId="s1"),
        result(1, suggestions=[{"id": "x", "kind": "jump"}]),
        {"jsonrpc": "2.0", "method": "nes/accept", "params": {"sessionId": "s1", "id": "x"}},
    ]
    needed = {"uri": "file:///a", "version": 1, "position": {"line": 0, "character": 0}, "triggerKind": "manual"}
    frames[0]["params"] |= needed
    there = convert_frames(frames, "v2")
    assert there[1]["result"]["suggestions"][0] == {"suggestionId": "x", "kind": "jump"}
    assert there[2]["params"]["suggestionId"] == "x"
    assert convert_frames(there, "v1") == frames
