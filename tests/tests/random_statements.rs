//! Random statements over small tables full of NULLs and duplicates, compared with the answers of an independent
//! engine. `tests/data/random/grammar.py` makes them, `make.py` beside it the answers; `cargo xtask fuzz sql` goes
//! on with further ones.

use rowhouse_tests::{Server, check_answers, path_in_tests};

#[tokio::test]
async fn statements_of_fixed_seeds() {
    let server = Server::start();
    let workspace = server.new_workspace("random_statements").await;
    let folder = path_in_tests("data/null_tables");
    for table in ["t0", "t1", "t2"] {
        server.new_table(&workspace, table, &folder.join(format!("{table}.parquet"))).await;
    }
    check_answers(&server, &workspace, include_str!("../data/random/answers.json"), 0.0).await;
}
