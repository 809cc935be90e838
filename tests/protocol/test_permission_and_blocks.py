"""Permission requests and lone content blocks are read as leniently as updates."""

from __future__ import annotations

import pytest

from acpinspect.protocol import read_content_blocks, read_permission

OPTION = {"optionId": "o1", "name": "Yes", "kind": "allow_once"}
V1 = {"sessionId": "s1", "toolCall": {"toolCallId": "t1", "title": "Dig"}, "options": [OPTION]}
V2 = {"sessionId": "s1", "title": "May I?", "options": [OPTION]}
TEXT = {"type": "text", "text": "oak"}


def test_a_v1_request_carries_its_tool_call() -> None:
    permission = read_permission(V1, "v1")
    assert (permission.tool_call, permission.issues, permission.rejected) == (V1["toolCall"], (), None)


def test_a_v2_request_carries_the_tool_call_of_its_subject() -> None:
    subject = {"type": "tool_call", "toolCall": {"toolCallId": "t1"}}
    assert read_permission({**V2, "subject": subject}, "v2").tool_call == {"toolCallId": "t1"}


@pytest.mark.parametrize(
    "subject",
    [
        {"type": "command", "command": "make", "cwd": "/w", "toolCallId": "t1"},
        {"type": "later", "toolCall": {"toolCallId": "t1"}},
        None,
    ],
)
def test_a_v2_request_about_something_else_carries_no_tool_call(subject: object) -> None:
    permission = read_permission({**V2, "subject": subject}, "v2")
    assert (permission.tool_call, permission.issues) == (None, ())


def test_a_malformed_optional_field_of_the_tool_call_is_left_out() -> None:
    permission = read_permission({**V1, "toolCall": {"toolCallId": "t1", "status": "dug"}}, "v1")
    assert (permission.tool_call, permission.rejected) == ({"toolCallId": "t1"}, None)
    assert [issue.path for issue in permission.issues] == ["toolCall.status"]


def test_the_tool_call_is_read_even_if_the_rest_of_the_request_is_malformed() -> None:
    permission = read_permission({"sessionId": "s1", "toolCall": {"toolCallId": "t1"}}, "v1")
    assert (permission.tool_call, permission.rejected) == ({"toolCallId": "t1"}, "options is missing")


def test_a_tool_call_without_an_id_is_none() -> None:
    permission = read_permission({**V1, "toolCall": {"title": "Dig"}}, "v1")
    assert (permission.tool_call, permission.rejected) == (None, "toolCall.toolCallId is missing")


def test_a_v2_request_needs_an_option() -> None:
    assert read_permission({**V2, "options": []}, "v2").rejected == "options is empty"


@pytest.mark.parametrize("params", [None, 3, [], "x"])
def test_params_that_are_no_object_are_rejected(params: object) -> None:
    permission = read_permission(params, "v1")
    assert (permission.tool_call, permission.fields) == (None, {})
    assert permission.rejected is not None


def test_one_block_that_stands_alone_is_taken_as_an_array() -> None:
    assert read_content_blocks(TEXT, "v1").blocks == [TEXT]


def test_what_holds_no_blocks_gives_none_and_says_why() -> None:
    blocks, issues = read_content_blocks("oak", "v1")
    assert (blocks, [str(issue) for issue in issues]) == ([], ["is no array"])


def test_a_resource_is_text_or_blob_whichever_fits() -> None:
    text = {"type": "resource", "resource": {"uri": "file:///a", "text": "a", "blob": 3}}
    blob = {"type": "resource", "resource": {"uri": "file:///a", "text": 3, "blob": "YQ=="}}
    neither = {"type": "resource", "resource": {"uri": "file:///a"}}
    blocks, issues = read_content_blocks([text, blob, neither], "v1")
    assert blocks == [text, blob]
    assert [str(issue) for issue in issues] == ["[2].resource is no text or blob resource"]


def test_a_resource_with_a_malformed_optional_field_is_kept_without_it() -> None:
    block = {"type": "resource", "resource": {"uri": "file:///a", "text": "a", "mimeType": 3}}
    assert read_content_blocks(block, "v1").blocks == [
        {"type": "resource", "resource": {"uri": "file:///a", "text": "a"}}
    ]
