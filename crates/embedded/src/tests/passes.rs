//! Each rewriting pass disabled separately, and all of them: the answers do not change. And for each pass, whether
//! Polars still needs it: a statement whose optimized plan does more work without it. If that test fails because both
//! plans do the same, Polars' optimizer does it, and the pass can be removed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{
    DecimalSums, NULL_TABLES, Samples, Tables, fault, lower, plan, rows, sort_key, statement,
    with_output_columns,
};
use crate::scan::TableScan;
use rowhouse_sql::{Pass, PassSet};

#[test]
fn no_pass_changes_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = fs::read_to_string(format!("{NULL_TABLES}/answers.jsonl")).expect("the answers");
    let cases: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let one_less = Pass::ALL.iter().map(|pass| (format!("{pass:?}"), PassSet::default().without(*pass)));
    let others = [
        ("every pass".to_owned(), PassSet::none()),
        ("small tables".to_owned(), PassSet::default().for_large_tables()),
    ];
    for (name, passes) in one_less.chain(others) {
        let faults: Vec<String> =
            cases.iter().filter_map(|case| fault(case, &passes, folder.path())).collect();
        assert!(faults.is_empty(), "without {name} {} are wrong:\n{}", faults.len(), faults.join("\n"));
    }
}

/// A statement, and the number of occurrences of a word in its optimized plan with all passes and without one.
struct Need {
    sql: &'static str,
    /// Whether the passes assume large tables.
    is_large: bool,
    word: &'static str,
    with: usize,
    without: usize,
}

/// Statements for which Polars' optimizer does not do the work of a pass.
#[expect(clippy::too_many_lines, reason = "a list")]
const fn needs(pass: Pass) -> &'static [Need] {
    match pass {
        // Polars groups the same rows once for each set. Groups that several sets read are computed ahead.
        Pass::RollUp => &[Need {
            sql: "SELECT l_partkey, l_suppkey, sum(l_quantity) AS n FROM tpch.tiny.lineitem
                GROUP BY ROLLUP (l_partkey, l_suppkey)",
            is_large: false,
            word: "AGGREGATE",
            with: 0,
            without: 2,
        }],
        // Polars computes each sum separately.
        Pass::SimplifySums => &[Need {
            sql: "SELECT sum(l_linenumber + 1), sum(l_linenumber + 2) FROM
                (SELECT CAST(l_linenumber AS smallint) AS l_linenumber FROM tpch.tiny.lineitem)",
            is_large: false,
            word: "(1 * col(",
            with: 1,
            without: 0,
        }],
        // Polars reads the same table for each subquery.
        Pass::FuseSubqueries => &[Need {
            sql: "SELECT (SELECT count(*) FROM tpch.tiny.lineitem WHERE l_linenumber = 1),
                (SELECT avg(l_discount) FROM tpch.tiny.lineitem WHERE l_linenumber = 2)",
            is_large: false,
            word: "Parquet SCAN",
            with: 1,
            without: 2,
        }],
        // Polars holds a set of values for each group.
        Pass::SingleDistinctToGroupBy => &[Need {
            sql: "SELECT l_linenumber, sum(l_quantity), count(DISTINCT l_partkey) FROM tpch.tiny.lineitem
                GROUP BY l_linenumber",
            is_large: false,
            word: "n_unique",
            with: 0,
            without: 1,
        }],
        // Polars groups by each of the columns.
        Pass::EliminateGroupKeys => &[Need {
            sql: "SELECT l_partkey, coalesce(l_partkey, 1), 'x', count(*) FROM tpch.tiny.lineitem GROUP BY 1, 2, 3",
            is_large: false,
            word: "BY [col(\"#1\")]",
            with: 1,
            without: 0,
        }],
        // Polars joins each line of a part, and makes the kinds distinct afterwards.
        Pass::PushDistinct => &[Need {
            sql: "SELECT DISTINCT p_type, l_linenumber FROM tpch.tiny.lineitem, tpch.tiny.part
                WHERE l_partkey = p_partkey",
            is_large: true,
            word: "partial distinct",
            with: 1,
            without: 0,
        }],
        // Polars evaluates each of our functions as often as it is named.
        Pass::CommonSubexpressions => &[Need {
            sql: "SELECT sum(CASE WHEN l_partkey - l_suppkey > 30 THEN 1 ELSE 0 END),
                sum(CASE WHEN l_partkey - l_suppkey > 60 THEN 1 ELSE 0 END) FROM tpch.tiny.lineitem",
            is_large: false,
            word: "WITH_COLUMNS",
            with: 4,
            without: 3,
        }],
        // Polars leaves predicates that all uses of a cache have in common above it, and does not push implied weaker
        // predicates below a window.
        Pass::PushIntoShared => &[Need {
            sql: "WITH x AS (SELECT l_partkey AS k, l_quantity AS q,
                    rank() OVER (PARTITION BY l_partkey ORDER BY l_quantity) AS n FROM tpch.tiny.lineitem)
                SELECT a.n, b.n FROM x a JOIN x b ON a.n = b.n WHERE a.k = 1 AND b.k = 2 AND a.q = 4 AND b.n = 5",
            is_large: false,
            word: "(col(\"#1\") == 1) | (col(\"#1\") == 2)",
            with: 1,
            without: 0,
        }],
        // Polars computes every column, and then returns the first rows.
        Pass::PushLimitThroughProject => &[Need {
            sql: "SELECT o_orderkey, upper(o_comment) AS c FROM tpch.tiny.orders ORDER BY o_orderkey LIMIT 3",
            is_large: false,
            // Deeper: below the projection.
            word: "      SORT BY",
            with: 1,
            without: 0,
        }],
        // Polars evaluates our constants, too, but after our passes.
        Pass::EvaluateConstants => &[Need {
            sql: "SELECT o_orderkey FROM tpch.tiny.orders WHERE o_custkey < power(2, 4)",
            is_large: false,
            word: "col(\"o_custkey\") < 16",
            with: 1,
            without: 0,
        }],
        // Polars' file reader compares statistics with columns, not with our functions of them.
        Pass::UnwrapCastInComparison => &[Need {
            sql: "SELECT o_orderkey FROM tpch.tiny.orders WHERE year(o_orderdate) = 1996 AND o_custkey > 10.5",
            is_large: false,
            word: "(col(\"o_custkey\") >= 11)",
            with: 1,
            without: 0,
        }],
        // A parameter that a call omits is NULL: Polars retains the condition, and reads its column.
        Pass::FoldConstants => &[Need {
            sql: "SELECT o_orderkey FROM tpch.tiny.orders WHERE CAST(NULL AS varchar) IS NULL OR o_orderstatus = 'F'",
            is_large: false,
            word: "SELECTION:",
            with: 0,
            without: 1,
        }],
        // Polars does not push a filter through a cache into the file, even if the cache is read once.
        Pass::InlineShared => &[
            Need {
                sql: "WITH x AS (SELECT * FROM tpch.tiny.lineitem) SELECT l_comment FROM x WHERE l_orderkey = 7",
                is_large: false,
                word: "SELECTION:",
                with: 1,
                without: 0,
            },
            Need {
                sql: "WITH x AS (SELECT * FROM tpch.tiny.orders)
                    SELECT a.o_orderkey FROM x a JOIN x b ON a.o_custkey = b.o_orderkey
                    WHERE a.o_orderdate = DATE '1995-01-01' AND b.o_totalprice > 100",
                is_large: false,
                word: "SELECTION:",
                with: 2,
                without: 0,
            },
        ],
        // Polars extracts conjuncts that all branches of an OR share, also to find a join's key (TPC-H q19 is the same
        // without the pass). But the join order is chosen here and needs the keys.
        Pass::CommonConjuncts => &[Need {
            sql: "SELECT count(*) FROM tpch.tiny.part, tpch.tiny.supplier, tpch.tiny.lineitem, tpch.tiny.partsupp
                WHERE (p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND ps_partkey = l_partkey
                    AND ps_suppkey = l_suppkey AND p_size = 1 AND l_quantity < 10)
                  OR (p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND ps_partkey = l_partkey
                    AND ps_suppkey = l_suppkey AND p_size = 2 AND l_quantity > 10)",
            is_large: false,
            word: "CROSS JOIN:",
            with: 0,
            without: 1,
        }],
        // Polars does so below a filter, not below another join's key.
        Pass::EliminateOuterJoin => &[Need {
            sql: "SELECT c_name, n_name FROM tpch.tiny.orders LEFT JOIN tpch.tiny.customer ON o_custkey = c_custkey
                    JOIN tpch.tiny.nation ON c_nationkey = n_nationkey",
            is_large: false,
            word: "LEFT JOIN:",
            with: 0,
            without: 1,
        }],
        // Polars pushes predicates through joins, groups, DISTINCT and unions, but not through windows, which are
        // opaque functions to it, and not from the ON of an outer join into a side.
        Pass::PushPredicates => &[
            Need {
                sql: "SELECT * FROM (SELECT l_orderkey, l_partkey,
                        rank() OVER (PARTITION BY l_partkey ORDER BY l_quantity) AS r FROM tpch.tiny.lineitem)
                    WHERE l_partkey = 7",
                is_large: false,
                word: "SELECTION:",
                with: 1,
                without: 0,
            },
            Need {
                sql: "SELECT c_name, o_totalprice FROM tpch.tiny.customer
                    LEFT JOIN tpch.tiny.orders ON c_custkey = o_custkey AND o_totalprice > 400000",
                is_large: false,
                word: "ANTI JOIN:",
                with: 0,
                without: 1,
            },
        ],
        // Polars prunes columns, but it computes unused windows and marks.
        Pass::PruneColumns => &[
            Need {
                sql: "SELECT count(*) FROM (SELECT l_orderkey,
                        row_number() OVER (PARTITION BY l_partkey ORDER BY l_suppkey) FROM tpch.tiny.lineitem)",
                is_large: false,
                word: "PROJECT */16 COLUMNS",
                with: 0,
                without: 1,
            },
            Need {
                sql: "SELECT l_orderkey FROM (SELECT l_orderkey,
                        EXISTS (SELECT 1 FROM tpch.tiny.orders WHERE o_orderkey = l_orderkey) FROM tpch.tiny.lineitem)",
                is_large: false,
                word: "Parquet SCAN",
                with: 1,
                without: 2,
            },
        ],
        // Without the pass, EXISTS computes the distinct keys first, joins them, and then drops rows.
        Pass::SemiJoins => &[Need {
            sql: "SELECT count(*) FROM tpch.tiny.orders WHERE EXISTS (SELECT 1 FROM tpch.tiny.lineitem
                WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)",
            is_large: false,
            word: "UNIQUE",
            with: 0,
            without: 1,
        }],
        // Polars finds keys in WHERE, but retains the order of the statement.
        Pass::JoinOrder => &[Need {
            sql: "SELECT count(*) FROM tpch.tiny.part, tpch.tiny.supplier, tpch.tiny.lineitem
                WHERE p_partkey = l_partkey AND s_suppkey = l_suppkey AND p_size = 1",
            is_large: false,
            word: "CROSS JOIN:",
            with: 0,
            without: 1,
        }],
        // Polars groups where the statement does: all rows, by name.
        Pass::PushAggregate => &[Need {
            sql: "SELECT n_name, sum(s_acctbal) FROM tpch.tiny.supplier, tpch.tiny.nation
                WHERE s_nationkey = n_nationkey GROUP BY n_name",
            is_large: true,
            word: "AGGREGATE",
            with: 2,
            without: 1,
        }],
        // Polars computes each conditional value for each row of the join.
        Pass::PreAggregateCase => &[Need {
            sql: "SELECT n_regionkey, sum(CASE WHEN n_name = 'FRANCE' THEN s_acctbal END),
                sum(CASE WHEN n_name = 'CHINA' THEN s_acctbal ELSE 0 END) FROM tpch.tiny.supplier, tpch.tiny.nation
                WHERE s_nationkey = n_nationkey GROUP BY n_regionkey",
            is_large: true,
            word: "AGGREGATE",
            with: 3,
            without: 1,
        }],
        // The statement needs only the averages for parts of one brand, and only the rows of a table with one size.
        Pass::ReduceBySemiJoin => &[
            Need {
                sql: "SELECT sum(l_extendedprice) FROM tpch.tiny.lineitem, tpch.tiny.part
                    WHERE p_partkey = l_partkey AND p_brand = 'Brand#23' AND l_quantity <
                        (SELECT 0.2 * avg(l_quantity) FROM tpch.tiny.lineitem WHERE l_partkey = p_partkey)",
                is_large: false,
                word: "FILTER (col(\"l_partkey\") >= ",
                with: 1,
                without: 0,
            },
            Need {
                sql: "SELECT sum(l_quantity) FROM tpch.tiny.lineitem, tpch.tiny.part
                    WHERE p_partkey = l_partkey AND p_size = 1",
                is_large: true,
                word: "SELECTION: (col(\"l_partkey\") >= ",
                with: 1,
                without: 0,
            },
        ],
    }
}

#[test]
fn polars_still_needs_every_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut faults = Vec::new();
    for pass in Pass::ALL {
        for Need { sql, is_large, word, with, without } in needs(*pass) {
            let all = if *is_large { PassSet::default().for_large_tables() } else { PassSet::default() };
            let one_less = all.clone().without(*pass);
            assert_ne!(with, without, "{pass:?}: this says nothing of it: {sql}");
            for (passes, expected) in [(&all, with), (&one_less, without)] {
                let optimized = optimized_plan(sql, passes, folder.path());
                // A join is named at its begin and at its end.
                let lines = optimized.lines().filter(|line| !line.trim_start().starts_with("END "));
                let found = lines.filter(|line| line.contains(word)).count();
                if found != *expected {
                    faults.push(format!("{pass:?}: {found} times '{word}' in\n{sql}\n{optimized}"));
                }
            }
            let sorted = |passes: &PassSet| {
                let mut rows: Vec<String> = rows(sql, passes, folder.path())
                    .expect("rows")
                    .into_iter()
                    .map(|row| sort_key(&Value::Array(row)))
                    .collect();
                rows.sort_unstable();
                rows
            };
            assert_eq!(sorted(&all), sorted(&one_less), "{pass:?}: {sql}");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The plan after Polars' optimizer.
fn optimized_plan(sql: &str, passes: &PassSet, folder: &Path) -> String {
    let statement = statement(sql, folder);
    let mut tables = Tables::of(&statement, Samples::Create);
    let analyzed = plan(&statement, passes, &mut tables).expect("a plan");
    let scans = tables.scans(&analyzed.tables).expect("the tables");
    // Polars pushes predicates into files only.
    let scans: Vec<_> = scans.into_iter().map(TableScan::uncached).collect();
    let frame = lower(&analyzed, &scans, DecimalSums::Quick, None).expect("a frame");
    let (frame, _) = with_output_columns(frame, &analyzed);
    frame.describe_optimized_plan().expect("an optimized plan")
}
