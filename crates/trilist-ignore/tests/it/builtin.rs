//! The builtin list.

use trilist_ignore::builtin;

#[test]
fn the_list_is_the_designed_one() {
    let mut names: Vec<&str> = builtin::entries().iter().map(|entry| entry.name).collect();
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
    for entry in builtin::entries() {
        assert_eq!(data.lines().nth(entry.line as usize - 1), Some(entry.name));
        assert_eq!(builtin::find(entry.name.as_bytes()), Some(*entry));
    }
}

#[test]
fn only_exact_names_are_found() {
    for name in
        ["", "node_module", "node_modules2", "Node_Modules", "a/node_modules", "# Python", "build"]
    {
        assert_eq!(builtin::find(name.as_bytes()), None, "{name}");
    }
    assert_eq!(builtin::find(b"venv\xff"), None);
}
