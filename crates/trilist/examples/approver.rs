//! A host that asks before it lists: `approver DIR PATH...`.
//!
//! DIR is the one root. Each PATH is listed by a call of its own, as a model's would be, after the
//! questions that the call asks. Answers are lines of standard input: `y` (yes), `a` (yes, from now
//! on), `n` (no) or `never`; the end of the input is a no.
//!
//! ```console
//! $ cargo run -p trilist --example approver -- . crates crates/trilist /etc
//! ```

#![allow(clippy::print_stdout, reason = "this is what the user sees")]

use std::error::Error;
use std::io::{Write as _, stdin, stdout};
use std::os::unix::ffi::OsStringExt as _;
use std::sync::{Arc, Mutex, PoisonError};

use trilist::{
    Approver, Cancel, Decision, ListRequest, Lister, Mode, PathArg, Permission, Policy, Question,
    View, render,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let dir = std::path::absolute(words.next().ok_or("the directory is missing")?)?;
    let policy =
        Policy { list: Permission::Ask, external_directory: Permission::Ask, ..Policy::default() };
    let lister = Lister::open(&[dir], policy)?.with_approver(Arc::new(Terminal::default()));
    for word in words {
        let path = PathArg::from(word.into_vec());
        let request = ListRequest { depth: Some(1), ..ListRequest::new(Mode::Fs, path) };
        match lister.list(&request, &Cancel::new()) {
            Ok(page) => println!("{}", render::text(&page, View::Tree)),
            Err(error) => {
                println!("{}: {error}. {}\n", error.code(), error.hint().unwrap_or_default())
            }
        }
    }
    Ok(())
}

/// Prompts on a terminal, one at a time.
#[derive(Default)]
struct Terminal {
    turn: Mutex<()>,
}

impl Approver for Terminal {
    fn ask(&self, question: &Question, cancel: &Cancel) -> Decision {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Somebody else's prompt may have taken long.
            if cancel.check().is_err() {
                return Decision::RejectOnce;
            }
            print!("[{}] May it {question}? y, a(lways), n, never: ", question.kind.name());
            let mut line = String::new();
            let read = stdout().flush().and_then(|()| stdin().read_line(&mut line));
            println!();
            match line.trim() {
                "y" => return Decision::AllowOnce,
                "a" => return Decision::AllowAlways,
                "never" => return Decision::RejectAlways,
                "n" => return Decision::RejectOnce,
                _ if read.unwrap_or(0) == 0 => return Decision::RejectOnce,
                other => println!("{other:?} is no answer."),
            }
        }
    }
}
