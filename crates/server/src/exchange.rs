//! The wrapper around every request: its id, an answer in every case (a panic is a 500), the common headers, the access
//! log and the counters. Tokens and query strings never reach the log.

use std::convert::Infallible;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, ORIGIN, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use rowhouse_engine::RunToEnd;
use rowhouse_model::{ErrorCode, Timestamp};
use tracing::level_filters::LevelFilter;
use tracing::{Instrument as _, Span};

use crate::access_log::AccessLine;
use crate::answer_memory::{Counted, Reserved};
use crate::app::App;
use crate::audit::{self, AuditSubject, Entry, Note};
use crate::body::RequestBody;
use crate::call::Call;
use crate::client_watch::{ClientGuard, ClientWatch, client_watch};
use crate::compress::{Coding, MIN_COMPRESSED_BYTES, WholeBody};
use crate::connection::InFlight;
use crate::cors;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::head_lines::HeadFault;
use crate::head_memory::HeldHead;
use crate::parameters::Parameters;
use crate::pause_slots::MayPause;
use crate::response::{Answer, AnswerBody, HeldBack, Unchanged, refusal};
use crate::route_table::UNKNOWN_ROUTE;
use crate::router::{base_path_of, route};
use crate::routes::{self, Route};
use crate::stall::Pieces;
use crate::{decoded_heads, host, traces, transfer_coding};

/// Answers up to this size are not counted: a connection takes as much.
const UNCOUNTED_BYTES: usize = 4 << 10;
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_REQUEST_ID_BYTES: usize = 64;

/// The logged status if the client disconnected before the answer, as in other servers.
const ABANDONED: u16 = 499;

/// Answers a request.
pub(crate) async fn exchange<B>(
    app: Arc<App>,
    in_flight: InFlight,
    request: Request<B>,
) -> Result<Response<ObservedBody>, Infallible>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + Sync + 'static,
{
    let (parts, body) = request.into_parts();
    let method = parts.method.clone();
    let config = app.config.get();
    let routed = route(config.base_path.as_deref(), &method, parts.uri.path());
    let is_refusable = is_safe(&method) && routed.as_ref().is_ok_and(|route| !route.is_vital());
    let wanted = app.audit.wanted();
    let note = Arc::new(Note::new(wanted));
    let audited = wanted.map(|_| {
        Box::new(Audited {
            path: audit::logged_path(parts.uri.path()).to_owned(),
            from: in_flight.peer().map(|address| address.ip().to_string()),
            forwarded_for: audit::forwarded_for(&parts.headers),
            received_at: app.clock.now(),
            code: None,
            made: AuditSubject::default(),
        })
    });
    let route = routed.as_ref().map_or(UNKNOWN_ROUTE, Route::name);
    let mut observation = observation(&app, in_flight, &parts, route, &note, audited);
    let traced = traces::request_span(&method, observation.route, &parts.headers, &observation.request_id);
    // A read logs only its refusal, unless the log level is detailed.
    let is_spanned = !is_safe(&method) || LevelFilter::current() > LevelFilter::INFO;
    let mut span = if is_spanned { request_span(&observation.request_id) } else { Span::none() };
    observation.traced = traced.clone();

    let body = RequestBody::of(&parts, body, &config.limits);
    let parameters = Parameters::new(parts.uri.query());
    let coding = Coding::of(&parts.headers);
    let asked = config.cors.as_ref().map(|_| origin_headers(&parts.headers));
    let base_path = base_path_of(config.base_path.as_deref(), parts.uri.path()).to_owned();
    let (long_head, held_head) = decoded_heads::hold(&observation.in_flight, &parts);
    let headers = parts.headers;
    // A read is dropped with this future, the work of a change notices that its guard is.
    let (_client, client) = watched(&method);
    // Boxed, because it is passed on twice.
    let mut call = Box::new(Call {
        app: Arc::clone(&app),
        config: Arc::clone(&config),
        peer: observation.in_flight.peer(),
        base_path,
        headers,
        parameters,
        body,
        known_token: Arc::clone(observation.in_flight.known_token()),
        note,
        body_memory: None,
        answer_memory: Mutex::default(),
        client,
    });
    let framing_fault = observation.in_flight.head_fault().map(HeadFault::error);
    let framing_fault = framing_fault.or_else(|| transfer_coding::fault(parts.version, &call.headers));
    let is_ambiguous = framing_fault.is_some();
    let head_fault = framing_fault.or(long_head).or_else(|| host::fault(parts.version, &call.headers));
    let asks_first = config.cors.as_ref().filter(|_| head_fault.is_none());
    let preflight = asks_first.and_then(|cors| cors::preflight(cors, &method, &call.headers));
    let routed = head_fault.map_or(routed, Err);
    // The rest of the request's head, which may be long.
    drop(parts.uri);
    let mut answered = match (preflight, routed) {
        (Some(answer), _) => Ok(answer),
        (None, Ok(route)) => answered_in(call, route, &method, span.clone(), traced).await,
        (None, Err(error)) => {
            call.discard().await;
            Err(error)
        }
    };
    // Nothing of the request is held meanwhile but its connection or stream.
    observation.held_back = hold_back(&mut answered, held_head).await;
    if let Some(audited) = &mut observation.audited {
        match &answered {
            // The `id` in an answer of MCP is the client's request id; the query is recorded in the note.
            Ok(_) if route.ends_with("/mcp") || route.ends_with("/mcp/:workspace") => {}
            Ok(answer) if !is_safe(&method) => audited.made = made(answer),
            Ok(_) => {}
            Err(error) => audited.code = Some(error.code()),
        }
    }
    let answered = match answered {
        Ok(mut answer) => match compress(&app, &mut answer, coding, &observation.note).await {
            Ok(()) => count(&app, &mut answer, &observation.note, is_refusable).map(|()| answer),
            Err(error) => Err(error),
        },
        refused => refused,
    };
    let mut answer = answered.unwrap_or_else(|error| {
        if error.is_fault() && span.is_disabled() {
            span = request_span(&observation.request_id);
        }
        span.in_scope(|| log_refusal(&error));
        refusal(&error, &observation.request_id)
    });
    if let (Some(cors), Some(asked)) = (&config.cors, &asked) {
        cors::add_headers(cors, asked, answer.headers_mut());
    }
    if is_ambiguous {
        // A proxy in front may see another beginning of the next request.
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    observation.status = answer.status().as_u16();
    if answer.extensions_mut().remove::<MayPause>().is_some()
        && let Some(pause_slot) =
            observation.note.noted_account().and_then(|account| app.pause_slots.acquire(&account.username))
    {
        observation.in_flight.allow_pause(pause_slot);
    }
    Ok(finish(answer, &method, observation))
}

/// Waits for the time for which an answer is held back (D160), without the memory of its head, and returns it.
async fn hold_back(answered: &mut Result<Answer>, held_head: Option<HeldHead>) -> Duration {
    drop(held_head);
    let delay = match answered {
        Ok(answer) => answer.extensions_mut().remove::<HeldBack>().map(|HeldBack(delay)| delay),
        Err(error) => error.delay(),
    };
    if let Some(delay) = delay {
        // Boxed, because nearly no request has one.
        Box::pin(tokio::time::sleep(delay)).await;
    }
    delay.unwrap_or_default()
}

/// What is recorded of a request while it is answered.
fn observation(
    app: &Arc<App>,
    in_flight: InFlight,
    parts: &http::request::Parts,
    route: &'static str,
    note: &Arc<Note>,
    audited: Option<Box<Audited>>,
) -> Observation {
    Observation {
        app: Arc::clone(app),
        request_id: request_id(app, &parts.headers),
        method: parts.method.clone(),
        route,
        status: ABANDONED,
        note: Arc::clone(note),
        started: app.clock.monotonic(),
        held_back: Duration::ZERO,
        sent_bytes: 0,
        is_complete: false,
        audited,
        traced: Span::none(),
        in_flight,
    }
}

/// The log's span of a request.
fn request_span(id: &str) -> Span {
    tracing::info_span!("request", %id)
}

/// The headers that an answer's CORS headers depend on.
fn origin_headers(headers: &HeaderMap) -> HeaderMap {
    // A copy: a clone would keep the whole head.
    let copied = headers.get(ORIGIN).and_then(|origin| HeaderValue::from_bytes(origin.as_bytes()).ok());
    copied.map(|origin| (ORIGIN, origin)).into_iter().collect()
}

/// The object that was created or run, as the answer shows it.
fn made(answer: &Answer) -> AuditSubject {
    match answer.body() {
        AnswerBody::Whole(bytes) => AuditSubject::of(bytes),
        AnswerBody::Stream(_) | AnswerBody::Events(_) => AuditSubject::default(),
    }
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn watched(method: &Method) -> (Option<ClientGuard>, ClientWatch) {
    if is_safe(method) {
        return (None, ClientWatch::NONE);
    }
    let (guard, watch) = client_watch();
    (Some(guard), watch)
}

/// Runs the endpoint in the spans of its request.
async fn answered_in(
    call: Box<Call>,
    route: Route,
    method: &Method,
    span: Span,
    traced: Span,
) -> Result<Answer> {
    if is_safe(method) && span.is_disabled() && traced.is_disabled() {
        return answer(call, route).await;
    }
    // Boxed, because a request reserves memory for its whole exchange while its answer is built.
    let answering = Box::pin(answer(call, route).instrument(span).instrument(traced));
    if is_safe(method) { answering.await } else { RunToEnd::new(answering).await }
}

/// Runs the endpoint; a panic in it is an error like any other.
async fn answer(mut call: Box<Call>, route: Route) -> Result<Answer> {
    let answered = {
        // Pinned here, because a combinator would move it first.
        let mut answering = pin!(routes::dispatch(&mut call, route));
        poll_fn(|context| {
            let polled = catch_unwind(AssertUnwindSafe(|| answering.as_mut().poll(context)));
            polled.map_or_else(|panic| Poll::Ready(Err(panic)), |poll| poll.map(Ok))
        })
        .await
    };
    call.discard().await;
    let mut answered = answered.unwrap_or_else(|panic| Err(Error::panicked(&*panic)));
    if let Ok(answer) = &mut answered {
        let reserved = call.answer_memory.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        cover(answer, reserved.or_else(|| call.body_memory.take()));
    }
    answered
}

/// An answer holds what was reserved for it, or for the body that it repeats, until its client has read it.
fn cover(answer: &mut Answer, reserved: Option<Reserved>) {
    let is_counted = answer.extensions().get::<Counted>().is_some();
    let (AnswerBody::Whole(bytes), Some(mut reserved)) = (answer.body_mut(), reserved) else { return };
    if bytes.len() > UNCOUNTED_BYTES && bytes.len() <= reserved.bytes() && !is_counted {
        reserved.set(bytes.len());
        *bytes = reserved.cover(std::mem::take(bytes));
        answer.extensions_mut().insert(Counted);
    }
}

/// Compresses a whole answer if it is worth it; rows are compressed elsewhere.
async fn compress(app: &App, answer: &mut Answer, coding: Coding, note: &Note) -> Result<()> {
    let AnswerBody::Whole(bytes) = answer.body() else { return Ok(()) };
    if bytes.len() < MIN_COMPRESSED_BYTES || answer.headers().contains_key(VARY) {
        return Ok(());
    }
    let body = (coding != Coding::Identity).then(|| WholeBody::new(bytes.clone(), coding)).transpose()?;
    answer.headers_mut().insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
    let Some(mut body) = body else { return Ok(()) };
    let (bytes, coding) = app.encoders.submit(Share::of(note), 0, move |budget| body.advance(budget)).await?;
    *answer.body_mut() = AnswerBody::Whole(bytes);
    if let Some(name) = coding.name() {
        answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        // The compressed bytes are not the counted ones.
        answer.extensions_mut().remove::<Counted>();
    }
    Ok(())
}

/// Counts a whole answer until its client has read it, unless its bytes are counted already. The answer to a change is never
/// refused, that to a request which has changed nothing is, whatever its method.
fn count(app: &App, answer: &mut Answer, note: &Note, is_refusable: bool) -> Result<()> {
    let is_counted = answer.extensions_mut().remove::<Counted>().is_some();
    let is_refusable = answer.extensions_mut().remove::<Unchanged>().is_some() || is_refusable;
    let AnswerBody::Whole(bytes) = answer.body_mut() else { return Ok(()) };
    if bytes.len() > UNCOUNTED_BYTES && !is_counted {
        let portion = app.answer_memory.portion(&Share::of(note));
        let reserved = if is_refusable {
            portion.reserve(bytes.len())?
        } else {
            portion.reserve_at_any_rate(bytes.len())
        };
        *bytes = reserved.cover(std::mem::take(bytes));
    }
    Ok(())
}

fn log_refusal(error: &Error) {
    if error.is_fault() {
        tracing::error!(error = error as &dyn std::error::Error, "a request failed");
    } else {
        tracing::debug!(code = %error.code(), %error, "a request was refused");
    }
}

/// The client's own id if it is a plain word, else a new one.
fn request_id(app: &App, headers: &HeaderMap) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let given = headers.get(X_REQUEST_ID).and_then(|value| value.to_str().ok());
    let sane = given.filter(|id| (1..=MAX_REQUEST_ID_BYTES).contains(&id.len()) && id.bytes().all(is_plain));
    sane.map_or_else(|| app.request_ids.next(), str::to_owned)
}

/// Adds the common headers, and removes the body of an answer to HEAD.
fn finish(answer: Answer, method: &Method, mut observation: Observation) -> Response<ObservedBody> {
    let (mut parts, mut body) = answer.into_parts();
    if let Ok(value) = HeaderValue::from_str(&observation.request_id) {
        parts.headers.insert(X_REQUEST_ID, value);
    }
    parts.headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    parts.headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if method == Method::HEAD {
        if let (Some(length), true) = (body.size_hint().exact(), parts.status != StatusCode::NOT_MODIFIED) {
            parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        body = AnswerBody::EMPTY;
    }
    observation.is_complete = body.is_end_stream();
    let over_http2 = if observation.in_flight.is_http2() { Pieces::begin() } else { None };
    Response::from_parts(parts, ObservedBody { body, observation, over_http2 })
}

/// A body that records how its sending ended when it is dropped.
#[derive(Debug)]
pub(crate) struct ObservedBody {
    body: AnswerBody,
    observation: Observation,
    /// Only over HTTP/2: in HTTP/1.1 the connection sees whether its client reads.
    over_http2: Option<Pieces>,
}

/// Data for the log and the counters, recorded on drop, even without an answer.
#[derive(Debug)]
struct Observation {
    app: Arc<App>,
    request_id: String,
    method: Method,
    route: &'static str,
    status: u16,
    note: Arc<Note>,
    started: Duration,
    /// The part of its time for which the answer was held back (D160).
    held_back: Duration,
    sent_bytes: u64,
    is_complete: bool,
    /// None while the audit log is disabled.
    audited: Option<Box<Audited>>,
    /// Ends on drop.
    traced: Span,
    /// Last, so that the connection counts as idle once the log line is written.
    in_flight: InFlight,
}

/// Further data for the audit log.
#[derive(Debug)]
struct Audited {
    path: String,
    from: Option<String>,
    forwarded_for: Option<String>,
    received_at: Timestamp,
    code: Option<ErrorCode>,
    made: AuditSubject,
}

impl Observation {
    /// The caller's name, once it is known.
    fn username(&self) -> Option<&str> {
        self.note.noted_account().map(|account| account.username.as_str())
    }

    fn audit(&self, audited: &Audited, duration: Duration) {
        let noted = self.note.noted_action();
        let Some(action) = noted.or_else(|| audit::action(self.route, &self.method, self.status)) else {
            return;
        };
        let noted = self.note.noted_query();
        self.app.audit.write(&Entry {
            time: audited.received_at,
            request_id: &self.request_id,
            action,
            outcome: audit::outcome(self.status, self.is_complete),
            status: self.status,
            code: audited.code.map(ErrorCode::as_str),
            account: self.username(),
            note: &self.note,
            from: audited.from.as_deref(),
            forwarded_for: audited.forwarded_for.as_deref(),
            method: self.method.as_str(),
            route: self.route,
            path: &audited.path,
            made: noted.as_ref().unwrap_or(&audited.made),
            duration_ms: duration.as_micros() as f64 / 1000.0,
            bytes: self.sent_bytes,
            complete: self.is_complete,
        });
    }
}

impl Body for ObservedBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>>>> {
        let Self { body, observation, over_http2 } = self.get_mut();
        let polled = match over_http2 {
            None => Pin::new(&mut *body).poll_frame(context),
            Some(over_http2) => over_http2.poll_frame(body, context),
        };
        let is_end =
            |body: &AnswerBody| body.is_end_stream() && over_http2.as_ref().is_none_or(Pieces::are_sent);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                observation.sent_bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                observation.is_complete = is_end(body);
            }
            Poll::Ready(None) => observation.is_complete = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.over_http2.as_ref().is_none_or(Pieces::are_sent)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        let duration = self.app.clock.monotonic().saturating_sub(self.started);
        let of_work = duration.saturating_sub(self.held_back);
        self.app.metrics.record(self.route, self.status, of_work, self.sent_bytes, self.is_complete);
        AccessLine {
            request: &self.request_id,
            method: &self.method,
            route: self.route,
            status: self.status,
            duration_micros: duration.as_micros(),
            bytes: self.sent_bytes,
            account: self.username(),
            complete: self.is_complete,
        }
        .log();
        traces::request_answered(&self.traced, self.status);
        if let Some(audited) = &self.audited {
            self.audit(audited, duration);
        }
    }
}

#[cfg(test)]
mod tests;
