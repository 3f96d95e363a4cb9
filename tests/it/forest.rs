//! Random trees on disk, with names and rules that lead listings astray.

use std::collections::BTreeMap;
use std::fmt;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use trilist_tests::{Tree, TreeBuilder};

/// Names that sort around `/`, hide, look like marks or lines of a reply, or cannot be shown.
const NAMES: &[&[u8]] = &[
    b"a",
    b"a-b",
    b"a.b",
    b"a0",
    b"A",
    "é".as_bytes(),
    b".h",
    b"..x",
    b"a b",
    b" lead",
    b"trail ",
    b"q\"uote",
    b"\"quoted\"",
    b"new\nline",
    b"\xff",
    b"a\xff-",
    "bidi\u{202e}x".as_bytes(),
    "zero\u{200b}".as_bytes(),
    b"back\\slash",
    b"b [skipped: builtin]",
    b"l -> t",
    b"link@",
    b"2 entries, complete",
    b"CUT after 1 entry",
    b"x (continued)",
    b"node_modules",
    b"venv",
    b"longer-than-eight-bytes",
    b"longer-than-eight-bytes-",
];

const TARGETS: &[&[u8]] =
    &[b"a", b".", b"..", b"missing", b"../a", b"a/a-b", b"node_modules", b"\xff"];

/// Rules that git and ripgrep read alike.
const RULES: &[&str] = &[
    "a",
    "/a",
    "a/",
    "*",
    "!*/",
    "!a",
    "!a/",
    "*.b",
    "a*",
    "!a-b",
    "a/*",
    "!a/a0",
    "**/A",
    "a/**",
    ".h",
    "!.h",
    "/*",
    "# a",
    "",
    "\\!x",
    "node_modules",
    "[a-c]*",
    "!/a/",
    "a?",
    "*b",
];

/// Lines that are no patterns.
const BAD_RULES: &[&str] = &["[z-a]", "end\\"];

/// What lies at a name.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    File,
    Link(&'static [u8]),
    Dir(Forest),
    /// The lines of an ignore file.
    Rules(Vec<&'static str>),
    /// A `.git` with these lines in `info/exclude`.
    Git(Vec<&'static str>),
}

/// A directory's names.
pub(crate) type Forest = BTreeMap<Name, Node>;

/// A name, which a failing case shows as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(&'static [u8]);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// What random trees hold besides files and directories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    /// Ignore files.
    pub(crate) rules: bool,
    /// Ignore files with lines that are no patterns.
    pub(crate) bad_rules: bool,
    /// `.git` directories.
    pub(crate) git: bool,
}

/// Trees of at most four levels and about forty entries.
pub(crate) fn forests(ground: Ground) -> impl Strategy<Value = Forest> {
    let leaf = prop_oneof![
        6 => Just(Node::File),
        2 => prop::sample::select(TARGETS).prop_map(Node::Link),
        1 => Just(Node::Dir(Forest::new())),
    ];
    let tree = leaf.prop_recursive(4, 48, 6, move |inner| level(ground, inner).prop_map(Node::Dir));
    level(ground, tree)
}

fn level(
    ground: Ground,
    inner: impl Strategy<Value = Node> + Clone + 'static,
) -> impl Strategy<Value = Forest> {
    let name = prop::sample::select(NAMES).prop_map(Name);
    let names = btree_map(name, inner, 0..7);
    let rules = lines(ground.bad_rules).prop_map(Node::Rules);
    let files = btree_map(
        prop::sample::select(&[".gitignore", ".ignore", ".rgignore"][..])
            .prop_map(|name| Name(name.as_bytes())),
        rules,
        1..3,
    );
    let git = btree_map(Just(Name(b".git")), lines(false).prop_map(Node::Git), 1..2);
    let (some_rules, some_git) = (sometimes(ground.rules, 0.4), sometimes(ground.git, 0.35));
    (names, files, git, some_rules, some_git).prop_map(
        |(mut names, files, git, rules, repository)| {
            names.extend(files.into_iter().filter(|_| rules));
            names.extend(git.into_iter().filter(|_| repository));
            names
        },
    )
}

fn sometimes(wanted: bool, how_often: f64) -> impl Strategy<Value = bool> + Clone {
    prop::bool::weighted(how_often).prop_map(move |yes| yes && wanted)
}

fn lines(bad: bool) -> impl Strategy<Value = Vec<&'static str>> + Clone {
    let all: Vec<&'static str> = match bad {
        true => [RULES, BAD_RULES].concat(),
        false => RULES.to_vec(),
    };
    vec(prop::sample::select(all), 0..5)
}

/// Makes the tree.
pub(crate) fn plant(forest: &Forest) -> Tree {
    grow(TreeBuilder::new(), b"", forest).build()
}

fn grow(tree: TreeBuilder, above: &[u8], forest: &Forest) -> TreeBuilder {
    forest.iter().fold(tree, |tree, (name, node)| {
        let path = [above, name.0].concat();
        match node {
            Node::File => tree.file(&path, "x"),
            Node::Link(target) => tree.symlink(&path, target),
            Node::Rules(lines) => tree.file(&path, lines.join("\n")),
            Node::Git(lines) => tree
                .file([&path[..], b"/HEAD"].concat(), "ref: refs/heads/main\n")
                .dir([&path[..], b"/objects"].concat())
                .dir([&path[..], b"/refs"].concat())
                .file([&path[..], b"/info/exclude"].concat(), lines.join("\n")),
            Node::Dir(below) => grow(tree.dir(&path), &[&path[..], b"/"].concat(), below),
        }
    })
}
