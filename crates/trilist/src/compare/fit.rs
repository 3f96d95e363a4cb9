//! Ending a comparison's rows where its bytes end.

use trilist_core::TruncatedBy;

use super::reply::{ComparedPath, Comparison};
use crate::render;

/// Ends the rows of a reply that would be longer than so many bytes as text or as JSON, and says
/// so; one row is given in any case. `skipped` rows came before.
pub(super) fn fit(reply: &mut Comparison, skipped: u64, max_bytes: usize) {
    if reply.rows.len() < 2 || Bytes::of(reply).longer() <= max_bytes {
        return;
    }
    let mut rows = std::mem::take(&mut reply.rows);
    // With its longest numbers, so that the lines of a cut are counted.
    cut(reply, skipped, rows.len());
    let mut bytes = Bytes::of(reply);
    let fits = |row: &&ComparedPath| {
        bytes.add(row);
        bytes.longer() <= max_bytes
    };
    let fitting = rows.iter().take_while(fits).count().max(1);
    rows.truncate(fitting);
    cut(reply, skipped, fitting);
    reply.rows = rows;
}

fn cut(reply: &mut Comparison, skipped: u64, returned: usize) {
    reply.returned = returned as u64;
    reply.next_offset = Some(skipped + reply.returned + 1);
    if matches!(reply.truncated_by, None | Some(TruncatedBy::Limit)) {
        reply.truncated_by = Some(TruncatedBy::Budget);
    }
    reply.truncated = true;
    reply.complete = false;
}

/// How long a reply is.
struct Bytes {
    text: usize,
    json: usize,
}

impl Bytes {
    fn of(reply: &Comparison) -> Bytes {
        let (text, json) = (render::comparison(reply), render::comparison_json(reply));
        Bytes { text: text.len(), json: json.len() }
    }

    fn add(&mut self, row: &ComparedPath) {
        let mut line = String::new();
        row.with_ref(|row| render::push_compared(row, &mut line));
        self.text += line.len();
        // A comma goes before it.
        self.json += render::compared_json(row).len() + 1;
    }

    fn longer(&self) -> usize {
        self.text.max(self.json)
    }
}
