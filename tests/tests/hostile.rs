//! Random requests, and statements with words omitted, doubled and exchanged: every request is answered without an
//! internal error, nothing hangs, and the server keeps serving.

use std::time::{Duration, Instant};

use hyper::Method;
use rowhouse_tests::{Server, id_of, path_in_tests};
use serde_json::{Value, json};

/// Number of requests of one run.
const REQUESTS: usize = 1500;
/// Number of statements of one run.
const STATEMENTS: usize = 300;

/// Random numbers that are the same in each run, so that failures repeat.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("it is below a usize")
    }

    fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

const METHODS: &[Method] =
    &[Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::HEAD, Method::PATCH, Method::OPTIONS];

const WORDS: &[&str] = &[
    "api",
    "v1",
    "data",
    "web",
    "query",
    "queries",
    "sql",
    "sqls",
    "result",
    "cancel",
    "service",
    "SQL_ENGINE",
    "workspace",
    "workspaces",
    "member",
    "account",
    "accounts",
    "token",
    "tokens",
    "table",
    "tables",
    "materializedView",
    "materializedViews",
    "refresh",
    "demo",
    "hostile",
    "%00",
    "%2F",
    "..",
    ".",
    "",
    "%ff",
    "é",
    "a%20b",
    "openapi.json",
    "healthz",
];

const NAMES: &[&str] = &[
    "workspaceId",
    "limit",
    "offset",
    "filters",
    "columnNames",
    "shape",
    "format",
    "wait",
    "x",
    "",
    "%00",
    "limit%5B%5D",
];

const PARAMETER_VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "1e9",
    "9223372036854775808",
    "%00",
    "%ff",
    "n_name:EQ:%00",
    "n_nationkey:IN:,,,",
    "n_name:LIKE:%25%5C",
    "n_name:LIKE:%5C",
    ":::::",
    "n_nationkey:BETWEEN:1",
    "n_name",
    "a,b,,",
    "csv",
    "arrow",
    "objects",
    "null",
    "%F0%9F%8F%A0",
];

const BODIES: &[&str] = &[
    "",
    "{}",
    "[]",
    "null",
    "{\"a\":1e999}",
    "{\"sql\":\"\\u0000\",\"workspaceId\":\"W\"}",
    "{\"workspaceId\":\"W\"}",
    "{\"workspaceId\":\"W\",\"sql\":\"SELECT 1\",\"cacheTTL\":1e300,\"cacheRefresh\":false}",
    "{\"state\":1}",
    "{\"\\ud800\":1}",
    "{\"workspaceId\":\"W\",\"sqlName\":\"a\\u0000\",\"sql\":\"SELECT 1\"}",
    "{\"workspaceId\":\"W\",\"name\":\"../a\",\"location\":\"\\u0000\"}",
    "{\"workspaceId\":\"W\",\"name\":\"a\",\"location\":\"/proc/self/mem\",\"format\":\"csv\"}",
    "{\"workspaceId\":\"W\",\"name\":\"a\",\"location\":\"/dev/zero\",\"format\":\"ndjson\"}",
    "{\"title\":\"\",\"sqlName\":\"\"}",
    "{\"name\":\"n\",\"expiresInDays\":1e18}",
    "{\"accountId\":\"W\",\"role\":\"OWNER\"}",
    "\u{feff}{}",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_requests_get_well_formed_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let builder = Server::builder().log_file(&log).environment("RUST_LOG", "warn");
    let server = builder.data_dir(folder.path().join("data")).start();
    let workspace = server.demo().await;
    let query = id_of(&server.run(&workspace, "SELECT n_name FROM tpch.tiny.nation").await);
    let view =
        server.new_view(&workspace, "hostile", "SELECT n_nationkey, n_name FROM tpch.tiny.nation").await;
    let words = [WORDS, &[&query, &view, &workspace]].concat();
    let values = [PARAMETER_VALUES, &[&workspace, &query]].concat();
    let mut numbers = Numbers(0x5eed);
    let mut faults = Vec::new();
    for _ in 0..REQUESTS {
        let method = METHODS[numbers.below(METHODS.len())].clone();
        let mut path = numbers
            .one_of(&["/api/v1", "/api/v1", "/v1/data/demo/materializedView", "/web/api/v1", ""])
            .to_owned();
        for _ in 0..numbers.below(4) + 1 {
            path = format!("{path}/{}", numbers.one_of(&words));
        }
        let mut separator = '?';
        for _ in 0..numbers.below(4) {
            path = format!("{path}{separator}{}={}", numbers.one_of(NAMES), numbers.one_of(&values));
            separator = '&';
        }
        let path: String =
            path.chars().map(|c| if c.is_ascii() { c.to_string() } else { "%C3%A9".to_owned() }).collect();
        let body = (numbers.below(2) == 0)
            .then(|| numbers.one_of(BODIES).replace("\"W\"", &format!("\"{workspace}\"")));
        let begun = Instant::now();
        let shown = format!("{method} {path} {}", body.as_deref().unwrap_or_default());
        let request = server.request(method, &path, Some(server.admin_token()), body);
        match tokio::time::timeout(Duration::from_secs(20), request).await {
            Err(_) => faults.push(format!("no answer after {:?}: {shown}", begun.elapsed())),
            Ok(answer) if answer.status >= 500 && answer.status != 503 => {
                faults.push(format!("{}: {shown}", answer.status));
            }
            Ok(_) => {}
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    let log = std::fs::read_to_string(&log).expect("the log");
    assert!(!log.contains("panicked"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutated_statements_fail_with_user_errors() {
    let server = Server::builder().arguments(["--engine-statement-timeout", "20s"]).start();
    let workspace = server.demo().await;
    let statements: Vec<String> =
        ["aggregates", "joins", "nulls", "subqueries", "windows", "strings", "dates", "sets", "arithmetic"]
            .iter()
            .flat_map(|subject| {
                let path = path_in_tests(&format!("data/answers/{subject}.json"));
                let cases: Vec<Value> =
                    serde_json::from_str(&std::fs::read_to_string(path).expect("answers")).expect("JSON");
                cases.into_iter().filter_map(|case| case["sql"].as_str().map(str::to_owned))
            })
            .collect();
    let mut numbers = Numbers(0xca5e);
    let mut faults = Vec::new();
    let mut finished = 0;
    for _ in 0..STATEMENTS {
        let one = &statements[numbers.below(statements.len())];
        let other = &statements[numbers.below(statements.len())];
        let sql = mangle(one, other, &mut numbers);
        let query = server.submit(&workspace, &sql).await;
        let query = server.finish(&workspace, &id_of(&query)).await;
        finished += usize::from(query["status"] == "FINISHED");
        let error = &query["error"];
        // A mutated join may be too large, which is the user's fault too.
        if query["status"] == "FAILED"
            && error["errorType"] != "USER_ERROR"
            && error["errorType"] != "INSUFFICIENT_RESOURCES"
        {
            faults.push(format!("{sql}\n    {error}"));
        }
    }
    assert!(finished > STATEMENTS / 4, "{finished} of {STATEMENTS} still made sense");
    assert!(faults.is_empty(), "{} of {STATEMENTS}:\n{}", faults.len(), faults.join("\n"));
}

/// Values that replace others.
const VALUES: [&str; 14] = [
    "0",
    "-1",
    "NULL",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "0.1",
    "''",
    "'x'",
    "DATE '2024-02-29'",
    "true",
    "CAST(NULL AS varchar)",
    "ARRAY[1, NULL]",
    "(SELECT max(n_nationkey) FROM tpch.tiny.nation)",
];

/// Changes one or two words of a statement: mostly a name for a name and a value for a value, so that much of it is
/// planned and run; sometimes any word anywhere.
fn mangle<'a>(one: &'a str, other: &'a str, numbers: &mut Numbers) -> String {
    let mut words = words(one);
    let others = self::words(other);
    let is_value = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || c == '\'');
    let is_name =
        |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.starts_with("tpch");
    for _ in 0..numbers.below(2) + 1 {
        let place = numbers.below(words.len());
        let alike: Vec<&str> = words.iter().copied().filter(|word| is_name(word)).collect();
        match numbers.below(12) {
            0 => drop(words.remove(place)),
            1 => words.insert(place, words[place]),
            2 => words[place] = others[numbers.below(others.len())],
            _ if is_value(words[place]) => words[place] = VALUES[numbers.below(VALUES.len())],
            _ if is_name(words[place]) => words[place] = alike[numbers.below(alike.len())],
            _ => {}
        }
        if words.is_empty() {
            words.push("SELECT");
        }
    }
    words.join(" ")
}

/// Runs of letters, digits and quotes, and single other characters.
fn words(sql: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length = match first {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}
