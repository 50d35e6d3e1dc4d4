//! Progress notifications of a call in progress (D133): one per second, as long as the client reads them.

use std::time::Duration;

use bytes::Bytes;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use serde::Serialize;
use tokio::sync::{Mutex, mpsc};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use crate::event_stream::Event;

/// Time before the first notification and between two of them.
const PERIOD: Duration = Duration::from_secs(1);

/// The receiver of a call's notifications, with the client's token.
#[derive(Debug)]
pub(super) struct Progress {
    token: ProgressToken,
    events: mpsc::Sender<Event>,
    begun: Instant,
    period: Mutex<Interval>,
}

impl Progress {
    pub(super) fn new(token: ProgressToken, events: mpsc::Sender<Event>) -> Self {
        let begun = Instant::now();
        let mut period = interval_at(begun + PERIOD, PERIOD);
        period.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { token, events, begun, period: Mutex::new(period) }
    }

    /// Returns when the next notification is due.
    pub(super) async fn due(&self) {
        self.period.lock().await.tick().await;
    }

    /// Sends a notification, unless the client has not read the previous one. The progress is the number of seconds, because
    /// the total is unknown.
    pub(super) fn notify(&self, what: &str) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let params = ProgressNotificationParam::new(self.token.clone(), (seconds * 1000.0).round() / 1000.0)
            .with_message(what.to_owned());
        // The last place is the answer's.
        if self.events.capacity() > 1
            && let Ok(message) = notification(&params)
        {
            // OK to ignore: the client has disconnected, which the call notices by itself.
            let _ = self.events.try_send(Event::Message(message));
        }
    }
}

#[derive(Serialize)]
struct Notification<'a> {
    jsonrpc: &'a str,
    method: &'a str,
    params: &'a ProgressNotificationParam,
}

fn notification(params: &ProgressNotificationParam) -> serde_json::Result<Bytes> {
    let notification = Notification { jsonrpc: "2.0", method: "notifications/progress", params };
    serde_json::to_vec(&notification).map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_that_does_not_read_leaves_room_for_the_answer() {
        let (sender, mut events) = mpsc::channel(2);
        let token = serde_json::from_str("7").expect("a token");
        let progress = Progress::new(token, sender.clone());
        for _ in 0..5 {
            progress.notify("RUNNING");
        }
        assert!(sender.try_send(Event::Answer(Ok(Bytes::new()))).is_ok());
        let Some(Event::Message(message)) = events.recv().await else { panic!("no message") };
        let message: serde_json::Value = serde_json::from_slice(&message).expect("JSON");
        let params = &message["params"];
        assert_eq!(
            (&message["method"], &params["progressToken"], &params["message"]),
            (&"notifications/progress".into(), &7.into(), &"RUNNING".into())
        );
        assert!(matches!(events.recv().await, Some(Event::Answer(_))));
    }
}
