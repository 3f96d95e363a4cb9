"""Drives the server with the Python SDK of the protocol: sdk.py PROGRAM ROOT.

ROOT has 250 files f000 to f249, and a directory `slow` whose ignore rules take long to match.
Each line of output is one thing that was seen to work.
"""

import sys
import time

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM, ROOT = sys.argv[1:]
SLOW = {"path": "slow", "mode": "files", "count": True, "deadline_ms": 4000}


async def ready(session):
    reply = await session.initialize()
    assert reply.server_info.name == "trilist", reply
    assert reply.protocol_version == "2025-11-25", reply
    tools = (await session.list_tools()).tools
    assert [tool.name for tool in tools][0] == "list_dir", tools
    assert all(tool.annotations.read_only_hint for tool in tools), tools
    print("initialize and tools/list")


async def call(session, **arguments):
    result = await session.call_tool("list_dir", arguments)
    assert not result.is_error, result
    return result.structured_content


async def pages(session):
    arguments, seen = {"limit": 60, "view": "paths", "kinds": ["file"], "depth": 1}, []
    while True:
        page = await call(session, **arguments)
        seen += page["paths"]
        if not page["truncated"]:
            break
        arguments = {"cursor": page["next_cursor"], "limit": 60, "view": "paths"}
    assert seen == [f"f{number:03}" for number in range(250)], seen
    print("paging to the end")


async def many(session):
    start = time.monotonic()
    for _ in range(1000):
        assert (await call(session, depth=1, limit=5))["returned"] == 5
    print(f"1,000 calls in {time.monotonic() - start:.1f} s")


async def parallel(session):
    done = []

    async def one(number):
        page = await call(session, offset=number + 1, limit=1, depth=1, kinds=["file"], view="paths")
        done.append((number, page["paths"]))

    async with anyio.create_task_group() as group:
        for number in range(32):
            group.start_soon(one, number)
    assert sorted(done) == [(number, [f"f{number:03}"]) for number in range(32)], done
    print("32 calls at once, each with its own answer")


async def progress(session):
    told = []

    async def note(progress, total, message):
        told.append((progress, message))

    await session.call_tool("list_dir", SLOW, progress_callback=note)
    assert told and told == sorted(told), told
    print("progress of a long call")


async def cancel(session):
    with anyio.move_on_after(0.3) as scope:
        await session.call_tool("list_dir", {**SLOW, "deadline_ms": 60000})
    assert scope.cancelled_caught
    start = time.monotonic()
    await call(session, depth=1)
    assert time.monotonic() - start < 1, "the next call waited"
    print("cancellation, and the next call is served")


async def errors(session):
    result = await session.call_tool("list_dir", {"path": "f00"})
    assert result.is_error and "Did you mean `f000`" in result.content[0].text, result
    print("an error that says what to try")


async def main():
    server = StdioServerParameters(command=PROGRAM, args=["mcp", "--no-config", "--root", ROOT])
    with anyio.fail_after(120):
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await ready(session)
            for step in (pages, errors, parallel, progress, cancel, many):
                await step(session)


anyio.run(main)
