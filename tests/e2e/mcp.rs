//! `trilist mcp` as a process: how it ends, what it costs, calls that hang.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, OFlags, fcntl_setfl, mknodat, openat};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use trilist_tests::{Tree, TreeBuilder, figure, require};

use crate::silent::Silent;
use crate::support::{PROGRAM, trilist};

/// A server and the client's ends.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
}

impl Session {
    fn of(tree: &Tree) -> Session {
        Session::with(tree, &["mcp"])
    }

    fn with(tree: &Tree, words: &[&str]) -> Session {
        let mut run = trilist(tree).args(words);
        Session::start(run.command())
    }

    fn start(command: &mut Command) -> Session {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let input = child.stdin.take();
        let mut session = Session { child, input, lines, next_id: 1 };
        let who = json!({ "name": "test", "version": "1" });
        session.send(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who }),
        );
        assert_eq!(session.next()["result"]["serverInfo"]["name"], "trilist");
        session
    }

    fn line(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.line(&request.to_string());
        id
    }

    fn call(&mut self, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": "list_dir", "arguments": arguments }))
    }

    fn cancel(&mut self, id: u64) {
        let params = json!({ "requestId": id });
        let method = "notifications/cancelled";
        self.line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    fn next(&mut self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(20)).expect("a line was to come");
        serde_json::from_str(&line).unwrap()
    }

    /// What the kernel says of the process, such as `VmRSS` in KiB.
    fn status(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).unwrap();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// Waits for the end, and not for ever.
    fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        for _ in 0..2_000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut told = String::new();
                self.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
                return (status.code(), told);
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().unwrap();
        panic!("the server did not end");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tree() -> Tree {
    TreeBuilder::new().file("f", "").build()
}

#[test]
fn t67_the_end_of_the_input_ends_with_0_after_the_last_answer() {
    let tree = tree();
    let mut session = Session::of(&tree);
    let id = session.call(json!({}));
    session.input = None;
    let reply = session.next();
    assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(id), &json!(false)));
    assert_eq!(session.end(), (Some(0), String::new()));
    // Nothing was ever said.
    let nothing = trilist(&tree).arg("mcp").ok();
    assert_eq!((nothing.stdout.as_str(), nothing.stderr.as_str()), ("", ""));
}

#[test]
fn requests_are_read_from_a_file_and_from_a_socket_too() {
    let tree = tree();
    let who = json!({ "name": "test", "version": "1" });
    let begin = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who });
    let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin });
    let call = json!({ "name": "list_dir", "arguments": { "mode": "files" } });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call });
    let requests = format!("{begin}\n{call}\n");
    let place = Tree::empty();
    std::fs::write(place.join("requests"), &requests).unwrap();
    let file = std::fs::File::open(place.join("requests")).unwrap();
    let (socket, mut client) = UnixStream::pair().unwrap();
    client.write_all(requests.as_bytes()).unwrap();
    drop(client);
    for input in [Stdio::from(file), Stdio::from(OwnedFd::from(socket))] {
        let output = trilist(&tree).arg("mcp").command().stdin(input).output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!(last["result"]["structuredContent"]["tree"], "f\n", "{lines}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn t67_answers_wait_for_a_reader_who_takes_his_time() {
    let tree = (0..900).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n}"), "")).build();
    let mut run = trilist(&tree).arg("mcp");
    let command = run.command().stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let who = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who });
    let first = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    writeln!(input, "{first}").unwrap();
    // Far more than what a pipe holds.
    for id in 1..=8 {
        let params = json!({ "name": "list_dir", "arguments": { "limit": 1_000 } });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        writeln!(input, "{call}").unwrap();
    }
    drop(input);
    thread::sleep(Duration::from_secs(2));
    let mut answers = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64().unwrap();
    let ids: BTreeSet<u64> = answers.lines().map(read).collect();
    assert_eq!(ids, (0..=8).collect());
}

#[test]
fn streams_that_others_have_told_not_to_wait_are_waited_for() {
    let tree = tree();
    let place = Tree::empty();
    let fifo = place.join("fifo");
    mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let flags = OFlags::RDWR | OFlags::NONBLOCK;
    let input = openat(CWD, &fifo, flags, Mode::empty()).unwrap();
    let (output, told) = std::io::pipe().unwrap();
    fcntl_setfl(&told, OFlags::WRONLY | OFlags::NONBLOCK).unwrap();
    // More than a pipe holds goes out while nobody reads.
    let pings = 5_000;
    let mut child = {
        let mut run = trilist(&tree).arg("mcp");
        let command = run.command().stdin(Stdio::from(input)).stdout(Stdio::from(told));
        command.spawn().unwrap()
    };
    let mut client = std::fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    let writer = thread::spawn(move || {
        for id in 0..pings {
            writeln!(client, r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#).unwrap();
        }
        client
    });
    thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    let answers = BufReader::new(output).lines().take(pings);
    let ids: BTreeSet<i64> = answers
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap()["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), pings);
    drop(writer.join().unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn t67_a_client_on_a_socket_that_goes_without_reading_ends_quietly() {
    let tree = tree();
    let (socket, mut client) = UnixStream::pair().unwrap();
    let both =
        [Stdio::from(OwnedFd::from(socket.try_clone().unwrap())), OwnedFd::from(socket).into()];
    let [input, output] = both;
    let mut run = trilist(&tree).arg("mcp");
    let command = run.command().stdin(input).stdout(output).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(run);
    for _ in 0..100 {
        writeln!(client, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).unwrap();
    }
    let mut first = [0];
    client.read_exact(&mut first).unwrap();
    drop(client);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    let code = child.wait().unwrap().code();
    // Its answers were out, or they were not.
    assert!(matches!(code, Some(0 | 141)) && told.is_empty(), "{code:?} {told}");
}

#[test]
fn t67_answers_that_nobody_reads_end_with_6() {
    let tree = tree();
    let mut run = trilist(&tree).arg("mcp");
    let command = run.command().stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // Each is told as no message, in more bytes than it has.
    for _ in 0..2_000 {
        writeln!(input, "nonsense").unwrap();
    }
    drop(input);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(6), "{told}");
}

#[test]
fn t67_a_hanging_call_does_not_keep_the_server() {
    let tree = tree();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else { return };
    let mut session = Session::of(&tree);
    session.call(json!({ "path": "silent" }));
    thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    assert_eq!(session.end().0, Some(0));
    assert!(start.elapsed() < Duration::from_millis(1_500), "{:?}", start.elapsed());
}

#[test]
fn t67_a_closed_pipe_ends_quietly_with_141() {
    let tree = tree();
    let mut run = trilist(&tree).arg("mcp");
    let command = run.command().stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    writeln!(input, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).unwrap();
    // The input stays open: the pipe alone has to end it.
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!((child.wait().unwrap().code(), told.as_str()), (Some(141), ""));
    drop(input);
}

#[test]
fn t68_signals_end_it_with_their_status_also_while_a_call_hangs() {
    let tree = tree();
    let silent = Silent::mounted(tree.join("silent"));
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut session = Session::of(&tree);
        if silent.is_some() {
            session.call(json!({ "path": "silent" }));
            thread::sleep(Duration::from_millis(100));
        }
        let start = Instant::now();
        kill_process(Pid::from_child(&session.child), signal).unwrap();
        assert_eq!(session.child.wait().unwrap().code(), Some(status));
        assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
        assert!(session.lines.recv().is_err(), "nothing claims to be an answer");
    }
}

#[test]
fn t69_nothing_is_written_or_run_and_old_cursors_work_in_a_new_server() {
    if !require("strace") {
        return;
    }
    let tree = (0..9).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n}"), "")).build();
    let mut first = Session::of(&tree);
    first.call(json!({ "limit": 4 }));
    let page = first.next()["result"]["structuredContent"].clone();
    let cursor = page["next_cursor"].as_str().unwrap().to_owned();
    kill_process(Pid::from_child(&first.child), Signal::KILL).unwrap();
    let trace = tree.outside().join("trace");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=%file,%process,%network", "-o"]).arg(&trace);
    strace.arg(PROGRAM).args(["mcp", "--no-config"]).current_dir(tree.path());
    // Without a home, who is asking would be looked up.
    strace.env_clear().env("HOME", "/nonexistent");
    let mut second = Session::start(&mut strace);
    second.call(json!({ "cursor": cursor }));
    let page = second.next()["result"]["structuredContent"].clone();
    assert_eq!((&page["returned"], &page["drifted"]), (&json!(5), &json!(false)), "{page}");
    assert_eq!(second.end().0, Some(0));
    let calls = std::fs::read_to_string(trace).unwrap();
    assert!(calls.contains("openat"), "{calls}");
    for word in ["O_WRONLY", "O_RDWR", "O_CREAT", "mkdir", "rename", "unlink", "socket("] {
        assert!(!calls.contains(word), "{word}: {calls}");
    }
    assert_eq!(calls.matches("execve(").count(), 1, "{calls}");
}

#[test]
fn t66_a_cancelled_call_stops_at_once_and_is_not_answered() {
    let tree = tree();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else { return };
    let mut session = Session::of(&tree);
    let hanging = session.call(json!({ "path": "silent" }));
    assert!(session.lines.recv_timeout(Duration::from_millis(100)).is_err());
    let start = Instant::now();
    session.cancel(hanging);
    let after = session.call(json!({ "depth": 1 }));
    let reply = session.next();
    assert_eq!(reply["id"], after, "{reply}");
    assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
    assert!(session.lines.recv_timeout(Duration::from_millis(1_200)).is_err());
    // One that was never there, or is answered already, is nothing to cancel.
    session.cancel(after);
    session.cancel(12_345);
    let last = session.call(json!({ "depth": 1 }));
    assert_eq!(session.next()["id"], last);
}

#[test]
fn a_long_call_tells_that_it_goes_on_and_ends_by_its_deadline() {
    let tree = tree();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else { return };
    let mut session = Session::of(&tree);
    let id = session.send(
        "tools/call",
        json!({
            "name": "list_dir",
            "arguments": { "path": "silent", "deadline_ms": "700" },
            "_meta": { "progressToken": "p1" },
        }),
    );
    let mut before = 0.0;
    for _ in 0..3 {
        let told = session.next();
        assert_eq!(told["method"], "notifications/progress", "{told}");
        assert_eq!(told["params"]["progressToken"], "p1");
        let progress = told["params"]["progress"].as_f64().unwrap();
        assert!(progress > before, "{progress} > {before}");
        before = progress;
    }
    let reply = session.next();
    assert_eq!(reply["id"], id, "{reply}");
    assert_eq!(reply["result"]["structuredContent"]["error"]["code"], "timeout");
    // Who did not ask is told nothing.
    session.call(json!({ "path": "silent", "deadline_ms": 100 }));
    assert_eq!(session.next()["result"]["isError"], true);
}

#[test]
fn t24_eight_hanging_calls_make_the_ninth_busy_and_fewer_do_not() {
    let tree = tree();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else { return };
    let mut session = Session::of(&tree);
    let hang = json!({ "path": "silent", "deadline_ms": 60_000 });
    let hanging: BTreeSet<u64> = (0..7).map(|_| session.call(hang.clone())).collect();
    let served = session.call(json!({ "depth": 1 }));
    assert_eq!(session.next()["id"], served);
    session.call(hang);
    thread::sleep(Duration::from_millis(100));
    let ninth = session.call(json!({ "depth": 1 }));
    let reply = session.next();
    assert_eq!(reply["id"], ninth);
    let error = &reply["result"]["structuredContent"]["error"];
    assert_eq!((&error["code"], &error["hint"]), (&json!("busy"), &json!("Try again later.")));
    assert_eq!(hanging.len(), 7);
    // Who has less time than others wait is told sooner: the one that came first waits on.
    session.call(json!({ "depth": 1 }));
    let hurried = session.call(json!({ "depth": 1, "deadline_ms": 50 }));
    let reply = session.next();
    assert_eq!(reply["id"], hurried);
    assert_eq!(reply["result"]["structuredContent"]["error"]["code"], "busy");
}

#[test]
fn where_it_reads_is_told_while_all_calls_hang() {
    let tree = tree();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else { return };
    let mut session = Session::of(&tree);
    for _ in 0..9 {
        session.call(json!({ "path": "silent", "deadline_ms": 60_000 }));
    }
    thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    let asked = session.send("tools/call", json!({ "name": "list_roots" }));
    let reply = session.next();
    assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(asked), &json!(false)));
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    // What is wrong with the arguments is told without a worker, too.
    let wrong = session.call(json!({ "depth": 0 }));
    let reply = session.next();
    assert_eq!(reply["id"], wrong);
    assert_eq!(reply["result"]["structuredContent"]["error"]["code"], "invalid_argument");
}

#[test]
fn an_id_that_is_in_use_is_refused() {
    let tree = tree();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else { return };
    let mut session = Session::of(&tree);
    let again = |session: &mut Session, id: u64| {
        session.next_id = id;
        session.call(json!({ "depth": 1 }));
        session.next()
    };
    let slow = session.call(json!({ "path": "silent", "deadline_ms": 700 }));
    let refused = again(&mut session, slow);
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(slow), &json!(-32600)));
    // The first one is answered all the same, and then its id is free.
    let answer = session.next();
    assert_eq!(answer["id"], slow);
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "timeout");
    assert_eq!(again(&mut session, slow)["result"]["isError"], false);
    // A cancelled one is never answered: its id is not for another.
    let cancelled = session.call(json!({ "path": "silent", "deadline_ms": 60_000 }));
    session.cancel(cancelled);
    assert_eq!(again(&mut session, cancelled)["error"]["code"], -32600);
    assert_eq!(again(&mut session, cancelled + 1)["result"]["isError"], false);
}

#[test]
fn t39_ten_thousand_failing_calls_leave_nothing_behind() {
    let tree = tree();
    let mut session = Session::of(&tree);
    let fail = |session: &mut Session, count: u64| {
        for number in 0..count {
            let path = ["nope", "../..", "f", "f/x"][number as usize % 4];
            session.call(json!({ "path": path }));
            assert_eq!(session.next()["result"]["isError"], true);
        }
    };
    fail(&mut session, 500);
    let before = (session.descriptors(), session.status("Threads:"), session.status("VmRSS:"));
    fail(&mut session, 9_500);
    let after = (session.descriptors(), session.status("Threads:"), session.status("VmRSS:"));
    assert_eq!(after.0, before.0, "descriptors");
    // One each for the end, signals and output, the two that serve in turns, and one for the input
    // where the system does not tell of it; calls that come alone need no other.
    assert!(after.1 <= 6, "threads: {before:?}, {after:?}");
    assert!(after.2 <= before.2 + 1_024, "KiB: {before:?}, {after:?}");
    let value = format!(
        "{} descriptors, {} threads and {} KiB after 500; {}, {} and {} after 10,000",
        before.0, before.1, before.2, after.0, after.1, after.2
    );
    figure("T-39", "10,000 failing calls of the server", &value);
}

#[test]
fn t64_a_line_bomb_takes_less_than_8_mib() {
    let tree = tree();
    let mut session = Session::of(&tree);
    let before = session.status("VmHWM:");
    let chunk = "x".repeat(1 << 20);
    for _ in 0..64 {
        session.input.as_mut().unwrap().write_all(chunk.as_bytes()).unwrap();
    }
    session.line("");
    let reply = session.next();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)));
    let after = session.call(json!({}));
    assert_eq!(session.next()["id"], after);
    let taken = session.status("VmHWM:") - before;
    assert!(taken < 8 * 1_024, "{taken} KiB");
}

#[test]
fn a_server_that_lists_stays_below_12_mib() {
    let tree = (0..300).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n}"), "")).build();
    let mut session = Session::of(&tree);
    for _ in 0..100 {
        session.call(json!({ "limit": 1_000 }));
        assert_eq!(session.next()["result"]["isError"], false);
    }
    let resident = session.status("VmRSS:");
    // A build for debugging is several times as large as what ships.
    let most = if cfg!(debug_assertions) { 32 * 1_024 } else { 12 * 1_024 };
    assert!(resident < most, "{resident} KiB");
}

#[test]
fn no_other_verb_starts_a_runtime() {
    if !require("strace") {
        return;
    }
    let tree = tree();
    let traced = |words: &[&str]| {
        let trace = tree.outside().join("trace");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", "trace=epoll_create1,eventfd2,clone3,clone", "-o"]);
        strace.arg(&trace).arg(PROGRAM).args(words).current_dir(tree.path()).env_clear();
        assert!(strace.stdin(Stdio::null()).output().unwrap().status.success());
        std::fs::read_to_string(trace).unwrap()
    };
    // The thread that waits for signals is the only one.
    assert_eq!(traced(&["--no-config"]).matches("clone").count(), 1);
    assert!(!traced(&["--no-config"]).contains("epoll"));
    assert!(traced(&["mcp", "--no-config"]).matches("clone").count() > 1);
}

#[test]
fn what_cannot_be_served_is_told_before_it_starts() {
    let tree = tree();
    for (words, status, told) in [
        (&["mcp", "--root", "missing"][..], 4, "not_found: no root can be opened"),
        (&["mcp", "--tools", "list_dri"], 2, "invalid_argument: there is no tool `list_dri`"),
        (
            &["mcp", "--tools", "list_dir,,list_roots"],
            2,
            "invalid_argument: there is no tool ``; there are list_dir, explain_path, ",
        ),
        (&["mcp", "--tools", ""], 2, "invalid_argument: there is no tool ``; there are list_dir, "),
        (
            &["mcp", "--profile", "gemini", "--profile", "sii"],
            2,
            "invalid_argument: the profiles `gemini` and `sii` both",
        ),
    ] {
        let answer = trilist(&tree).args(words).exits(status);
        assert!(answer.stderr.starts_with(told), "{}", answer.stderr);
        assert_eq!(answer.stdout, "");
    }
    for profiles in ["codex,,gemini", "", "codexx", "codex gemini"] {
        let told = trilist(&tree).args(["mcp", "--profile", profiles]).exits(2).stderr;
        assert!(told.contains("codex, opencode, "), "{told}");
    }
    let home = tree.path().to_str().unwrap().to_owned();
    let answer = trilist(&tree).arg("mcp").env("HOME", &home).exits(2);
    assert!(answer.stderr.contains("Give --root DIR"), "{}", answer.stderr);
    trilist(&tree).args(["mcp", "--root", "."]).env("HOME", &home).ok();
}

#[test]
fn tools_and_profiles_are_lists() {
    let tree = tree();
    for (tools, profiles) in [
        ("list_roots, list_directory", "codex,gemini"),
        (" list_roots ,list_directory,", "gemini , roo, "),
    ] {
        let mut session = Session::with(&tree, &["mcp", "--tools", tools, "--profile", profiles]);
        session.send("tools/list", json!({}));
        let tools = session.next()["result"]["tools"].clone();
        let names = tools.as_array().unwrap().iter().map(|tool| tool["name"].clone());
        assert_eq!(names.collect::<Vec<_>>(), ["list_roots", "list_directory"]);
    }
}

#[test]
fn schemas_are_printed_as_they_are_kept() {
    let tree = tree();
    for dialect in ["mcp", "openai", "anthropic", "gemini"] {
        let path = trilist_tests::workspace().join(format!("schemas/tools.{dialect}.json"));
        let kept: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(trilist(&tree).args(["schema", "--dialect", dialect]).ok().json(), kept);
    }
    let default = trilist(&tree).arg("schema").ok().json();
    assert_eq!(default[0]["name"], "list_dir");
    trilist(&tree).args(["schema", "--dialect", "mcp", "--tool", "codex"]).exits(2);
}
