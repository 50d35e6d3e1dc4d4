//! The peer of `cargo xtask bench trino`: a Trino server of the tests, and a minimal client. It prints the address
//! first, then for each statement of the standard input, one per line, the bytes and the seconds. It ends Trino and
//! itself at the end of its input, or at once if there is no Trino, which it reports.

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use rowhouse_tests::own_trino;

/// How much of a page is searched for `nextUri`, which precedes the rows.
const HEAD_BYTES: usize = 2000;

fn main() {
    let Some(trino) = own_trino() else { return };
    println!("Trino {} listens at {}", trino.version(), trino.url());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    for statement in std::io::stdin().lock().lines().map_while(Result::ok) {
        let begun = Instant::now();
        let bytes = runtime.block_on(drain(&trino.url(), &statement));
        println!("{bytes} {}", begun.elapsed().as_secs_f64());
        // OK to ignore: a reader that is gone has closed the input, too.
        let _ = std::io::stdout().flush();
    }
}

/// Follows `nextUri`, which it finds by a text search, and discards the rows.
async fn drain(url: &str, sql: &str) -> usize {
    let client = Client::builder(TokioExecutor::new()).build_http();
    let send = async |method: &str, uri: &str, body: &str| {
        let request = Request::builder()
            .method(method)
            .uri(uri)
            .header("x-trino-user", "minimal")
            .body(Full::new(Bytes::from(body.to_owned())))
            .expect("a request");
        let answer = client.request(request).await.expect("Trino answers");
        assert_eq!(answer.status(), StatusCode::OK);
        answer.into_body().collect().await.expect("a page").to_bytes()
    };
    let mut page = send("POST", &format!("{url}/v1/statement"), sql).await;
    let mut bytes = page.len();
    while let Some(next) = next_uri(&page) {
        page = send("GET", &next, "").await;
        bytes += page.len();
    }
    bytes
}

fn next_uri(page: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&page[..page.len().min(HEAD_BYTES)]).into_owned();
    let rest = head.split_once("\"nextUri\":\"")?.1;
    Some(rest.split_once('"')?.0.to_owned())
}
