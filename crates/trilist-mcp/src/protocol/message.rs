//! From a line to a message, or to the protocol error that it deserves.

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
    ClientJsonRpcMessage, ClientNotification, ClientRequest, CustomNotification, CustomRequest,
    DiscoverRequest, ErrorCode, ErrorData, GetMeta as _, InitializeRequest,
    InitializedNotification, ListToolsRequest, NumberOrString, PingRequest, RequestId,
    RequestMetaObject,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::json::{self, Wrong};

/// The most characters of an unknown method that an answer repeats.
const MOST_SHOWN: usize = 64;

/// The answer to a line that is no message.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The request that the line makes, if that can be told.
    pub(crate) id: Option<RequestId>,
    pub(crate) error: Box<ErrorData>,
}

/// Reads a line; none for an answer to a request, because this server makes none.
pub(crate) fn read(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let fields = match json::parse(line) {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::Array(_)) => return Err(invalid(None, "batches are no part of this protocol")),
        Ok(_) => return Err(invalid(None, "a message is a JSON object")),
        Err(Wrong::Twice) => return Err(invalid(id_of(line), "a name stands twice in one object")),
        Err(Wrong::Syntax(error)) => {
            let error = ErrorData::new(ErrorCode::PARSE_ERROR, format!("no JSON: {error}"), None);
            return Err(Refusal { id: id_of(line), error: Box::new(error) });
        }
    };
    envelope(fields)
}

/// The id of a line that cannot be taken as a whole: a text in it holds half a character, say, or
/// it is too deep.
fn id_of(line: &[u8]) -> Option<RequestId> {
    serde_json::from_value(json::field(line, "id")?).ok()
}

/// The refusal of a request whose id is that of one that is not answered yet.
pub(crate) fn in_use(message: ClientJsonRpcMessage) -> Refusal {
    invalid(
        id_in(message),
        "the id is that of a request that is not answered yet, or was cancelled",
    )
}

/// The refusal of an `initialize` in a session that has begun without.
pub(crate) fn has_begun(message: ClientJsonRpcMessage) -> Refusal {
    invalid(
        id_in(message),
        "the session has begun without `initialize`: each request says which revision it speaks",
    )
}

fn id_in(message: ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(request) => Some(request.id),
        _ => None,
    }
}

/// The refusal of a line that is too long to be read.
pub(crate) fn too_long(max_bytes: usize) -> Refusal {
    invalid(None, format!("a message has at most {max_bytes} bytes"))
}

fn envelope(mut fields: Map<String, Value>) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let id = match fields.remove("id") {
        None => None,
        Some(id) => match serde_json::from_value::<NumberOrString>(id) {
            Ok(id) => Some(id),
            Err(_) => return Err(invalid(None, "`id` must be a string or a whole number")),
        },
    };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(id, "`jsonrpc` must be \"2.0\""));
    }
    let params = fields.remove("params").filter(|params| !params.is_null());
    match (fields.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => {
            let request = request(method, params);
            let error = |error| Refusal { id: Some(id.clone()), error: Box::new(error) };
            Ok(Some(ClientJsonRpcMessage::request(request.map_err(error)?, id)))
        }
        (Some(Value::String(method)), None) => {
            Ok(notification(method, params).map(ClientJsonRpcMessage::notification))
        }
        (None, id) if fields.contains_key("result") != fields.contains_key("error") => {
            drop(id);
            Ok(None)
        }
        (_, id) => Err(invalid(id, "it is neither a request, nor a notification, nor an answer")),
    }
}

fn invalid(id: Option<RequestId>, message: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
    Refusal { id, error: Box::new(ErrorData::invalid_request(message, None)) }
}

/// The methods that this server knows; every other one is for the protocol's layer to refuse.
fn request(method: String, params: Option<Value>) -> Result<ClientRequest, ErrorData> {
    let (meta, params) = parted(&method, params)?;
    let mut request: ClientRequest = match method.as_str() {
        "ping" => PingRequest::default().into(),
        "initialize" => InitializeRequest::new(typed(&method, params)?).into(),
        "server/discover" => DiscoverRequest::new(typed(&method, params)?).into(),
        "tools/list" => ListToolsRequest::with_param(typed(&method, params)?).into(),
        "tools/call" => CallToolRequest::new(call(params)?).into(),
        // It is repeated in the answer.
        _ => CustomRequest::new(shortened(&method), Some(Value::Object(params))).into(),
    };
    if let Some(meta) = meta {
        *request.get_meta_mut() = meta;
    }
    Ok(request)
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The metadata, and the parameters without it.
fn parted(
    method: &str,
    params: Option<Value>,
) -> Result<(Option<RequestMetaObject>, Map<String, Value>), ErrorData> {
    let mut params = match params {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(wrong(method, "they must be an object")),
    };
    let meta = params.remove("_meta").filter(|meta| !meta.is_null());
    let meta = meta.map(serde_json::from_value::<RequestMetaObject>).transpose();
    Ok((meta.map_err(|_| wrong(method, "`_meta` must be an object"))?, params))
}

fn typed<T: DeserializeOwned>(method: &str, params: Map<String, Value>) -> Result<T, ErrorData> {
    serde_json::from_value(Value::Object(params)).map_err(|error| wrong(method, &error.to_string()))
}

fn call(mut params: Map<String, Value>) -> Result<CallToolRequestParams, ErrorData> {
    let Some(Value::String(name)) = params.remove("name") else {
        return Err(wrong("tools/call", "`name` must be the name of a tool"));
    };
    let mut call = CallToolRequestParams::new(name);
    call.arguments = match params.remove("arguments") {
        None | Some(Value::Null) => None,
        Some(Value::Object(arguments)) => Some(arguments),
        Some(_) => return Err(wrong("tools/call", "`arguments` must be an object")),
    };
    Ok(call)
}

fn wrong(method: &str, what: &str) -> ErrorData {
    ErrorData::invalid_params(format!("the params of `{method}` are wrong: {what}"), None)
}

/// A notification; none if its parameters are not as they should be, since there is no way to say.
fn notification(method: String, params: Option<Value>) -> Option<ClientNotification> {
    Some(match method.as_str() {
        "notifications/initialized" => InitializedNotification::default().into(),
        "notifications/cancelled" => {
            let params = serde_json::from_value::<CancelledNotificationParam>(params?).ok()?;
            CancelledNotification::new(params).into()
        }
        _ => CustomNotification::new(method, params).into(),
    })
}
