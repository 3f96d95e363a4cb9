//! Random listings that keep a source's promises.

use std::collections::BTreeMap;

use proptest::prelude::*;
use trilist_core::{FaultCode, Kind, Metadata, Modified, Reason};

use crate::fake::{Fake, Said, dir, fault, ignored, omitted, with_metadata};

/// Bytes that make order and quoting hard: neighbours of `/`, an invalid byte, a quote.
const BYTES: &[u8] = b"ab-.!A\"\xff\n";

fn name() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(BYTES), 1..3)
        .prop_filter("`.` and `..` are no names", |name| name != b"." && name != b"..")
}

fn path() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(name(), 1..4).prop_map(|names| names.join(&b'/'))
}

fn metadata() -> impl Strategy<Value = Metadata> {
    // Few values, so that ties are common; none at times.
    let size = prop::option::of(0u64..4);
    let seconds = prop::option::of(-2i64..2);
    (size, seconds).prop_map(|(size_bytes, seconds)| Metadata {
        size_bytes,
        modified: seconds.map(|seconds| Modified { seconds, nanoseconds: 5 }),
        permissions: Some(0o644),
        target: None,
        id: None,
    })
}

/// What stands at a path.
#[derive(Debug, Clone)]
enum Node {
    Entry(Kind, Metadata),
    Omitted(Kind, Reason),
    Ignored(u32),
    /// A directory with faults.
    Faulty(Vec<bool>),
}

fn node() -> impl Strategy<Value = Node> {
    let kinds = prop::sample::select(&Kind::ALL[..]);
    prop_oneof![
        6 => (kinds.clone(), metadata()).prop_map(|(kind, meta)| Node::Entry(kind, meta)),
        2 => (kinds, prop::sample::select(&Reason::COUNTED[..]))
            .prop_map(|(kind, reason)| Node::Omitted(kind, reason)),
        1 => (1u32..5).prop_map(Node::Ignored),
        1 => prop::collection::vec(any::<bool>(), 1..4).prop_map(Node::Faulty),
    ]
}

/// A listing of up to some thirty nodes, every parent a row of its own.
pub(crate) fn listing() -> impl Strategy<Value = Fake> {
    prop::collection::vec((path(), node()), 0..30).prop_map(|nodes| build(&nodes))
}

fn build(nodes: &[(Vec<u8>, Node)]) -> Fake {
    let mut tree: BTreeMap<&[u8], Option<&Node>> = BTreeMap::new();
    for (path, node) in nodes {
        tree.entry(path).or_insert(Some(node));
    }
    // Whatever has something below it is a directory that is shown.
    for (path, _) in nodes {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (at, _) in slashes {
            let parent = tree.entry(&path[..at]).or_insert(None);
            if !matches!(parent, Some(Node::Faulty(_))) {
                *parent = None;
            }
        }
    }
    Fake::new(tree.into_iter().flat_map(|(path, node)| said(path, node)).collect())
}

fn said(path: &[u8], node: Option<&Node>) -> Vec<Said> {
    match node {
        None => vec![dir(path)],
        Some(Node::Entry(kind, metadata)) => vec![with_metadata(path, *kind, metadata.clone())],
        Some(Node::Omitted(kind, reason)) => vec![omitted(path, *kind, *reason)],
        Some(Node::Ignored(line)) => vec![ignored(path, "sub/.gitignore", *line, "*.o")],
        Some(Node::Faulty(gaps)) => {
            let faults = gaps.iter().map(|gap| fault(path, FaultCode::IoError, *gap));
            std::iter::once(dir(path)).chain(faults).collect()
        }
    }
}
