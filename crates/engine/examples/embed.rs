//! Embeds the engine in another program: a data directory, a statement run by threads of this process, its rows as
//! JSON. `cargo run --release -p rowhouse-engine --example embed -- "SELECT count(*) FROM tpch.tiny.orders"`
//!
//! Untrusted statements belong in worker processes: set `EngineConfig::worker_program`, and call
//! `rowhouse_engine::worker::main` when the first argument is `worker`.

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_engine::{
    Engine, EngineConfig, InProcess, RandomIdSource, RowFormat, RowSelection, RowShape, Submission,
    SystemClock, encode,
};
use rowhouse_model::QueryStatus;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sql = std::env::args().nth(1).unwrap_or_else(|| "SELECT 6 * 7 AS answer".to_owned());
    let folder = tempfile::tempdir()?;
    let config = EngineConfig::new(folder.path().join("data"));
    let executor = Arc::new(InProcess::new(config.concurrency));
    let engine =
        Engine::open_with(config, Arc::new(SystemClock::new()), Arc::new(RandomIdSource), executor).await?;

    // The first start makes an account, a workspace and a token.
    let first = engine.bootstrap().ok_or("a data directory that was used before")?;
    let principal = engine.accounts().authenticate(&first.admin_token)?;
    let access = engine.workspaces().access(&principal, &first.workspace_id)?;
    let submission = Submission::new(sql);
    let query = engine.queries().submit(&access, submission).await?;
    let query = engine.queries().wait(&access, &query.id, Duration::from_secs(60)).await?;
    if query.status != Some(QueryStatus::Finished) {
        let reason =
            query.error.map_or_else(|| "it takes longer than a minute".to_owned(), |error| error.message);
        return Err(reason.into());
    }
    let result = engine.queries().result(&access, &query.id).await?;
    let mut rows = encode(
        Arc::clone(&result.file),
        result.record.projection(),
        RowSelection::ALL,
        RowShape::Objects,
        RowFormat::Json,
    )?;
    let mut output = std::io::stdout().lock();
    while let Some(chunk) = rows.next_chunk()? {
        output.write_all(&chunk)?;
    }
    writeln!(output)?;
    engine.shutdown(Duration::from_secs(1)).await;
    Ok(())
}
