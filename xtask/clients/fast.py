"""Drives the server with fastmcp, in the era without `initialize`: fast.py PROGRAM ROOT.

ROOT is the tree of sdk.py. Each line of output is one thing that was seen to work.
"""

import asyncio
import logging
import sys
import warnings

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError

PROGRAM, ROOT = sys.argv[1:]


class Heard(logging.Handler):
    """What the client complains of."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


async def main():
    heard = Heard()
    logging.getLogger().addHandler(heard)
    logging.getLogger("fastmcp").addHandler(heard)
    transport = StdioTransport(PROGRAM, ["mcp", "--no-config", "--root", ROOT])
    async with Client(transport, timeout=60) as client:
        tools = await client.list_tools()
        assert [tool.name for tool in tools][0] == "list_dir", tools
        print("tools/list")
        result = await client.call_tool("list_dir", {"depth": 1, "limit": 3})
        page = result.structured_content
        assert page["returned"] == 3 and page["truncated"], page
        assert result.content[0].text.startswith("CUT after 3 entries"), result.content
        print("a call, as text and as structure that its schema holds for")
        try:
            await client.call_tool("list_dir", {"depth": "two"})
            raise AssertionError("it was not refused")
        except ToolError as error:
            assert "whole number from 1 to 4,096" in str(error), error
        print("an error that says what is right")
        calls = [client.call_tool("list_roots", {}) for _ in range(16)]
        for answer in await asyncio.gather(*calls):
            assert answer.structured_content["roots"][0]["available"], answer
        print("16 calls at once")
    assert not heard.lines, heard.lines
    print("no warning")


with warnings.catch_warnings():
    warnings.simplefilter("error", UserWarning)
    asyncio.run(main())
