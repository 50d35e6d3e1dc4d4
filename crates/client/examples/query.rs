//! Runs a statement on a running server and streams its rows:
//! `ROWHOUSE_TOKEN=… cargo run -p rowhouse-client --example query -- http://127.0.0.1:8080 WORKSPACE_ID "SELECT 6 * 7"`

use std::error::Error;

use rowhouse_client::{Client, RowRequest, Statement};

/// A row as an array of whatever its columns hold.
type Row = Vec<serde_json::Value>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(server), Some(workspace), Some(sql)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: query SERVER WORKSPACE_ID SQL, with the token in ROWHOUSE_TOKEN".into());
    };
    let client = Client::builder(server).token(std::env::var("ROWHOUSE_TOKEN")?).build()?;
    let workspace = client.workspace(workspace.as_str());
    let query = workspace.run(Statement::new(sql)).await?;
    let mut rows = workspace.rows::<Row>(&query.id, &RowRequest::new()).await?;
    while let Some(row) = rows.next().await {
        println!("{}", serde_json::Value::from(row?));
    }
    Ok(())
}
