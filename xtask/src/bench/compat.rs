//! Other tools' contracts against what those tools do.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::corpus::{tree, wide};
use super::jobs::{Bar, Duel, Side, rg, side};
use super::{Programs, Size};

/// What OpenCode gives its ripgrep besides `--files --hidden`, without the globs of a call.
const OPENCODE: &[&str] = &[
    "--glob=!.git/*",
    "--glob=!node_modules/*",
    "--glob=!__pycache__/*",
    "--glob=!.git/*",
    "--glob=!dist/*",
    "--glob=!build/*",
    "--glob=!target/*",
    "--glob=!vendor/*",
    "--glob=!bin/*",
    "--glob=!obj/*",
    "--glob=!.idea/*",
    "--glob=!.vscode/*",
    "--glob=!.zig-cache/*",
    "--glob=!zig-out*",
    "--glob=!.coverage*",
    "--glob=!coverage/*",
    "--glob=!tmp/*",
    "--glob=!temp/*",
    "--glob=!.cache/*",
    "--glob=!cache/*",
    "--glob=!logs/*",
    "--glob=!.venv/*",
    "--glob=!venv/*",
    "--glob=!env/*",
];

/// What Roo Code gives its ripgrep besides `--files --hidden`, for a recursive listing.
const ROO: &[&str] = &[
    "--follow",
    "-g",
    "!**/node_modules/**",
    "-g",
    "!**/__pycache__/**",
    "-g",
    "!**/env/**",
    "-g",
    "!**/venv/**",
    "-g",
    "!**/target/dependency/**",
    "-g",
    "!**/build/dependencies/**",
    "-g",
    "!**/dist/**",
    "-g",
    "!**/out/**",
    "-g",
    "!**/bundle/**",
    "-g",
    "!**/vendor/**",
    "-g",
    "!**/tmp/**",
    "-g",
    "!**/temp/**",
    "-g",
    "!**/deps/**",
    "-g",
    "!**/pkg/**",
    "-g",
    "!**/Pods/**",
    "-g",
    "!**/.git/**",
    "-g",
    "!**/.*/**",
];

pub(super) fn duels(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let (wide_files, tree_files) = match size {
        Size::Full => (1_000_000, 300_000),
        Size::Small => (10_000, 3_000),
    };
    let (wide, tree) = (wide(wide_files)?, tree(tree_files)?);
    let (wide_path, tree_path) = (wide.display().to_string(), tree.display().to_string());
    let codex = json!({ "dir_path": wide_path });
    let opencode = json!({ "params": {}, "directory": tree_path, "worktree": tree_path });
    let roo = json!({ "workspace": tree_path, "path": ".", "recursive": true, "limit": 200 });
    let cut = |side: Side, label, lines| Side { label, lines_max: Some(lines), ..side };
    Ok(vec![
        duel(
            "codex, a page of wide",
            call(programs, "codex", &codex, &wide),
            side("collect, sort, slice", &programs.collect, &[&wide_path, "2", "25"], &wide),
            1.0 / 100.0,
        ),
        duel(
            "opencode, list of tree",
            call(programs, "opencode", &opencode, &tree),
            cut(rg(programs, &tree, ("rg", OPENCODE)), "OpenCode's rg, cut", 100),
            1.0 / 2.0,
        ),
        duel(
            "roo, recursive list of tree",
            call(programs, "roo", &roo, &tree),
            cut(rg(programs, &tree, ("rg", ROO)), "Roo's rg, cut", 200),
            1.0 / 2.0,
        ),
    ])
}

fn duel(title: &str, ours: Side, rival: Side, ratio: f64) -> Duel {
    Duel { title: title.to_owned(), ours, rival, same: None, bars: vec![Bar::CpuRatio(ratio)] }
}

fn call(programs: &Programs, tool: &str, args: &Value, dir: &Path) -> Side {
    side("trilist compat", &programs.trilist, &["compat", tool, "--args", &args.to_string()], dir)
}
