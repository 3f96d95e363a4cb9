//! A host that serves calls side by side: `parallel_calls DIR`.
//!
//! It reads a call a line from standard input, `{"id": 1, "list": {"mode": "fs", "path": "."}}`,
//! and answers each with a line as soon as it is done: `{"id": 1, "page": …}` or
//! `{"id": 1, "error": …}`. `{"cancel": 1}` cancels a call. At the end of its input it waits for
//! what is still under way.
//!
//! ```console
//! $ cargo run -p trilist --features tokio --example parallel_calls -- . <<'END'
//! {"id": 1, "list": {"mode": "files", "limit": 1}}
//! {"id": 2, "list": {"mode": "vcs", "path": "crates", "limit": 1}}
//! END
//! ```

#![allow(clippy::print_stdout, reason = "this is how the host answers")]

use std::collections::HashMap;
use std::error::Error;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use trilist::{AsyncLister, ErrorReply, ListRequest, Lister, Policy, Workers};

/// A line of the input.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Call { id: u64, list: Box<ListRequest> },
    Cancel { cancel: u64 },
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args_os().nth(1).ok_or("the directory is missing")?;
    let dir = std::path::absolute(dir)?;
    let lister = AsyncLister::new(Lister::open(&[dir], Policy::default())?, Workers::default());
    let mut lines = BufReader::new(stdin()).lines();
    let mut under_way = JoinSet::new();
    let mut tokens = HashMap::new();
    loop {
        tokio::select! {
            line = lines.next_line() => match line? {
                None => break,
                Some(line) => match serde_json::from_str(&line) {
                    Ok(Line::Call { id, list }) => {
                        let token = CancellationToken::new();
                        tokens.insert(id, token.clone());
                        under_way.spawn(answer(lister.clone(), id, *list, token));
                    }
                    Ok(Line::Cancel { cancel }) => {
                        if let Some(token) = tokens.get(&cancel) {
                            token.cancel();
                        }
                    }
                    Err(error) => println!("{}", json!({ "error": error.to_string() })),
                },
            },
            Some(done) = under_way.join_next() => tell(&mut tokens, done?),
        }
    }
    while let Some(done) = under_way.join_next().await {
        tell(&mut tokens, done?);
    }
    Ok(())
}

async fn answer(
    lister: AsyncLister,
    id: u64,
    request: ListRequest,
    token: CancellationToken,
) -> (u64, Result<Value, ErrorReply>) {
    let page = lister.list(request, token).await;
    (id, page.map(|page| json!(page)).map_err(|error| error.reply()))
}

fn tell(tokens: &mut HashMap<u64, CancellationToken>, done: (u64, Result<Value, ErrorReply>)) {
    let (id, answer) = done;
    tokens.remove(&id);
    match answer {
        Ok(page) => println!("{}", json!({ "id": id, "page": page })),
        Err(error) => println!("{}", json!({ "id": id, "error": error })),
    }
}
