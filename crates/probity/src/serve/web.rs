//! What a browser is answered.
//!
//! The server is reached from this machine only, but so it is by other users of the machine, and by pages from
//! anywhere that a browser on it shows. The first do not know the token that stands in each address. The second
//! are kept out by it as well, and by the names of the server and of the page that asks (`Host` and `Origin`), so
//! that a name of somebody's that leads to this machine (*DNS rebinding*) leads nowhere. No address names a file.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue,
    ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{Event as Told, KeepAlive};
use axum::response::{Html, IntoResponse, Response, Sse};
use axum::routing::{get, post};
use tokio::sync::{oneshot, watch};
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt as _};

use super::Event;
use super::board::{Board, Id};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What pages may do: show what is in them, ask this server, and show its reports within.
const MAY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
                   connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// What is served.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) token: String,
    pub(super) port: u16,
    pub(super) board: Arc<Mutex<Board>>,
    /// What is known, as JSON.
    pub(super) state: watch::Receiver<Arc<str>>,
    /// How far the check that is under way is, as JSON.
    pub(super) progress: watch::Receiver<Arc<str>>,
    pub(super) asks: Sender<Event>,
}

/// Where the server is reached, from this machine only.
pub(super) struct Place {
    pub(super) port: u16,
    listener: TcpListener,
}

impl Place {
    /// Takes a port; 0: any that is free.
    ///
    /// # Errors
    /// If somebody else has it, or the system does not let it.
    pub(super) fn take(port: u16) -> io::Result<Place> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Place { port, listener })
    }

    /// Answers until `ended` is told, or dropped.
    ///
    /// # Errors
    /// If the system does not let it.
    pub(super) fn serve(self, site: Site, ended: oneshot::Receiver<()>) -> io::Result<()> {
        let routes = Router::new()
            .route("/{token}/", get(page))
            .route("/{token}/events", get(events))
            .route("/{token}/report/{id}", get(report))
            .route("/{token}/text/{id}", get(text))
            .route("/{token}/try/{language}", post(try_script))
            .route("/{token}/check", post(check_all))
            .route("/{token}/check/{id}", post(check))
            .route("/{token}/cancel/{id}", post(cancel))
            .fallback(async || StatusCode::NOT_FOUND)
            .layer(from_fn_with_state(site.clone(), guarded))
            .with_state(site);
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_io().enable_time().build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                served = axum::serve(listener, routes) => served,
                _ = ended => Ok(()),
            }
        })
    }
}

/// Lets nobody through who does not know the token, or who asks from elsewhere.
async fn guarded(State(site): State<Site>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&site, request.uri(), request.headers()) {
        Some(status) => status.into_response(),
        None => next.run(request).await,
    };
    let fixed: [(HeaderName, &'static str); 4] = [
        (CONTENT_SECURITY_POLICY, MAY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        let headers = response.headers_mut();
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Why a request is refused.
fn refusal(site: &Site, uri: &Uri, headers: &HeaderMap) -> Option<StatusCode> {
    let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", site.port));
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| own.iter().any(|own| own == host)) {
        return Some(StatusCode::FORBIDDEN);
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let origin = origin.to_str().ok();
        let origin = origin.and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(|origin| own.iter().any(|own| own == origin)) {
            return Some(StatusCode::FORBIDDEN);
        }
    }
    let given = uri.path().split('/').nth(1).unwrap_or_default();
    (!same(given.as_bytes(), site.token.as_bytes())).then_some(StatusCode::NOT_FOUND)
}

/// Whether two texts are the same; how long that takes does not depend on where they differ.
fn same(one: &[u8], other: &[u8]) -> bool {
    let pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// The page, with what is known by now.
async fn page(State(site): State<Site>) -> Html<String> {
    // Nothing in it can end the element that it stands in.
    let state = site.state.borrow().replace('<', "\\u003c");
    let page = PAGE.replace("@STYLE@", STYLE).replace("@SCRIPT@", SCRIPT);
    // The data comes last: nothing in it is taken for a place to fill.
    Html(page.replacen("@STATE@", &state, 1))
}

/// What is known, now and each time that it changes.
async fn events(
    State(site): State<Site>,
) -> Sse<impl Stream<Item = Result<Told, Infallible>> + use<>> {
    let named = |name: &'static str, one: watch::Receiver<Arc<str>>| {
        WatchStream::new(one).map(move |data| Ok(Told::default().event(name).data(&*data)))
    };
    let all = named("state", site.state).merge(named("progress", site.progress));
    Sse::new(all).keep_alive(KeepAlive::default())
}

/// The script that an address names.
fn id_of(given: &str) -> Result<Id, StatusCode> {
    given.parse().map_err(|_| StatusCode::NOT_FOUND)
}

async fn report(
    State(site): State<Site>,
    Path((_, given)): Path<(String, String)>,
) -> Result<Response, StatusCode> {
    let id = id_of(&given)?;
    let board = site.board.lock().unwrap_or_else(PoisonError::into_inner);
    let page = board.report(id).ok_or(StatusCode::NOT_FOUND)?;
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
}

/// The text of a script.
async fn text(
    State(site): State<Site>,
    Path((_, given)): Path<(String, String)>,
) -> Result<String, StatusCode> {
    let id = id_of(&given)?;
    let board = site.board.lock().unwrap_or_else(PoisonError::into_inner);
    board.text(id).ok_or(StatusCode::NOT_FOUND)
}

/// Hands a wish on.
fn ask(site: &Site, event: Event) -> StatusCode {
    match site.asks.send(event) {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

async fn check_all(State(site): State<Site>) -> StatusCode {
    ask(&site, Event::CheckAll)
}

async fn try_script(
    State(site): State<Site>,
    Path((_, language)): Path<(String, String)>,
    text: String,
) -> StatusCode {
    ask(&site, Event::Try { language, text })
}

async fn check(
    State(site): State<Site>,
    Path((_, given)): Path<(String, String)>,
) -> Result<StatusCode, StatusCode> {
    Ok(ask(&site, Event::Check(id_of(&given)?)))
}

async fn cancel(
    State(site): State<Site>,
    Path((_, given)): Path<(String, String)>,
) -> Result<StatusCode, StatusCode> {
    Ok(ask(&site, Event::Cancel(id_of(&given)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_same_or_not() {
        assert!(same(b"abc", b"abc"));
        for other in [&b"abd"[..], b"ab", b"", b"abcd"] {
            assert!(!same(b"abc", other));
        }
    }
}
