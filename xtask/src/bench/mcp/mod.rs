//! `cargo xtask bench mcp`: the server against the reference server for files, and against one on
//! the same library that only echoes.

mod client;
mod hostile;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use trilist_tests::TreeBuilder;

use super::Size;
use crate::clients::install;
use crate::dist;
use client::Client;

/// A server, and the call that is measured.
struct Server {
    label: &'static str,
    program: PathBuf,
    words: Vec<String>,
    tool: &'static str,
    arguments: Value,
}

/// What was measured; medians.
struct Figures {
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
    let (starts, calls) = if size == Size::Full { (11, 1_000) } else { (2, 20) };
    let mut all = Vec::new();
    println!(
        "| server | start to first reply, ms | calls a second | CPU a call, µs | resident, MiB |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    for server in servers(&release, tree.path()) {
        let figures = measure(&server, starts, calls)?;
        let Figures { first_reply_ms, calls_per_second, cpu_us_per_call, resident_mib } = figures;
        println!(
            "| {} | {first_reply_ms:.1} | {calls_per_second:.0} | {cpu_us_per_call:.0} \
             | {resident_mib:.1} |",
            server.label
        );
        all.push(figures);
    }
    let missed = missed(&all);
    println!(
        "\nbars: {}",
        if missed.is_empty() { "reached".to_owned() } else { missed.join(", ") }
    );
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

fn measure(server: &Server, starts: usize, calls: u32) -> Result<Figures> {
    let words: Vec<&str> = server.words.iter().map(String::as_str).collect();
    let start = || Client::start(&server.program, &words);
    let mut first_replies = Vec::new();
    for _ in 0..starts {
        first_replies.push(start()?.first_reply_ms);
    }
    first_replies.sort_by(f64::total_cmp);
    let mut client = start()?;
    for _ in 0..20 {
        let result = client.call(server.tool, &server.arguments)?;
        ensure!(result["content"].is_array() && result["isError"] != true, "{result}");
    }
    let (began, cpu) = (Instant::now(), client.cpu_ms()?);
    for _ in 0..calls {
        client.call(server.tool, &server.arguments)?;
    }
    let seconds = began.elapsed().as_secs_f64();
    Ok(Figures {
        first_reply_ms: first_replies[first_replies.len() / 2],
        calls_per_second: f64::from(calls) / seconds,
        cpu_us_per_call: (client.cpu_ms()? - cpu) * 1e3 / f64::from(calls),
        resident_mib: client.resident_mib()?,
    })
}

/// The bars that are not reached, in words.
fn missed(all: &[Figures]) -> Vec<&'static str> {
    let [ours, reference, echo] = all else { return vec!["three servers"] };
    let bars = [
        (reference.first_reply_ms >= 10.0 * ours.first_reply_ms, "start 10x faster"),
        (ours.calls_per_second >= 5.0 * reference.calls_per_second, "5x the calls a second"),
        (echo.calls_per_second <= 2.0 * ours.calls_per_second, "twice the cost of an echo"),
        (ours.resident_mib <= 12.0, "12 MiB"),
    ];
    bars.iter().filter(|(reached, _)| !reached).map(|(_, bar)| *bar).collect()
}
