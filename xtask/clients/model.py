"""A model that follows a script, on loopback: it calls `list_dir` once and then says `done`.

It speaks the four ways in which agent programs talk to a model, and keeps what the program hands
back as the tool's result.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ARGUMENTS = {"depth": 1, "limit": 2}


class Model(ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.tools, self.results, self.called = [], [], False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def tool(self, names):
        """The program's own name for our tool; seen once it is announced."""
        mine = [name for name in names if name.endswith("list_dir")]
        if mine:
            self.tools = mine
        return mine[0] if mine else None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply({"data": [], "models": []})

    def do_HEAD(self):
        self.reply({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            asked = json.loads(body or b"{}")
        except ValueError:
            return self.reply({})
        path = self.path.split("?")[0]
        if path.endswith("/responses"):
            self.as_codex(asked)
        elif path.endswith("/chat/completions"):
            self.as_opencode(asked)
        elif path.endswith("/messages"):
            self.as_claude(asked)
        elif "generateContent" in path.lower() or "GenerateContent" in path:
            self.as_gemini(asked, path)
        elif path.endswith("count_tokens") or path.endswith(":countTokens"):
            self.reply({"input_tokens": 1, "totalTokens": 1})
        else:
            self.reply({})

    # OpenAI's Responses API, which Codex speaks.
    def as_codex(self, asked):
        outputs = [i for i in asked.get("input", []) if str(i.get("type", "")).endswith("_call_output")]
        names = {}
        for tool in asked.get("tools", []):
            if tool.get("type") == "namespace":
                for inner in tool.get("tools", []):
                    names[inner["name"]] = tool["name"]
            elif "name" in tool:
                names[tool["name"]] = None
        self.server.results += [o.get("output") for o in outputs]
        name = self.server.tool(names)
        if name and not outputs and not self.server.called:
            self.server.called = True
            item = {"type": "function_call", "id": "fc1", "call_id": "c1", "name": name,
                    "arguments": json.dumps(ARGUMENTS), "status": "completed"}
            if names[name]:
                item["namespace"] = names[name]
        else:
            item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": "done", "annotations": []}]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        done = {"id": "r1", "object": "response", "status": "completed", "output": [item], "usage": usage}
        self.events([
            ("response.created", {"type": "response.created", "response": {**done, "status": "in_progress", "output": []}}),
            ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
            ("response.completed", {"type": "response.completed", "response": done}),
        ])

    # OpenAI's Chat Completions, which OpenCode speaks to a provider of one's own.
    def as_opencode(self, asked):
        results = [m["content"] for m in asked.get("messages", []) if m.get("role") == "tool"]
        self.server.results += results
        name = self.server.tool([t["function"]["name"] for t in asked.get("tools") or []])
        if name and not results:
            call = {"index": 0, "id": "c1", "type": "function",
                    "function": {"name": name, "arguments": json.dumps(ARGUMENTS)}}
            delta, why = {"role": "assistant", "tool_calls": [call]}, "tool_calls"
        else:
            delta, why = {"role": "assistant", "content": "done"}, "stop"
        chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        if not asked.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": "done"}, "finish_reason": "stop"}
            return self.reply({**chunk, "object": "chat.completion", "choices": [choice]})
        self.events([
            (None, {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
            (None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": why}],
                    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}),
            (None, "[DONE]"),
        ])

    # Anthropic's Messages API, which Claude Code speaks.
    def as_claude(self, asked):
        blocks = [b for m in asked.get("messages", []) if isinstance(m["content"], list) for b in m["content"]]
        results = [b for b in blocks if b.get("type") == "tool_result"]
        self.server.results += [b.get("content") for b in results]
        name = self.server.tool([t.get("name", "") for t in asked.get("tools") or []])
        if name and not results:
            block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": ARGUMENTS}
            start = {**block, "input": {}}
            delta, why = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}, "tool_use"
        else:
            block = {"type": "text", "text": "done"}
            start, delta, why = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}, "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "m", "type": "message", "role": "assistant", "model": asked.get("model", "m"),
                   "content": [block], "stop_reason": why, "stop_sequence": None, "usage": usage}
        if not asked.get("stream"):
            return self.reply(message)
        self.events([
            ("message_start", {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}),
            ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": start}),
            ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": 0}),
            ("message_delta", {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage}),
            ("message_stop", {"type": "message_stop"}),
        ])

    # The Gemini API.
    def as_gemini(self, asked, path):
        parts = [p for c in asked.get("contents", []) for p in c.get("parts", [])]
        results = [p["functionResponse"]["response"] for p in parts if "functionResponse" in p]
        self.server.results += results
        tools = [f["name"] for t in asked.get("tools") or [] for f in t.get("functionDeclarations", [])]
        name = self.server.tool(tools)
        if name and not results:
            part = {"functionCall": {"name": name, "args": ARGUMENTS}}
        else:
            part = {"text": "done"}
        content = {"role": "model", "parts": [part]}
        reply = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
        if "stream" in path.lower():
            self.events([(None, reply)])
        else:
            self.reply(reply)

    def events(self, events):
        text = ""
        for name, data in events:
            data = data if isinstance(data, str) else json.dumps(data)
            text += (f"event: {name}\n" if name else "") + f"data: {data}\n\n"
        self.send(text.encode(), "text/event-stream")

    def reply(self, value):
        self.send(json.dumps(value).encode(), "application/json")

    def send(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
