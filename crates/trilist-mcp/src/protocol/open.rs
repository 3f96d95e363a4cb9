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

    /// Notes that a request is answered elsewhere.
    pub(crate) fn forget(&mut self, message: &ClientJsonRpcMessage) {
        if let JsonRpcMessage::Request(request) = message {
            self.ids.remove(&request.id);
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

#[cfg(test)]
mod tests {
    use rmcp::model::{ErrorData, JsonRpcMessage, NumberOrString};
    use serde_json::json;

    use super::{CANCELLED, Open};
    use crate::protocol::message;

    /// Whether a line is let in.
    fn takes(open: &mut Open, line: &serde_json::Value) -> bool {
        let message = message::read(line.to_string().as_bytes()).expect("it is a message");
        open.takes(&message.expect("it is no answer"))
    }

    fn ping(open: &mut Open, id: i64) -> bool {
        takes(open, &json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }))
    }

    fn cancel(open: &mut Open, id: i64) {
        let method = "notifications/cancelled";
        let params = json!({ "requestId": id });
        assert!(takes(open, &json!({ "jsonrpc": "2.0", "method": method, "params": params })));
    }

    fn answer(open: &mut Open, id: i64) {
        let error = ErrorData::internal_error("no", None);
        open.answered(&JsonRpcMessage::error(error, Some(NumberOrString::Number(id))));
    }

    #[test]
    fn an_id_is_free_again_when_it_is_answered() {
        let mut open = Open::default();
        assert!(ping(&mut open, 1) && ping(&mut open, 2));
        assert!(!ping(&mut open, 1));
        answer(&mut open, 1);
        assert!(ping(&mut open, 1) && !ping(&mut open, 2));
        // An answer that was under way when its request was cancelled counts as one.
        cancel(&mut open, 2);
        answer(&mut open, 2);
        assert!(ping(&mut open, 2));
    }

    #[test]
    fn cancelled_ids_are_kept_and_take_bounded_room() {
        let mut open = Open::default();
        let last = CANCELLED as i64;
        for id in 0..=last {
            assert!(ping(&mut open, id));
            cancel(&mut open, id);
            cancel(&mut open, id);
        }
        cancel(&mut open, -1);
        assert_eq!((open.ids.len(), open.cancelled.len()), (CANCELLED, CANCELLED));
        assert!(ping(&mut open, 0) && !ping(&mut open, 1) && !ping(&mut open, last));
    }
}
