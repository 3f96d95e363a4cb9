//! A client of a server in this process.

use std::io::{self, BufRead as _, BufReader, PipeWriter, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use trilist::Policy;
use trilist_mcp::{Ended, Input, Options, Output, ServeError, Server, serve};

/// How long a test waits for an answer that has to come.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a server is told of what there is to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Everything.
    Watched,
    /// When there is something, but not whether reading waits.
    MayWait,
    /// Nothing.
    Untold,
}

/// What requests are read from.
struct Requests(UnixStream, Way);

impl io::Read for Requests {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.set_nonblocking(false)?;
        self.0.read(bytes)
    }
}

impl Input for Requests {
    fn watched(&self) -> Option<OwnedFd> {
        (self.1 != Way::Untold).then(|| self.0.try_clone().unwrap().into())
    }

    fn read_now(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.1 != Way::Watched {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.0.set_nonblocking(true)?;
        self.0.read(bytes)
    }
}

/// What answers are written to; never at once, so that they go the way of those that have to wait.
struct Answers(PipeWriter);

impl io::Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for Answers {}

pub(crate) struct Client {
    input: Option<UnixStream>,
    lines: Receiver<String>,
    server: Option<JoinHandle<Result<Ended, ServeError>>>,
    /// What stands in each request's `_meta`.
    meta: Value,
    next_id: u64,
}

impl Client {
    /// A server on these roots, and nothing said yet.
    pub(crate) fn silent<P: AsRef<Path>>(roots: &[P], options: &Options) -> Client {
        Client::under(Policy::default(), roots, options)
    }

    /// A session of the era with `initialize`, whose requests are read in this way.
    #[allow(dead_code, reason = "one binary of tests has no use for it")]
    pub(crate) fn read_in<P: AsRef<Path>>(way: Way, root: P) -> Client {
        let server = Server::open(&[root], Policy::default(), &Options::default()).unwrap();
        let mut client = Client::of(server, way);
        client.initialize();
        client
    }

    /// As [`Client::silent`], under a policy of the host's.
    pub(crate) fn under<P: AsRef<Path>>(policy: Policy, roots: &[P], options: &Options) -> Client {
        Client::of(Server::open(roots, policy, options).unwrap(), Way::Watched)
    }

    fn of(server: Server, way: Way) -> Client {
        let (from_client, input) = UnixStream::pair().unwrap();
        let (output, to_client) = std::io::pipe().unwrap();
        let server =
            thread::spawn(move || serve(server, Requests(from_client, way), Answers(to_client)));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if line.is_err() || sender.send(line.unwrap_or_default()).is_err() {
                    return;
                }
            }
        });
        let server = Some(server);
        Client { input: Some(input), lines, server, meta: Value::Null, next_id: 1 }
    }

    /// A session of the era with `initialize`.
    pub(crate) fn legacy<P: AsRef<Path>>(root: P) -> Client {
        let mut client = Client::silent(&[root], &Options::default());
        client.initialize();
        client
    }

    /// A session of the era without.
    pub(crate) fn modern<P: AsRef<Path>>(root: P) -> Client {
        let mut client = Client::silent(&[root], &Options::default());
        client.speak_modern();
        client
    }

    pub(crate) fn speak_modern(&mut self) {
        self.meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }

    pub(crate) fn initialize(&mut self) -> Value {
        let reply = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        self.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        reply["result"].clone()
    }

    /// Writes a line as it is.
    pub(crate) fn line(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).and_then(|()| input.write_all(b"\n")).unwrap();
    }

    /// Writes a part of a line.
    pub(crate) fn part(&mut self, part: &[u8]) {
        self.input.as_mut().unwrap().write_all(part).unwrap();
    }

    /// Writes a request and does not wait.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        if !self.meta.is_null() && params.get("_meta").is_none() {
            params["_meta"] = self.meta.clone();
        }
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.line(request.to_string());
        id
    }

    /// The next line that comes.
    pub(crate) fn next(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line was to come");
        serde_json::from_str(&line).expect("each line is JSON")
    }

    /// Whether nothing comes for so long.
    #[allow(dead_code, reason = "one binary of tests has no use for it")]
    pub(crate) fn is_silent(&mut self, millis: u64) -> bool {
        self.lines.recv_timeout(Duration::from_millis(millis)).is_err()
    }

    /// The answer to a request; nothing else may come before it.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let reply = self.next();
        assert_eq!(reply["id"], id, "{reply}");
        reply
    }

    /// The result of a tool's call.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(reply["result"].is_object(), "{reply}");
        reply["result"].clone()
    }

    /// The text and the structure of a call that goes well.
    pub(crate) fn list(&mut self, arguments: Value) -> (String, Value) {
        let result = self.call("list_dir", arguments);
        assert_eq!(result["isError"], false, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (text, result["structuredContent"].clone())
    }

    /// The error of a call that fails, after a look at its text.
    pub(crate) fn failure(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let error = result["structuredContent"]["error"].clone();
        let text = result["content"][0]["text"].as_str().unwrap();
        let start = format!("{}: ", error["code"].as_str().unwrap());
        assert!(text.starts_with(&start), "{text}");
        assert!(text.contains(error["message"].as_str().unwrap()), "{text}");
        error
    }

    /// Ends the input.
    #[allow(dead_code, reason = "one binary of tests has no use for it")]
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Ends the input and waits for the server.
    pub(crate) fn end(mut self) -> Result<Ended, ServeError> {
        self.input = None;
        self.server.take().unwrap().join().unwrap()
    }
}
