//! Ignore rules against the programs that own them, on generated trees: `git check-ignore` for
//! git's files, ripgrep for the order of layers and for its own files. What `docs/ignore.md` says
//! of differences is tested here too.

mod git;
mod grove;
mod ripgrep;
mod situations;
