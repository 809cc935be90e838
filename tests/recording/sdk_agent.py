"""An agent that is made with the SDK, and says the same in each run."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import acp
from acp import schema


class Echo(acp.Agent):
    """Thinks, uses a tool, and says what it was told."""

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> schema.InitializeResponse:
        return schema.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd: str, **_: Any) -> schema.NewSessionResponse:
        print(f"a session in {cwd}", file=sys.stderr, flush=True)
        return schema.NewSessionResponse(session_id="s1")

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> schema.PromptResponse:
        await self.client.session_update(session_id, acp.update_agent_thought_text("Hm, ñandú? "))
        await self.client.session_update(
            session_id, acp.start_tool_call("t1", "Look", kind="read", status="pending")
        )
        for block in prompt:
            for word in block.text.split(" "):
                await self.client.session_update(session_id, acp.update_agent_message_text(word + " "))
        return schema.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Echo()))
