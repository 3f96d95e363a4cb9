//! What a listing is put together from.

use std::sync::Arc;

use trilist_core::{Cancel, Identity};

use crate::index::CachedTree;
use crate::memory::KnownIndex;
use crate::objects::Objects;
use crate::work_tree::WorkTree;

/// HEAD's tree, to be read from anywhere.
pub(crate) struct HeadRoot {
    pub(crate) objects: Objects,
    pub(crate) tree: Vec<u8>,
    pub(crate) cached: Option<Arc<CachedTree>>,
}

/// What a listing is made of besides the union.
pub(crate) struct Parts<'a> {
    pub(crate) work_tree: Option<WorkTree<'a>>,
    pub(crate) identity: Identity,
    pub(crate) base: usize,
    pub(crate) head: Option<HeadRoot>,
    pub(crate) known: KnownIndex,
    pub(crate) cancel: &'a Cancel,
    /// Whether the union stands at its first item already.
    pub(crate) begun: bool,
}
