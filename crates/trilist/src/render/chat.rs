//! The groups of a chat session in text.

use std::fmt::Write as _;

use trilist_core::Page;
use trilist_core::chat::{Chat, ChatFile, ChatGroup};

use super::frame::apart;

/// A line for each group; of files that the listing does not have, why.
pub(crate) fn groups(page: &Page, chat: &Chat) -> String {
    let mut out = String::new();
    group("In the chat", &chat.in_chat, &mut out);
    group("Read-only", &chat.read_only, &mut out);
    let _ = match chat.repo.count {
        Some(count) => writeln!(out, "Not in the chat: {count}."),
        None if page.truncated => writeln!(out, "Not in the chat: {} here.", chat.repo.returned),
        None => writeln!(out, "Not in the chat: {}.", chat.repo.returned),
    };
    out
}

fn group(title: &str, group: &ChatGroup, out: &mut String) {
    let _ = write!(out, "{title}: {}", group.count);
    let files: Vec<String> = group.files.iter().map(file).collect();
    if !files.is_empty() {
        let _ = write!(out, " ({})", files.join(", "));
    }
    out.push_str(".\n");
}

fn file(file: &ChatFile) -> String {
    let mut out = apart(&file.path).into_owned();
    if let Some(reason) = file.reason {
        let _ = write!(out, " [{}", reason.words());
        if let Some(rule) = &file.rule {
            let _ = write!(out, ": {}:{}", super::row::unbracketed(&rule.source), rule.line);
        }
        out.push(']');
    }
    out
}
