//! What only a host gives, beside a request that may be a model's.

use std::sync::Arc;

use trilist_core::chat::ChatFiles;

use crate::Earlier;

/// What a host adds to a call. None of it is a field of a request, so that no model can set it.
#[derive(Debug, Clone, Default)]
pub struct HostSide {
    /// An earlier reply: only what has changed since is listed. The request's other fields are
    /// then those of that reply; a field that is given must agree with it.
    pub earlier: Option<Arc<Earlier>>,
    /// The files of the chat session: entries get buckets, and the reply has the three groups.
    pub chat: Option<Arc<ChatFiles>>,
}
