//! A client that takes the time and the memory of a server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// A running server.
pub(super) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next_id: u64,
    /// Milliseconds from its start to its first reply.
    pub(super) first_reply_ms: f64,
}

impl Client {
    /// Starts a server and shakes hands.
    pub(super) fn start(program: &Path, words: &[&str]) -> Result<Client> {
        let start = Instant::now();
        let mut command = Command::new(program);
        command.args(words).env("HOME", "/nonexistent").stderr(Stdio::null());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("its input was asked for")?;
        let output = BufReader::new(child.stdout.take().context("its output was asked for")?);
        let mut client = Client { child, input, output, next_id: 1, first_reply_ms: 0.0 };
        let who = json!({ "name": "bench", "version": "1" });
        client.request(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who }),
        )?;
        client.first_reply_ms = start.elapsed().as_secs_f64() * 1e3;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// Calls a tool and waits for its result, which may be an error.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Makes calls one after another, and gives the seconds that they took. Each must go well, which
    /// is looked at when the time is taken: what a client takes for itself hides what servers take.
    pub(super) fn calls(&mut self, tool: &str, arguments: &Value, count: u32) -> Result<f64> {
        let params = json!({ "name": tool, "arguments": arguments }).to_string();
        let mut replies = Vec::new();
        let first = self.next_id;
        let start = Instant::now();
        for _ in 0..count {
            let id = self.next_id;
            self.next_id += 1;
            let line =
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
                    + "\n";
            self.input.write_all(line.as_bytes()).context("the server does not read")?;
            let mut reply = Vec::with_capacity(4096);
            self.output.read_until(b'\n', &mut reply)?;
            replies.push(reply);
        }
        let seconds = start.elapsed().as_secs_f64();
        for (id, reply) in (first..).zip(replies) {
            let reply: Value = serde_json::from_slice(&reply)?;
            let result = &reply["result"];
            let is_good = result["content"].is_array() && result["isError"] != true;
            ensure!(reply["id"] == id && is_good, "{reply}");
        }
        Ok(seconds)
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let mut line = String::new();
            ensure!(self.output.read_line(&mut line)? > 0, "the server has ended");
            let mut reply: Value = serde_json::from_str(&line)?;
            if reply["id"] == id {
                let failed = reply["error"].take();
                return Ok(if failed.is_null() { reply["result"].take() } else { failed });
            }
            // A reference server asks for the client's roots; it has none.
            if let (Some(id), Some(_)) = (reply.get("id"), reply.get("method")) {
                let error = json!({ "code": -32601, "message": "no" });
                self.send(&json!({ "jsonrpc": "2.0", "id": id.clone(), "error": error }))?;
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        writeln!(self.input, "{message}").context("the server does not read")
    }

    /// Mebibytes in memory.
    pub(super) fn resident_mib(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
        let kib: f64 = line.split_whitespace().nth(1).context("a number")?.parse()?;
        Ok(kib / 1024.0)
    }

    /// Milliseconds of processor time so far, of all its threads.
    pub(super) fn cpu_ms(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name in brackets may hold anything.
        let fields = stat.rsplit_once(')').context("the name ends")?.1;
        let ticks = |at: usize| -> Result<f64> {
            Ok(fields.split_whitespace().nth(at).context("a field")?.parse()?)
        };
        // Linux counts a hundred ticks a second for programs, whatever it counts inside.
        Ok((ticks(11)? + ticks(12)?) * 10.0)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
