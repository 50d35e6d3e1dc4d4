//! The 99 queries of TPC-DS over a small sample, compared with the answers of an independent engine.
//! `tests/data/tpcds/make.py` describes how rows and answers were computed.

use rowhouse_tests::{Server, check_answers, path_in_tests};

#[tokio::test]
async fn all_queries_of_tpcds() {
    let server = Server::start();
    let workspace = server.new_workspace("tpcds").await;
    let folder = path_in_tests("data/tpcds");
    let mut tables = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "parquet") {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            server.new_table(&workspace, name, &path).await;
            tables += 1;
        }
    }
    assert_eq!(tables, 24);
    check_answers(&server, &workspace, include_str!("../data/tpcds/answers.json")).await;
}
