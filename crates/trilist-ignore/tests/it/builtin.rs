//! The builtin list.

use trilist_ignore::BuiltinNames;

#[test]
fn the_list_is_the_designed_one() {
    let mut names: Vec<&str> =
        BuiltinNames::standard().entries().iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    let mut wanted = [
        "node_modules",
        "bower_components",
        "__pycache__",
        ".venv",
        "venv",
        ".tox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".gradle",
        ".terraform",
        ".next",
        ".nuxt",
        ".svelte-kit",
        ".turbo",
        ".parcel-cache",
        ".zig-cache",
        ".cache",
    ];
    wanted.sort_unstable();
    assert_eq!(names, wanted);
}

#[test]
fn an_entry_names_its_line() {
    let data = include_str!("../../data/builtin.txt");
    for entry in BuiltinNames::standard().entries() {
        assert_eq!(data.lines().nth(entry.line as usize - 1), Some(entry.name));
        assert_eq!(BuiltinNames::standard().find(entry.name.as_bytes()), Some(entry));
    }
}

#[test]
fn only_exact_names_are_found() {
    for name in
        ["", "node_module", "node_modules2", "Node_Modules", "a/node_modules", "# Python", "build"]
    {
        assert_eq!(BuiltinNames::standard().find(name.as_bytes()), None, "{name}");
    }
    assert_eq!(BuiltinNames::standard().find(b"venv\xff"), None);
}

#[test]
fn a_list_of_ones_own_counts_places() {
    let list = BuiltinNames::of(&["b", "", "a", "b"]);
    let found = |name: &[u8]| list.find(name).map(|entry| entry.line);
    assert_eq!([found(b"a"), found(b"b"), found(b"")], [Some(3), Some(1), None]);
    let names: Vec<&str> = list.entries().iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["b", "a"]);
}
