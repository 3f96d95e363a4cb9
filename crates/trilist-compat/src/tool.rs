//! The tools that there are, and what a host should know of them.

use serde_json::Value;

use crate::gemini::{self, Release};
use crate::{aider, codex, gencode, opencode, roo, sii};

/// A tool of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Codex's `list_dir`.
    Codex,
    /// OpenCode's `list`.
    OpenCode,
    /// Aider's `/ls`.
    Aider,
    /// Gemini CLI's `list_directory`, release 0.61.0.
    Gemini,
    /// Gemini CLI's `list_directory`, release 0.1.22.
    Gemini01,
    /// The `list_directory` of `sii`, a fork of Gemini CLI's.
    Sii,
    /// GenCode's `LS`.
    GenCode,
    /// Roo Code's `list_files`.
    Roo,
}

/// What a host's dispatcher needs to know of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The name under which the program registers it.
    pub registered_as: &'static str,
    /// Whether the program runs several calls at once.
    pub parallel: bool,
    /// Whether the program offers it only when its configuration says so.
    pub gated: bool,
    /// What the program asks its user before it lists, in this order.
    pub asks: &'static [Question],
    /// After how many milliseconds the program stops with what it has; none when it never does.
    pub stops_after_ms: Option<u32>,
    /// The most entries of one reply; none where the arguments say it, or nothing does.
    pub most_entries: Option<u32>,
}

/// A permission that a program asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// To list outside the project's directories; asked only then.
    ExternalDirectory,
    /// To list at all.
    List,
}

impl Tool {
    /// Every tool that works.
    pub const ALL: &[Tool] = &[
        Tool::Codex,
        Tool::OpenCode,
        Tool::Aider,
        Tool::Roo,
        Tool::Gemini,
        Tool::Gemini01,
        Tool::Sii,
        Tool::GenCode,
    ];

    /// The name on the command line and in recorded cases.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Codex => "codex",
            Tool::OpenCode => "opencode",
            Tool::Aider => "aider",
            Tool::Gemini => "gemini",
            Tool::Gemini01 => "gemini-0.1",
            Tool::Sii => "sii",
            Tool::GenCode => "gencode",
            Tool::Roo => "roo",
        }
    }

    /// The tool of this name.
    pub fn named(name: &str) -> Option<Tool> {
        Tool::ALL.iter().find(|tool| tool.name() == name).copied()
    }

    /// What a host should know.
    pub fn facts(self) -> Facts {
        match self {
            Tool::Codex => Facts {
                registered_as: "list_dir",
                parallel: true,
                gated: true,
                asks: &[],
                stops_after_ms: None,
                most_entries: None,
            },
            Tool::OpenCode => Facts {
                registered_as: "list",
                parallel: false,
                gated: false,
                asks: &[Question::ExternalDirectory, Question::List],
                stops_after_ms: None,
                most_entries: Some(100),
            },
            Tool::Aider => Facts {
                registered_as: "/ls",
                parallel: false,
                gated: false,
                asks: &[],
                stops_after_ms: None,
                most_entries: None,
            },
            Tool::Roo => Facts {
                registered_as: "list_files",
                parallel: false,
                gated: false,
                asks: &[Question::ExternalDirectory],
                stops_after_ms: Some(10_000),
                most_entries: Some(200),
            },
            Tool::GenCode => Facts {
                registered_as: "LS",
                parallel: false,
                gated: false,
                asks: &[],
                stops_after_ms: None,
                most_entries: Some(1_000),
            },
            Tool::Gemini | Tool::Gemini01 | Tool::Sii => Facts {
                registered_as: "list_directory",
                parallel: false,
                gated: false,
                asks: &[],
                stops_after_ms: None,
                most_entries: None,
            },
        }
    }

    /// The JSON Schema of the arguments that a model gives.
    pub fn schema(self) -> Value {
        match self {
            Tool::Codex => codex::schema(),
            Tool::OpenCode => opencode::schema(),
            Tool::Aider => aider::schema(),
            Tool::Gemini => gemini::schema(Release::Current),
            Tool::Gemini01 => gemini::schema(Release::Early),
            Tool::Sii => sii::schema(),
            Tool::GenCode => gencode::schema(),
            Tool::Roo => roo::schema(),
        }
    }

    /// What a model is told of the tool.
    pub fn description(self) -> &'static str {
        match self {
            Tool::Codex => {
                "Lists a directory as an indented tree, page by page. `/` marks directories, `@` \
                 links, `?` pipes and the like."
            }
            Tool::OpenCode => {
                "Lists the files below a directory as a tree, at most a hundred, without what \
                 ignore files and common build and dependency directories hide."
            }
            Tool::Aider => {
                "Lists the files that the repository names, those that are read-only and those in \
                 the chat, as three groups."
            }
            Tool::Roo => {
                "Lists files and directories of a directory, or everything below it, at most two \
                 hundred."
            }
            Tool::GenCode => {
                "Lists a directory, or a few levels of it, with size and time if asked, in one of \
                 four orders."
            }
            Tool::Gemini | Tool::Gemini01 | Tool::Sii => {
                "Lists a directory's own entries, directories first. What ignore files hide is \
                 counted."
            }
        }
    }
}
