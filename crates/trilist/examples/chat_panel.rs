//! The file panel of a chat: `chat_panel DIR FILE...`.
//!
//! It prints the three groups of a session that starts empty, then what changes as each FILE enters
//! the chat, and at last as the first one becomes read-only. FILE is relative to DIR, absolute, or
//! spelled in any other way.
//!
//! ```console
//! $ cargo run -p trilist --example chat_panel -- . README.md target/debug/trilist
//! ```

#![allow(clippy::print_stdout, reason = "this is what the panel is printed to")]

use std::error::Error;
use std::os::unix::ffi::OsStringExt as _;
use std::sync::Arc;

use trilist::{
    Cancel, Chat, ChatFile, ChatFiles, ChatGroup, HostSide, ListError, ListRequest, Lister, Mode,
    PathArg, Policy,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let dir = std::path::absolute(words.next().ok_or("the directory is missing")?)?;
    let panel = Panel { lister: Lister::open(&[dir], Policy::default())? };
    let mut files = ChatFiles::default();
    let mut shown = panel.show("An empty chat", &files, None)?;
    for word in words {
        let name = PathArg::from(word.into_vec());
        files.in_chat.push(name.clone());
        shown = panel.show(&format!("{name:?} enters the chat"), &files, Some(&shown))?;
    }
    if !files.in_chat.is_empty() {
        let name = files.in_chat.remove(0);
        files.read_only.push(name.clone());
        panel.show(&format!("{name:?} is only read from now on"), &files, Some(&shown))?;
    }
    Ok(())
}

/// What the panel is drawn from.
struct Panel {
    lister: Lister,
}

impl Panel {
    /// Prints the groups, with what is new in each.
    fn show(
        &self,
        title: &str,
        files: &ChatFiles,
        before: Option<&Chat>,
    ) -> Result<Chat, ListError> {
        let chat = self.groups(files)?;
        println!("{title}");
        group("In the chat", &chat.in_chat, before.map(|before| &before.in_chat));
        group("Read-only", &chat.read_only, before.map(|before| &before.read_only));
        let others = chat.repo.count.unwrap_or(chat.repo.returned);
        println!("  Not in the chat: {others}\n");
        Ok(chat)
    }

    /// The groups beside what a searcher sees. Only the first page is wanted, and the exact total.
    fn groups(&self, files: &ChatFiles) -> Result<Chat, ListError> {
        let request =
            ListRequest { limit: Some(1), count: true, ..ListRequest::new(Mode::Files, ".") };
        let host = HostSide { chat: Some(Arc::new(files.clone())), ..HostSide::default() };
        let page = self.lister.list_for(&request, &host, &Cancel::new())?;
        Ok(page.chat.map(|chat| *chat).unwrap_or_default())
    }
}

fn group(title: &str, group: &ChatGroup, before: Option<&ChatGroup>) {
    println!("  {title} ({})", group.count);
    let has =
        |group: &ChatGroup, file: &ChatFile| group.files.iter().any(|one| one.path == file.path);
    for file in &group.files {
        let sign = if before.is_some_and(|before| !has(before, file)) { '+' } else { ' ' };
        println!("   {sign} {}{}", file.path, mark(file));
    }
    for file in before.iter().flat_map(|before| &before.files).filter(|file| !has(group, file)) {
        println!("   - {}", file.path);
    }
}

fn mark(file: &ChatFile) -> String {
    file.reason.map_or(String::new(), |reason| format!(" [{}]", reason.words()))
}
