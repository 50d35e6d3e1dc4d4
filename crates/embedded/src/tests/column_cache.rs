//! Statements over tables whose columns are cached have the same rows, and see every change of a file.

use super::*;
use crate::scan::clear_column_cache;

#[test]
fn cached_columns_give_the_same_rows_as_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let statements = [
        "SELECT count(*), count(DISTINCT l_comment), sum(l_quantity), min(l_shipdate) FROM tpch.tiny.lineitem",
        "SELECT l_returnflag, l_linestatus, sum(l_extendedprice), count(*) FROM tpch.tiny.lineitem \
         WHERE l_shipdate < DATE '1995-03-01' GROUP BY 1, 2 ORDER BY 1, 2",
        "SELECT o_orderkey, o_comment FROM tpch.tiny.orders ORDER BY o_totalprice DESC, o_orderkey LIMIT 20",
        "SELECT * FROM t1 ORDER BY id",
        "SELECT (SELECT count(*) FROM t1), v FROM t1 WHERE id < 5 ORDER BY id",
        "SELECT count(*) FROM t1 a, t1 b WHERE EXISTS (SELECT 1 FROM t2) AND a.v = b.v",
        "SELECT t1.id, t1.d, t1.ts, t1.b, t2.* FROM t1 LEFT JOIN t2 ON t1.k = t2.k ORDER BY id, w, m",
    ];
    for sql in statements {
        let from_files = || {
            clear_column_cache();
            rows(sql, &PassSet::default(), folder.path())
        };
        let expected = from_files();
        // The second run fills the cache, the third one uses it.
        for _ in 0..3 {
            assert_eq!(rows(sql, &PassSet::default(), folder.path()), expected, "{sql}");
        }
    }
}
