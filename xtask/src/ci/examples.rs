//! Example hosts: each is run, and has to print what it is there to show.

use std::io::Write as _;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::ci::tally::Tally;
use crate::run::cargo;
use crate::workspace;

/// One run of an example of `trilist`.
struct Run {
    name: &'static str,
    features: &'static str,
    args: &'static [&'static str],
    input: &'static str,
    /// Parts of what it prints.
    prints: &'static [&'static str],
}

const RUNS: &[Run] = &[PANEL, PARALLEL, APPROVER];

const PANEL: Run = Run {
    name: "chat_panel",
    features: "vcs",
    args: &["crates/trilist-fs", "src/lib.rs", "./src/../Cargo.toml", "absent.rs"],
    input: "",
    prints: &[
        "An empty chat\n  In the chat (0)\n  Read-only (0)\n  Not in the chat: ",
        "  In the chat (1)\n   + src/lib.rs\n  Read-only (0)\n  Not in the chat: ",
        "  In the chat (2)\n   + Cargo.toml\n     src/lib.rs\n",
        "   + absent.rs [not on disk]\n     src/lib.rs\n",
        "   - src/lib.rs\n  Read-only (1)\n   + src/lib.rs\n",
    ],
};

const PARALLEL: Run = Run {
    name: "parallel_calls",
    features: "tokio",
    args: &["crates/trilist-fs"],
    input: "{\"id\": 1, \"list\": {\"mode\": \"files\", \"path\": \"src\"}}\n\
            {\"id\": 2, \"list\": {\"mode\": \"fs\", \"path\": \"absent\"}}\n",
    prints: &[
        "{\"id\":1,\"page\":{",
        "\"path\":\"lib.rs\"",
        "{\"id\":2,\"error\":{\"code\":\"not_found\"",
    ],
};

const APPROVER: Run = Run {
    name: "approver",
    features: "vcs",
    args: &["crates/trilist-fs", "src", "src", "../trilist-files", "../trilist-files/src", "/"],
    input: "a\ny\ny\nn\n",
    prints: &[
        "[list] May it list /",
        "/crates/trilist-fs/src? y, a(lways), n, never: \n",
        "lib.rs\n1 entry, complete. Left out: nothing.\n\n/",
        "[external_directory] May it read the names in /",
        "/crates/trilist-files, which is outside the roots? ",
        "denied_by_policy: the host's policy does not allow listing `../trilist-files/src`. \
         The host was asked and has said no",
        "denied_by_policy: the host's policy does not allow listing `/`. It is too wide",
    ],
};

/// Runs all of them, and counts each as one test.
pub(super) fn run() -> Result<Tally> {
    let mut tally = Tally::default();
    for example in RUNS {
        match show(example) {
            Ok(()) => tally.passed += 1,
            Err(error) => {
                println!("example {}: {error:#}", example.name);
                tally.failed += 1;
            }
        }
    }
    Ok(tally)
}

fn show(example: &Run) -> Result<()> {
    let words = ["run", "--locked", "--quiet", "-p", "trilist", "--features", example.features];
    let mut command = cargo();
    command.args(words).args(["--example", example.name, "--"]).args(example.args);
    command.current_dir(workspace()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot run cargo")?;
    let mut stdin = child.stdin.take().context("standard input was asked for")?;
    stdin.write_all(example.input.as_bytes()).context("it does not read its input")?;
    drop(stdin);
    let output = child.wait_with_output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("it ended with {}, having printed:\n{printed}", output.status);
    }
    match example.prints.iter().find(|part| !printed.contains(**part)) {
        None => Ok(()),
        Some(part) => bail!("it did not print `{part}`, but:\n{printed}"),
    }
}
