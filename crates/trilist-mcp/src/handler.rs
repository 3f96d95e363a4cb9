//! What is done with each request.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation,
    InitializeResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ProgressToken, ServerCapabilities, ServerConfig, Tool as Announced,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::time::{self, Instant};
use trilist::{ListError, quote};

use crate::answer::Answer;
use crate::protocol::ending::Ending;
use crate::server::Server;
use crate::workers::Workers;

/// After how long a call tells that it goes on, and how often.
const PROGRESS: Duration = Duration::from_millis(500);

/// The server as the protocol's layer sees it.
pub(crate) struct Handler {
    server: Arc<Server>,
    announced: Vec<Announced>,
    workers: Workers,
    ending: Arc<Ending>,
}

impl Handler {
    pub(crate) fn new(server: Server, workers: Workers, ending: Arc<Ending>) -> Handler {
        let announced = server.definitions().map(|definition| definition.announced()).collect();
        Handler { server: Arc::new(server), announced, workers, ending }
    }

    fn unknown(&self, name: &str) -> ErrorData {
        let name: String = name.chars().take(64).collect();
        let known: Vec<_> = self.announced.iter().map(|tool| &*tool.name).collect();
        let (name, known) = (quote::printable(&name), known.join(", "));
        ErrorData::invalid_params(format!("there is no tool `{name}`; there are {known}"), None)
    }

    async fn run(&self, at: usize, request: CallToolRequestParams) -> Answer {
        let arguments = self.server.read(at, &request.arguments.unwrap_or_default());
        let answer = match arguments.fields {
            Ok(fields) => self.work(at, fields).await,
            Err(error) => error.into(),
        };
        answer.with_notices(arguments.notices)
    }

    async fn work(&self, at: usize, fields: Map<String, Value>) -> Answer {
        let server = Arc::clone(&self.server);
        let (weight, deadline) = (server.weight(at, &fields), server.deadline(&fields));
        self.workers.run(weight, deadline, move |cancel| server.call(at, fields, cancel)).await
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("trilist", env!("CARGO_PKG_VERSION")).with_title("trilist");
        let can = ServerCapabilities::builder().enable_tools().build();
        InitializeResult::new(can).with_server_info(name)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("`cursor`: all tools are on one page", None));
        }
        Ok(ListToolsResult::with_all_items(self.announced.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let at = self.announced.iter().position(|tool| tool.name == request.name);
        let at = at.ok_or_else(|| self.unknown(&request.name))?;
        let token = context.meta.get_progress_token();
        let answer = tokio::select! {
            biased;
            // The layer above sends no answer to a cancelled request.
            () = context.ct.cancelled() => ListError::Cancelled.into(),
            () = self.ending.over() => ListError::Cancelled.into(),
            answer = self.run(at, request) => answer,
            () = tell_progress(&context.peer, token) => ListError::Cancelled.into(),
        };
        Ok(CallToolResponse::Complete(CallToolResult::from(answer)))
    }
}

/// Tells from time to time that the call goes on, to a client that has asked for it; never ends.
async fn tell_progress(peer: &Peer<RoleServer>, token: Option<ProgressToken>) {
    let Some(token) = token else { return std::future::pending().await };
    let start = Instant::now();
    let mut ticks = time::interval_at(start + PROGRESS, PROGRESS);
    loop {
        ticks.tick().await;
        let seconds = start.elapsed().as_secs_f64();
        let progress = ProgressNotificationParam::new(token.clone(), seconds)
            .with_message(format!("still listing, {seconds:.1} s"));
        if peer.notify_progress(progress).await.is_err() {
            return std::future::pending().await;
        }
    }
}
