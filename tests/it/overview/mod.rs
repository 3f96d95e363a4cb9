//! A whole directory within a budget of bytes.

mod cases;
mod levels;
mod random;

use trilist::overview::{Measure, Overview, OverviewRequest};
use trilist::{Cancel, Lister, render};

use crate::harness::assert_clean;

/// The overview, which keeps its budget in the form that it is measured in.
#[track_caller]
fn overview(lister: &Lister, request: &OverviewRequest) -> Overview {
    let reply = lister.overview(request, &Cancel::new()).unwrap();
    let (text, json) = (render::overview(&reply), render::overview_json(&reply));
    assert_clean(&text);
    assert_clean(&json);
    let measured = if request.measure == Measure::Text { &text } else { &json };
    let budget = request.max_bytes.unwrap_or(4_000) as usize;
    assert!(measured.len() <= budget, "{} of {budget} bytes:\n{measured}", measured.len());
    reply
}

/// The rows of the text, without the lines around them.
fn rows(reply: &Overview) -> Vec<String> {
    let text = render::overview(reply);
    let first = if reply.truncated { 2 } else { 1 };
    let last = |line: &&str| !line.starts_with("OVERVIEW") && !line.contains(" Left out: ");
    text.lines().skip(first).take_while(last).map(str::to_owned).collect()
}
