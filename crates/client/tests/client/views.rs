//! Reading views: whole, only if changed, as a stream.

use rowhouse_client::{ErrorKind, Operator, ViewRead};
use serde::Deserialize;

use crate::scripted_server::{ScriptedServer, Step, answer, ok, refusal};

#[derive(Debug, Deserialize, PartialEq)]
struct Nation {
    name: String,
    region: i32,
}

fn france() -> Nation {
    Nation { name: "FRANCE".to_owned(), region: 3 }
}

#[tokio::test]
async fn rows_deserialize_into_structs() {
    let server = ScriptedServer::start([ok(r#"[{"region":3,"name":"FRANCE"}]"#)]);
    let read = ViewRead::new().filter("name", Operator::Eq, "FRANCE").limit(5);
    let rows: Vec<Nation> = server.client().read_view("demo", "nations", &read).await.expect("rows");
    assert_eq!(rows, [france()]);
    assert_eq!(
        server.lines(),
        ["GET /v1/data/demo/materializedView/nations?filters=name%3AEQ%3AFRANCE&limit=5"]
    );
}

#[tokio::test]
async fn unmet_required_filters_keep_their_message() {
    let server = ScriptedServer::start([refusal(400, "GENERIC_USER_ERROR", "")]);
    let error =
        server.client().read_view::<Nation>("demo", "nations", &ViewRead::new()).await.expect_err("unmet");
    assert_eq!(error.code(), Some("GENERIC_USER_ERROR"));
    assert_eq!(error.message(), "it is GENERIC_USER_ERROR");
}

#[tokio::test]
async fn an_unchanged_view_is_not_downloaded_again() {
    let script = [
        Step::Send(answer(200, "etag: \"g1\"\r\n", r#"[{"region":3,"name":"FRANCE"}]"#)),
        Step::Send(b"HTTP/1.1 304 X\r\netag: \"g1\"\r\n\r\n".to_vec()),
    ];
    let server = ScriptedServer::start(script);
    let (client, read) = (server.client(), ViewRead::new());
    let first = client.read_view_if_changed::<Nation>("demo", "nations", &read, None).await.expect("rows");
    let first = first.expect("nothing to compare with");
    assert_eq!((first.rows, first.etag.as_deref()), (vec![france()], Some("\"g1\"")));
    let second = client.read_view_if_changed::<Nation>("demo", "nations", &read, Some("\"g1\"")).await;
    assert_eq!(second.expect("an answer"), None);
    assert!(server.seen()[1].headers.contains(&"if-none-match: \"g1\"".to_owned()));
}

fn chunked(pieces: &[&str], is_ended: bool) -> Step {
    let mut bytes = vec![b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n".to_vec()];
    bytes.extend(pieces.iter().map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()).into_bytes()));
    if is_ended {
        bytes.push(b"0\r\n\r\n".to_vec());
        return Step::Pieces(bytes);
    }
    Step::SendAndClose(bytes.concat())
}

#[tokio::test]
async fn a_stream_returns_rows_as_they_arrive() {
    let script =
        [chunked(&["[{\"region\":3,\"na", "me\":\"FRANCE\"},{", "\"name\":\"],\",\"region\":0}", "]"], true)];
    let server = ScriptedServer::start(script);
    let mut rows =
        server.client().stream_view::<Nation>("demo", "nations", &ViewRead::new()).await.expect("rows");
    assert_eq!(rows.next().await.expect("one").expect("a row"), france());
    assert_eq!(rows.next().await.expect("two").expect("a row"), Nation { name: "],".to_owned(), region: 0 });
    assert!(rows.next().await.is_none());
}

#[tokio::test]
async fn a_truncated_stream_is_an_error() {
    for (is_ended, kind) in [(false, ErrorKind::Transport), (true, ErrorKind::Decode)] {
        let server = ScriptedServer::start([chunked(&["[{\"region\":3,\"name\":\"FRANCE\"},"], is_ended)]);
        let mut rows =
            server.client().stream_view::<Nation>("demo", "nations", &ViewRead::new()).await.expect("rows");
        assert_eq!(rows.next().await.expect("one").expect("a row"), france());
        let error = rows.next().await.expect("an error").expect_err("cut");
        assert_eq!(*error.kind(), kind, "{error}");
        assert!(rows.next().await.is_none());
    }
}
