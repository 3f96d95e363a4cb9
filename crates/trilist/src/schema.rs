//! JSON Schemas of everything that goes over the wire, from the types themselves.

use serde_json::Value;

pub use trilist_core::schema::of;

use crate::compare::{CompareRequest, Comparison};
use crate::overview::{Overview, OverviewRequest};

/// The schemas by file name: requests, replies, and the reply of a failed call.
pub fn all() -> Vec<(&'static str, Value)> {
    let mut all = trilist_core::schema::all();
    all.extend([
        ("compare_request.json", of::<CompareRequest>()),
        ("compare_reply.json", of::<Comparison>()),
        ("overview_request.json", of::<OverviewRequest>()),
        ("overview_reply.json", of::<Overview>()),
    ]);
    all
}
