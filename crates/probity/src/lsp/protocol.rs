//! Messages of JSON-RPC 2.0, as far as the Language Server Protocol uses them.

use gen_lsp_types::ErrorCodes;
use serde_json::{Value, json};

/// Something that an editor says.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A question, by its number or text, with what it is about.
    Request(Value, String, Value),
    /// Something that it tells.
    Notification(String, Value),
    /// An answer to a question of the server.
    Response,
    /// What is no message: to whom that is answered, how, and why.
    Malformed(Value, ErrorCodes, String),
}

impl Incoming {
    /// Whether it is the last one.
    pub(super) fn is_exit(&self) -> bool {
        matches!(self, Incoming::Notification(method, _) if method == "exit")
    }
}

/// Reads a message.
pub(super) fn incoming(bytes: &[u8]) -> Incoming {
    let mut message: Value = match serde_json::from_slice(bytes) {
        Ok(message) => message,
        Err(error) => {
            return Incoming::Malformed(Value::Null, ErrorCodes::ParseError, error.to_string());
        }
    };
    let id = message.get("id").cloned();
    let params = message.get_mut("params").map_or(Value::Null, Value::take);
    match (message.get("method").and_then(Value::as_str), id) {
        (Some(method), Some(id)) if id.is_number() || id.is_string() => {
            Incoming::Request(id, method.to_owned(), params)
        }
        (Some(method), None) => Incoming::Notification(method.to_owned(), params),
        (None, Some(_)) if message.get("result").is_some() || message.get("error").is_some() => {
            Incoming::Response
        }
        (_, id) => {
            let why = "it is no message of JSON-RPC 2.0".to_owned();
            Incoming::Malformed(id.unwrap_or_default(), ErrorCodes::InvalidRequest, why)
        }
    }
}

/// A message with the header that says how long it is.
fn framed(message: &Value) -> String {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// The answer to a question.
pub(super) fn response(id: &Value, result: &Value) -> String {
    framed(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

/// That a question has no answer, and why.
pub(super) fn refusal(id: &Value, code: ErrorCodes, why: &str) -> String {
    let error = json!({ "code": i32::from(code), "message": why });
    framed(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

/// Something that the server tells.
pub(super) fn notification(method: &str, params: &Value) -> String {
    framed(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

/// Something that the server asks for; the answer does not matter.
pub(super) fn request(number: u64, method: &str) -> String {
    let id = format!("probity-{number}");
    framed(&json!({ "jsonrpc": "2.0", "id": id, "method": method }))
}
