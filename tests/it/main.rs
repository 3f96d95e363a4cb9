//! Tests of the test kit and of the house rules, and those that cross crates.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make files and run programs, and fail where they stand"
)]

mod again;
mod agree;
mod budgets;
mod cases;
mod closed;
mod compare;
mod conformance;
mod differ;
mod explain;
mod forest;
mod forged;
mod harness;
mod kit;
mod lazy;
mod modes_table;
mod overview;
mod peak;
mod props;
mod reading;
mod readme;
mod reports;
mod side_by_side;
mod snapshots;
mod threats;
mod tidy;
mod tracked;
mod walk;
