//! Statements and the plans that they become.

use super::check;

#[test]
fn projections_keep_ids_and_name_the_rest() {
    check(
        "SELECT a, b + 1, c AS name FROM t WHERE a > 1 ORDER BY name DESC LIMIT 5",
        "
Limit 5 offset 0
  Sort c2 DESC
    Project [c0, c7=(c1 + 1), c2]
      Filter (c0 > 1)
        Scan table 0 [c0=a, c1=b, c2=c, c3=d, c4=e, c5=f, c6=g]
[a=c0 integer, _col1=c7 bigint, name=c2 varchar]",
    );
}
