"""Drives agent programs with a scripted model: agents.py NAME AGENTS PROGRAM ROOT.

NAME is codex, claude, opencode or gemini; AGENTS is the folder with their npm packages. Prints what
was seen, and as the last line what the program hands its model as the tool's result.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from model import Model  # noqa: E402

NAME, AGENTS, PROGRAM, ROOT = sys.argv[1:]
HOME = Path(tempfile.mkdtemp(prefix="agent-home-"))
SERVE = ["mcp", "--root", ROOT]
STDIO = {"command": PROGRAM, "args": SERVE}


def run(words, **more):
    env = {"PATH": os.environ["PATH"], "HOME": str(HOME), "LANG": "C.UTF-8", **more}
    done = subprocess.run(words, env=env, cwd=HOME / "project", stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=150)
    return done.stdout + done.stderr


def binary(name):
    return str(Path(AGENTS, "node_modules/.bin", name))


def shown(model, said):
    assert model.tools, f"the model was not offered the tool; {said[-1500:]}"
    assert model.results, f"the model was handed no result; {said[-1500:]}"
    print(f"announced to the model as {model.tools[0]}")
    text = json.dumps(model.results[-1])
    has = {"text": "depth=1" in text and "CUT after 2 entries" in text, "structure": "snapshot_id" in text}
    assert any(has.values()), text
    print("hands its model the " + " and the ".join(part for part, there in has.items() if there))
    print(text[:400])


def codex():
    model = Model()
    (HOME / ".codex").mkdir()
    (HOME / ".codex/config.toml").write_text(f"""model = "m"
model_provider = "scripted"
approval_policy = "never"

[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"

[mcp_servers.trilist]
command = {json.dumps(PROGRAM)}
args = {json.dumps(SERVE)}
""")
    app_server()
    said = run([binary("codex"), "exec", "--skip-git-repo-check", "list it"])
    shown(model, said)


def app_server():
    """The app-server, which can call a tool without a model."""
    env = {**os.environ, "HOME": str(HOME)}
    server = subprocess.Popen([binary("codex"), "app-server"], env=env, text=True, cwd=HOME / "project",
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    number = 0

    def ask(method, params):
        nonlocal number
        number += 1
        server.stdin.write(json.dumps({"id": number, "method": method, "params": params}) + "\n")
        server.stdin.flush()
        for line in server.stdout:
            reply = json.loads(line)
            if reply.get("id") == number and "method" not in reply:
                assert "error" not in reply, reply
                return reply["result"]
        raise AssertionError("the app-server has ended")

    ask("initialize", {"clientInfo": {"name": "clients", "version": "1"}})
    server.stdin.write('{"method": "initialized"}\n')
    thread = ask("thread/start", {"cwd": str(HOME / "project")})["thread"]["id"]
    status = ask("mcpServerStatus/list", {"threadId": thread})["data"][0]
    assert status["runtimeStatus"] == "connected" and "list_dir" in status["tools"], status
    print("app-server: connected, with " + ", ".join(sorted(status["tools"])))
    call = {"threadId": thread, "server": "trilist", "tool": "list_dir", "arguments": {"depth": 1, "limit": 2}}
    result = ask("mcpServer/tool/call", call)
    assert result["structuredContent"]["returned"] == 2, result
    print("app-server: a call, with text and structure")
    server.kill()
    server.wait()


def claude():
    model = Model()
    config = HOME / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"trilist": {"type": "stdio", **STDIO}}}))
    more = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "x", "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false"}
    said = run([binary("claude"), "-p", "list it", "--mcp-config", str(config), "--strict-mcp-config",
                "--allowedTools", "mcp__trilist__list_dir"], **more)
    shown(model, said)


def opencode():
    model = Model()
    options = {"baseURL": f"{model.url}/v1", "apiKey": "x"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options,
                "models": {"m": {"name": "m"}}}
    config = {"model": "scripted/m", "provider": {"scripted": provider}, "autoupdate": False, "share": "disabled",
              "mcp": {"trilist": {"type": "local", "command": [PROGRAM, *SERVE], "enabled": True}}}
    (HOME / "project/opencode.json").write_text(json.dumps(config))
    said = run([binary("opencode"), "mcp", "list"])
    assert "trilist" in said and "connected" in said, said
    print("mcp list: connected")
    said = run([binary("opencode"), "run", "-m", "scripted/m", "list it"])
    shown(model, said)


def gemini():
    model = Model()
    (HOME / ".gemini").mkdir()
    settings = {"mcpServers": {"trilist": {**STDIO, "trust": True}},
                "security": {"auth": {"selectedType": "gemini-api-key"}},
                "privacy": {"usageStatisticsEnabled": False}}
    (HOME / ".gemini/settings.json").write_text(json.dumps(settings))
    more = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": model.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    node = [str(Path(AGENTS, "node_modules/.bin/gemini"))]
    said = run([*node, "mcp", "list"], **more)
    assert "trilist" in said and "Connected" in said, said
    print("mcp list: connected")
    said = run([*node, "-m", "gemini-2.5-flash", "-y", "-p", "list it"], **more)
    shown(model, said)


(HOME / "project").mkdir()
{"codex": codex, "claude": claude, "opencode": opencode, "gemini": gemini}[NAME]()
