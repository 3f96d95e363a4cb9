//! The orders by locale, judged by Node.

use std::cmp::Ordering;

use serde_json::Value;
use trilist_compat::order::{Locale, utf16};
use trilist_tests::case;

fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn check(order: &str, mut compare: impl FnMut(&str, &str) -> Ordering) {
    let recorded = case("node", "collation--names");
    let orders = &recorded["expected"]["orders"];
    let mut sorted = names(&orders["utf8"]);
    assert!(sorted.len() > 400);
    // Names that are equal keep their order of bytes.
    sorted.sort_by(|a, b| compare(a, b));
    assert_eq!(sorted, names(&orders[order]), "order {order}");
}

#[test]
fn names_come_in_the_orders_of_node() {
    let (plain, numeric) = (Locale::plain(), Locale::numeric_base());
    check("utf16", utf16);
    check("locale", |a, b| plain.compare(a, b));
    check("locale_numeric_base", |a, b| numeric.compare(a, b));
}
