//! Words that make no request, and help.

use insta::assert_snapshot;
use trilist_tests::Tree;

use crate::support::trilist;

#[test]
fn a_flag_that_does_not_exist_is_an_error() {
    let tree = Tree::empty();
    let later = ["--sizes", "-x"];
    for flag in later {
        let answer = trilist(&tree).arg(flag).exits(2);
        let message = format!("invalid_argument: unexpected argument '{flag}' found\n");
        assert!(answer.stderr.starts_with(&message), "{answer}");
        assert_eq!(answer.stdout, "");
    }
    for view in ["columns", "grid"] {
        let answer = trilist(&tree).args(["--view", view]).exits(2);
        assert!(answer.stderr.starts_with("invalid_argument: invalid value"), "{answer}");
    }
}

#[test]
fn forms_of_output_exclude_each_other() {
    assert_snapshot!(trilist(&Tree::empty()).args(["-1", "--json"]).exits(2), @r#"{"error":{"code":"invalid_argument","message":"the argument '-1' cannot be used with '--json'","hint":"Usage: trilist -1 [PATH] For more information, try '--help'."}}"#);
    assert_snapshot!(trilist(&Tree::empty()).args(["-a", "-n", "5"]).exits(2), @"
    --- standard error
    invalid_argument: the argument '--all' cannot be used with '--limit <N>'

    Usage: trilist --all [PATH]

    For more information, try '--help'.
    ");
}

#[test]
fn what_was_typed_is_shown_safely() {
    let answer = trilist(&Tree::empty()).arg("--x\x1b[31m").exits(2);
    assert!(!answer.stderr.contains('\x1b'), "{answer}");
}

#[test]
fn help_and_version_are_data() {
    let tree = Tree::empty();
    let help = trilist(&tree).arg("--help").ok();
    assert_eq!(help.stderr, "");
    for heading in ["Product:", "Selection:", "Pages:", "Order:", "Output:", "Exit status:"] {
        assert!(help.stdout.contains(heading), "{heading}");
    }
    assert!(help.lines().iter().all(|line| line.chars().count() <= 100));
    assert!(trilist(&tree).arg("--version").ok().stdout.starts_with("trilist "));
}
