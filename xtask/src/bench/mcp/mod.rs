//! `cargo xtask bench mcp`: the server against the reference server for files, and against one on
//! the same library that only echoes.

mod client;
mod hostile;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};
use trilist_tests::TreeBuilder;

use super::Size;
use super::measure::median;
use crate::clients::install;
use crate::dist;
use client::Client;

/// Calls before those that are measured.
const WARM_UP: u32 = 20;

/// A server, and the call that is measured.
struct Server {
    label: &'static str,
    program: PathBuf,
    words: Vec<String>,
    tool: &'static str,
    arguments: Value,
}

/// What was measured in one session.
struct Session {
    first_reply_ms: f64,
    calls_per_second: f64,
    cpu_us_per_call: f64,
    resident_mib: f64,
}

/// Measures the three servers, and shows the reference and ours one hostile tree.
///
/// # Errors
///
/// Fails when a server cannot be built, installed or talked to.
pub fn run(size: Size) -> Result<ExitCode> {
    let release = dist::build(&["-p", "trilist-cli", "-p", "xtask"])?;
    install::all()?;
    let tree = (0..100).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n:03}"), ""));
    let tree = tree.build();
    let (rounds, calls) = if size == Size::Full { (11, 1_000) } else { (2, 20) };
    let servers = servers(&release, tree.path());
    let mut all: Vec<Vec<Session>> = Vec::new();
    for _ in 0..rounds {
        // One after the other, so that each meets the machine as the others do.
        let round = servers.iter().map(|server| session(server, calls));
        all.push(round.collect::<Result<_>>()?);
    }
    println!("{}", table(&servers, &all));
    let missed = missed(&all);
    println!("bars: {}", if missed.is_empty() { "reached".to_owned() } else { missed.join(", ") });
    println!("\n{}", hostile::table(&release.join("trilist"), &reference().1)?);
    let fails = size == Size::Full && !missed.is_empty();
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn servers(programs: &Path, root: &Path) -> Vec<Server> {
    let root = root.display().to_string();
    let list = json!({ "path": root });
    let (node, mut reference) = reference();
    reference.push(root.clone());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    vec![
        Server {
            label: "trilist mcp",
            program: programs.join("trilist"),
            words: words(&["mcp", "--no-config", "--root", &root]),
            tool: "list_dir",
            arguments: json!({ "path": root, "depth": 1 }),
        },
        Server {
            label: "@modelcontextprotocol/server-filesystem",
            program: node,
            words: reference,
            tool: "list_directory",
            arguments: list.clone(),
        },
        Server {
            label: "rmcp, echo",
            program: programs.join("mcp_echo"),
            words: Vec::new(),
            tool: "echo",
            arguments: list,
        },
    ]
}

/// The machine's own kind of Node, and the reference server's start.
fn reference() -> (PathBuf, Vec<String>) {
    let start = install::npm("@modelcontextprotocol/server-filesystem/dist/index.js");
    (install::node(), vec![start.display().to_string()])
}

/// A session of so many calls, one after another.
fn session(server: &Server, calls: u32) -> Result<Session> {
    let words: Vec<&str> = server.words.iter().map(String::as_str).collect();
    let mut client = Client::start(&server.program, &words)?;
    client.calls(server.tool, &server.arguments, WARM_UP)?;
    let cpu = client.cpu_ms()?;
    let seconds = client.calls(server.tool, &server.arguments, calls)?;
    Ok(Session {
        first_reply_ms: client.first_reply_ms,
        calls_per_second: f64::from(calls) / seconds,
        cpu_us_per_call: (client.cpu_ms()? - cpu) * 1e3 / f64::from(calls),
        resident_mib: client.resident_mib()?,
    })
}

/// Medians over the rounds.
fn table(servers: &[Server], all: &[Vec<Session>]) -> String {
    let mut out = "| server | start to first reply, ms | calls a second | CPU a call, µs \
                   | resident, MiB |\n| --- | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for (at, server) in servers.iter().enumerate() {
        let of = |figure: fn(&Session) -> f64| {
            median(all.iter().map(|round| figure(&round[at])).collect())
        };
        out.push_str(&format!(
            "| {} | {:.1} | {:.0} | {:.0} | {:.1} |\n",
            server.label,
            of(|session| session.first_reply_ms),
            of(|session| session.calls_per_second),
            of(|session| session.cpu_us_per_call),
            of(|session| session.resident_mib),
        ));
    }
    let [start, calls, echo] = ratios(all);
    out.push_str(&format!(
        "\nof the same round: start {start:.1}x faster than the reference, {calls:.2}x its calls a \
         second, {echo:.2}x the cost of an echo\n"
    ));
    out
}

/// How much faster than the reference it starts, how many of its calls it answers in the same time,
/// and what it costs in echoes: medians of what each round says.
fn ratios(all: &[Vec<Session>]) -> [f64; 3] {
    let of = |ratio: fn(&Session, &Session, &Session) -> f64| {
        median(all.iter().map(|round| ratio(&round[0], &round[1], &round[2])).collect())
    };
    [
        of(|ours, reference, _| reference.first_reply_ms / ours.first_reply_ms),
        of(|ours, reference, _| ours.calls_per_second / reference.calls_per_second),
        of(|ours, _, echo| echo.calls_per_second / ours.calls_per_second),
    ]
}

/// The bars that are not reached, in words.
fn missed(all: &[Vec<Session>]) -> Vec<&'static str> {
    let [start, calls, echo] = ratios(all);
    let most_mib = all.iter().map(|round| round[0].resident_mib).fold(0.0, f64::max);
    let bars = [
        (start >= 10.0, "start 10x faster"),
        (calls >= 5.0, "5x the calls a second"),
        (echo <= 2.0, "twice the cost of an echo"),
        (most_mib <= 12.0, "12 MiB"),
    ];
    bars.iter().filter(|(reached, _)| !reached).map(|(_, bar)| *bar).collect()
}
