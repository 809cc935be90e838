"""What the stories are told with: a recording that grows by one JSON-RPC message at a time."""

from __future__ import annotations

import base64
import random
from dataclasses import dataclass, field

Json = dict[str, object]

FOLDER = "/home/ada/skerry"
VARIANTS = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}
CLIENT = {"name": "bellbuoy", "title": "Bell Buoy", "version": "1.4.0"}
AGENT = {"name": "keeper", "title": "Keeper", "version": "0.9.2"}
ALLOW = {"optionId": "allow", "name": "Allow", "kind": "allow_once"}
REJECT = {"optionId": "reject", "name": "Reject", "kind": "reject_once"}


@dataclass
class Recording:
    """One connection as a recorder between client and agent would see it.

    `messages` holds (who sent it, the message). Each side numbers its own requests.
    """

    rng: random.Random
    session: str = ""
    messages: list[tuple[str, Json]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=lambda: {"client": 0, "agent": 0})

    def request(self, sender: str, method: str, params: Json) -> int:
        """A request of one side; returns its id."""
        number = self.numbers[sender]
        self.numbers[sender] += 1
        message: Json = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.messages.append((sender, message))
        return number

    def result(self, sender: str, number: int, result: Json) -> None:
        """The answer of `sender` to a request of the other side."""
        self.messages.append((sender, {"jsonrpc": "2.0", "id": number, "result": result}))

    def notify(self, sender: str, method: str, params: Json) -> None:
        """A message that wants no answer."""
        self.messages.append((sender, {"jsonrpc": "2.0", "method": method, "params": params}))

    def update(self, kind: str, /, **fields: object) -> None:
        """A `session/update` of the agent."""
        update: Json = {"sessionUpdate": kind, **fields}
        self.notify("agent", "session/update", {"sessionId": self.session, "update": update})

    def initialize(self, version: int = 1) -> None:
        """The handshake that fixes the protocol version."""
        if version == 1:
            asked: Json = {"clientInfo": CLIENT, "clientCapabilities": {"fs": {"readTextFile": True}}}
            told: Json = {"agentInfo": AGENT, "agentCapabilities": {"loadSession": True}, "authMethods": []}
        else:
            asked = {"info": CLIENT, "capabilities": {}}
            told = {"info": AGENT, "capabilities": {"session": {"prompt": {}}}, "authMethods": []}
        number = self.request("client", "initialize", {"protocolVersion": version, **asked})
        self.result("agent", number, {"protocolVersion": version, **told})

    def new_session(self, name: str) -> None:
        """Open a session; what follows belongs to it."""
        number = self.request("client", "session/new", {"cwd": FOLDER, "mcpServers": []})
        self.session = name
        self.result("agent", number, {"sessionId": name})

    def prompt(self, text: str) -> int:
        """What the user asks; returns the request's id."""
        params: Json = {"sessionId": self.session, "prompt": [block(text)]}
        return self.request("client", "session/prompt", params)

    def stop(self, number: int, reason: str = "end_turn") -> None:
        """The answer to a prompt of v1: the turn is over."""
        self.result("agent", number, {"stopReason": reason})

    def chunk(self, role: str, text: str, message_id: str | None = None, **fields: object) -> None:
        """One piece of a message."""
        with_id = {} if message_id is None else {"messageId": message_id}
        self.update(f"{VARIANTS[role]}_chunk", **with_id, content=block(text), **fields)

    def say(self, role: str, text: str, message_id: str | None = None, **fields: object) -> None:
        """A whole text, streamed in pieces as models do."""
        for piece in pieces(self.rng, text):
            self.chunk(role, piece, message_id, **fields)

    def whole(self, role: str, message_id: str, **fields: object) -> None:
        """A whole-message update of v2: what is given replaces, what is left out stays."""
        self.update(VARIANTS[role], messageId=message_id, **fields)

    def permission(self, tool: Json, version: int = 1) -> None:
        """The agent asks whether it may, and the user says yes."""
        params: Json = {"sessionId": self.session, "toolCall": tool, "options": [ALLOW, REJECT]}
        if version == 2:
            subject = {"type": "tool_call", "toolCall": tool}
            title = tool.get("title", "Go on?")
            params = {
                "sessionId": self.session,
                "title": title,
                "subject": subject,
                "options": [ALLOW, REJECT],
            }
        number = self.request("agent", "session/request_permission", params)
        self.result("client", number, {"outcome": {"outcome": "selected", "optionId": "allow"}})

    def tool(self, call: str, title: str, kind: str, output: str) -> None:
        """A whole tool call of v1, from its start to its output."""
        self.update("tool_call", toolCallId=call, title=title, kind=kind, status="pending")
        self.update("tool_call_update", toolCallId=call, status="completed", content=[content(output)])

    def identifier(self, prefix: str) -> str:
        """An id as agents make them."""
        return f"{prefix}_{self.rng.getrandbits(48):012x}"


def block(text: str) -> Json:
    """A text block."""
    return {"type": "text", "text": text}


def content(text: str) -> Json:
    """A text block as tool calls hold it."""
    return {"type": "content", "content": block(text)}


def encoded(data: bytes) -> str:
    """Terminal bytes as v2 sends them."""
    return base64.b64encode(data).decode("ascii")


def pieces(rng: random.Random, text: str) -> list[str]:
    """Cut a text where no reader would: a model streams tokens, not words."""
    cut = []
    while text:
        size = rng.randrange(4, 22)
        cut.append(text[:size])
        text = text[size:]
    return cut
