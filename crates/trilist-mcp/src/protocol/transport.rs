//! The way between the protocol's layer and two streams.

use std::future::{self, Future};
use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta as _, ProtocolVersion, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::json;

use super::ending::Ending;
use super::input::{Incoming, Input, Reader};
use super::message::{self, Refusal};
use super::open::Open;
use super::outbox::Outbox;

/// Bounded lines in, an outbox out.
pub(crate) struct Lines {
    incoming: Reader,
    outbox: Arc<Outbox>,
    ending: Arc<Ending>,
    open: Open,
    /// How the session has begun, if it has. What is no request before that is dropped: the layer
    /// above would give up.
    begun: Option<Begun>,
}

impl Lines {
    /// Starts reading. Called in the runtime.
    ///
    /// # Errors
    ///
    /// When there is no thread to be had.
    pub(crate) fn start(
        input: impl Input,
        outbox: Arc<Outbox>,
        ending: Arc<Ending>,
    ) -> io::Result<Lines> {
        let incoming = Reader::start(Box::new(input))?;
        Ok(Lines { incoming, outbox, ending, open: Open::default(), begun: None })
    }

    fn refuse(&self, Refusal { id, error }: Refusal) -> io::Result<()> {
        self.outbox.push(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.open.answered(&item);
        future::ready(self.outbox.push(&item))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.outbox.room().await;
            match self.incoming.next().await {
                Some(Incoming::Message(message)) => {
                    if !self.open.takes(&message) {
                        self.refuse(message::in_use(*message)).ok()?;
                        continue;
                    }
                    let begins = begins(&message);
                    if (self.begun, begins) == (Some(Begun::Without), Some(Begun::Initialize)) {
                        // The layer above would answer it, and refuse whatever relies upon it.
                        self.open.forget(&message);
                        self.refuse(message::has_begun(*message)).ok()?;
                        continue;
                    }
                    self.begun = self.begun.or(begins);
                    let is_request = matches!(*message, ClientJsonRpcMessage::Request(_));
                    if self.begun.is_some() || is_request {
                        return Some(*message);
                    }
                }
                Some(Incoming::Refused(refusal)) => self.refuse(refusal).ok()?,
                Some(Incoming::Failed(error)) => {
                    self.ending.failed(error);
                    return None;
                }
                None => {
                    self.ending.ended();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    /// With `initialize`.
    Initialize,
    /// With a request that says itself which revision it speaks.
    Without,
}

/// How a session begins with a message, if it can. Must agree with the layer above.
fn begins(message: &ClientJsonRpcMessage) -> Option<Begun> {
    let ClientJsonRpcMessage::Request(message) = message else { return None };
    match &message.request {
        ClientRequest::InitializeRequest(_) => Some(Begun::Initialize),
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => None,
        request => {
            let meta = request.get_meta();
            let speaks = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            let says = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(speaks);
            says.then_some(Begun::Without)
        }
    }
}
