//! Arguments at their bounds and beyond: numbers, globs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trilist::{Cancel, IgnorePolicy, ListError, ListRequest, Lister, Mode, Policy};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{ask, assert_clean, check_error, lister};

fn small() -> Tree {
    TreeBuilder::new().files(["a", "b/c"]).build()
}

/// The request with one field of JSON set, as a host that takes JSON reads it.
fn with_field(field: &str, value: &Value) -> Result<ListRequest, serde_json::Error> {
    // From text, since not every number of JSON is a number here.
    let text = format!("{{\"mode\": \"fs\", \"{field}\": {value}}}");
    serde_json::from_str(&text)
}

/// Each numeric field, its least and its largest value under the usual policy.
const FIELDS: [(&str, u64, u64); 5] = [
    ("depth", 1, 4_096),
    ("limit", 1, 1_000),
    ("max_bytes", 1_024, 1 << 20),
    ("deadline_ms", 1, 60_000),
    ("offset", 1, u64::MAX),
];

#[test]
fn t37_numbers_inside_their_bounds_are_taken_and_none_beyond() {
    let tree = small();
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let powers = [8, 16, 31, 32, 53, 63].map(|bits| 1u64 << bits);
    for (field, least, most) in FIELDS {
        let around = [least, most].into_iter().chain(powers).chain([u64::MAX]);
        let values =
            around.flat_map(|value| [value.saturating_sub(1), value, value.saturating_add(1)]);
        for value in values {
            let refused = match with_field(field, &json!(value)) {
                // Wider than the field: the reader of JSON says so, and nothing wraps.
                Err(error) => Some(error.to_string()),
                Ok(request) => refused(&lister, &request, field),
            };
            let right = (least..=most).contains(&value);
            assert_eq!(refused.is_none(), right, "{field} = {value}: {refused:?}");
        }
    }
}

/// What is said against the field, if that is what the request fails of.
fn refused(lister: &Lister, request: &ListRequest, field: &str) -> Option<String> {
    match lister.list(request, &Cancel::new()) {
        Err(error @ ListError::InvalidArgument { .. }) => {
            let message = error.to_string();
            assert!(message.starts_with(&format!("`{field}` is ")), "{message}");
            Some(message)
        }
        // An offset behind the end is a number that can be used, and so is a millisecond.
        Err(ListError::OffsetOutOfRange { .. } | ListError::Timeout) | Ok(_) => None,
        Err(error) => panic!("{field}: {error}"),
    }
}

#[test]
fn t37_what_is_no_whole_number_is_no_number_here() {
    for (field, ..) in FIELDS {
        for text in ["-1", "1.5", "1e400", "-0.5", "18446744073709551616", "true", "[]", "{}"] {
            let request = format!("{{\"mode\": \"fs\", \"{field}\": {text}}}");
            let read = serde_json::from_str::<ListRequest>(&request);
            assert!(read.is_err(), "{request} was read");
        }
    }
}

#[test]
fn t37_the_largest_offset_is_behind_the_end_in_every_order() {
    let tree = small();
    for mode in [Mode::Fs, Mode::Files] {
        for offset in [4, (1 << 53) + 1, u64::MAX - 1, u64::MAX] {
            let request = ListRequest { offset: Some(offset), ..ask(mode, ".") };
            let error = check_error(&tree, &request, "offset_out_of_range");
            let entries = if mode == Mode::Fs { 3 } else { 2 };
            assert_eq!(error, ListError::OffsetOutOfRange { offset, entries });
            let sorted = ListRequest { reverse: true, ..request };
            let code = if offset == 4 { "offset_out_of_range" } else { "invalid_argument" };
            check_error(&tree, &sorted, code);
        }
    }
}

/// The ways by which globs get into a request.
fn with_glob(glob: &str) -> [ListRequest; 3] {
    let one = || vec![glob.to_owned()];
    let plain = ask(Mode::Files, ".");
    [
        ListRequest { pattern: one(), ..plain.clone() },
        ListRequest {
            ignore: IgnorePolicy { patterns: one(), ..IgnorePolicy::default() },
            ..plain.clone()
        },
        ListRequest { ignore: IgnorePolicy { keep: one(), ..IgnorePolicy::default() }, ..plain },
    ]
}

#[test]
fn t48_globs_that_are_too_long_are_refused_and_name_their_field() {
    let tree = small();
    let fields = ["pattern", "ignore.patterns", "ignore.keep"];
    for (request, field) in with_glob(&"a".repeat(1_025)).iter().zip(fields) {
        let error = check_error(&tree, request, "invalid_argument").to_string();
        assert!(error.starts_with(&format!("`{field}` is ")), "{error}");
        assert!(error.len() < 600, "what is too long is not repeated: {error}");
    }
    for request in with_glob(&"a".repeat(1_024)) {
        lister(tree.path()).list(&request, &Cancel::new()).unwrap();
    }
    let many = ListRequest { pattern: vec!["a".to_owned(); 257], ..ask(Mode::Files, ".") };
    check_error(&tree, &many, "invalid_argument");
}

#[test]
fn t48_heavy_globs_are_refused_or_answer_in_time() {
    let long = "ab".repeat(120);
    let names: Vec<String> = (0..50).map(|number| format!("{number:02}{long}")).collect();
    let tree = TreeBuilder::new().files(&names).build();
    let nested = |levels: usize| format!("{}b{}", "{a,".repeat(levels), "}".repeat(levels));
    let wide = format!(
        "{{{}}}",
        (0..200).map(|number| format!("a{number}")).collect::<Vec<_>>().join(",")
    );
    let globs = [
        "*a".repeat(60) + "c",
        "*".repeat(60),
        "**/".repeat(60) + "x",
        "a*".repeat(500),
        "?".repeat(240) + "*z",
        "[a-z]".repeat(200),
        "[!a]*".repeat(200),
        nested(5),
        nested(100),
        nested(300),
        wide.clone(),
        format!("{wide}{wide}"),
        "{a,b}".repeat(200),
    ];
    let lister = lister(tree.path());
    for glob in &globs {
        for request in with_glob(glob) {
            // A busy machine may be late once.
            let quickest = (0..3).map(|_| answers_in(&lister, &request)).min().unwrap();
            // Test programs are not optimised, so they have more time than the 100 ms promised.
            assert!(quickest < Duration::from_millis(400), "{glob}: {quickest:?}");
        }
    }
}

fn answers_in(lister: &Lister, request: &ListRequest) -> Duration {
    let start = Instant::now();
    match lister.list(request, &Cancel::new()) {
        Ok(_) => {}
        Err(error) => {
            assert_eq!(error.code(), "invalid_argument", "{error}");
            assert_clean(&error.to_string());
        }
    }
    start.elapsed()
}
