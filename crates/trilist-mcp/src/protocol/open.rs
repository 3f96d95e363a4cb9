//! The requests that are not answered yet.

use std::collections::{HashSet, VecDeque};

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};

/// Cancelled requests whose ids are kept.
const CANCELLED: usize = 256;

/// Ids that are in use. The layer above forgets a request whose id comes again, and would take the
/// last words of a cancelled one for the answer to a later one with its id.
#[derive(Default)]
pub(crate) struct Open {
    ids: HashSet<RequestId>,
    /// Those among them that will never be answered, the oldest first.
    cancelled: VecDeque<RequestId>,
}

impl Open {
    /// Notes what a message begins or cancels; false for a request whose id is in use.
    pub(crate) fn takes(&mut self, message: &ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => self.ids.insert(request.id.clone()),
            JsonRpcMessage::Notification(told) => {
                if let ClientNotification::CancelledNotification(cancelled) = &told.notification {
                    cancelled.params.request_id.iter().for_each(|id| self.cancel(id));
                }
                true
            }
            _ => true,
        }
    }

    /// Notes that a message answers a request.
    pub(crate) fn answered(&mut self, message: &ServerJsonRpcMessage) {
        let id = match message {
            JsonRpcMessage::Response(answer) => Some(&answer.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            self.ids.remove(id);
            self.cancelled.retain(|cancelled| cancelled != id);
        }
    }

    fn cancel(&mut self, id: &RequestId) {
        if !self.ids.contains(id) || self.cancelled.contains(id) {
            return;
        }
        self.cancelled.push_back(id.clone());
        if self.cancelled.len() > CANCELLED
            && let Some(oldest) = self.cancelled.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }
}
