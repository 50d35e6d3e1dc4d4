"""Makes the tables of TPC-DS (`*.parquet`) and DuckDB's answers to its 99 queries (`answers.json`).

    pip install duckdb==1.5.5 duckdb-extension-tpcds==1.5.5 && python3 make.py tables
    pip install duckdb==2.0.0 && python3 make.py answers
    python3 make.py scale 1 FOLDER      # dsdgen's own rows at a scale, for `cargo xtask bench tpcds --tables FOLDER`

The rows are dsdgen's at scale 0.01, changed so that a small sample answers every query with rows: keys of customers,
items, addresses and demographics are folded onto fewer, so that the same customer buys in all channels; tables of
which this scale has one row get several; a few columns take the values that the queries ask for. NULLs stay.

`q*.sql` are the queries of the specification. Changed in them are substitution parameters (years, months, limits of
prices, where the sample has no such rows), `date + 5`, which is an interval here, and in q53, q58, q63, q66, q74 and q83
decimals are cast to double before they are divided, because DuckDB divides decimals as doubles. `answers` checks that
the order of rows has no ties: it asks again over shuffled tables.

The answers are an independent engine's: never correct one by hand, and never take one from Rowhouse.
"""

import datetime
import decimal
import json
import pathlib
import re
import sys

import duckdb

FOLDER = pathlib.Path(__file__).parent
CUSTOMERS, ITEMS, ADDRESSES, DEMOGRAPHICS = 70, 90, 150, 140
# Key, rows, and columns that differ; N is the row's key.
SEVERAL = {
    "store": ("s_store_sk", 6, {
        "s_store_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "s_store_name": "['ought', 'able', 'pri', 'ese', 'anti', 'cally'][N]",
        "s_state": "['TN', 'TN', 'TN', 'GA', 'TX', 'KY'][N]",
        "s_county": "CASE WHEN N = 3 THEN 'Ziebach County' WHEN N = 5 THEN NULL ELSE s_county END",
        "s_city": "['Midway', 'Midway', 'Fairview', 'Midway', 'Fairview', 'Oak Grove'][N]",
        "s_market_id": "[2, 8, 5, 8, 10, 7][N]",
        "s_number_employees": "200 + 15 * N",
        "s_zip": "['31904', '24128', '31904', '55709', '38054', '24244'][N]",
        "s_gmt_offset": "CASE WHEN N = 6 THEN -6 ELSE -5 END",
    }),
    "warehouse": ("w_warehouse_sk", 4, {
        "w_warehouse_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "w_warehouse_name": "[NULL, 'Bad cards must make.', 'Important issues liv', 'Doors canno'][N]",
        "w_warehouse_sq_ft": "100000 * N + 77",
        "w_state": "['TN', 'GA', 'TX', 'TN'][N]",
    }),
    "call_center": ("cc_call_center_sk", 3, {
        "cc_call_center_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "cc_name": "['NY Metro', 'Mid Atlantic', 'North Midwest'][N]",
        "cc_county": "CASE WHEN N = 3 THEN 'Ziebach County' ELSE cc_county END",
        "cc_manager": "['Bob Belcher', 'Felipe Perkins', 'Mark Hightower'][N]",
    }),
    "web_site": ("web_site_sk", 4, {
        "web_site_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "web_name": "'site_' || N",
        "web_company_name": "['cally', 'pri', 'able', 'ese'][N]",
        "web_company_id": "N",
    }),
    "web_page": ("wp_web_page_sk", 6, {
        "wp_web_page_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "wp_char_count": "4600 + 150 * N",
    }),
    "reason": ("r_reason_sk", 30, {
        "r_reason_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "r_reason_desc": "'reason ' || N",
    }),
    "promotion": ("p_promo_sk", 5, {
        "p_promo_id": "'AAAAAAAA' || chr(64 + N) || 'AAAAAAA'",
        "p_channel_email": "CASE WHEN N % 2 = 0 THEN 'N' ELSE 'Y' END",
        "p_channel_event": "'N'",
        "p_channel_dmail": "CASE WHEN N % 2 = 0 THEN 'Y' ELSE 'N' END",
        "p_channel_tv": "CASE WHEN N = 4 THEN 'Y' ELSE 'N' END",
    }),
}
# The table of orders, the order's number, whether every second order is left out.
FACTS = {
    "store_sales": ("ss_ticket_number", True), "store_returns": ("sr_ticket_number", True),
    "catalog_sales": ("cs_order_number", True), "catalog_returns": ("cr_order_number", True),
    "web_sales": ("ws_order_number", False), "web_returns": ("wr_order_number", False),
    "inventory": ("0", False),
}
# What an item of which `i_item_sk % 10` is the key is.
KINDS = {
    1: ("Books", 9, "reference", "scholaramalgamalg #14"), 2: ("Women", 1, "maternity", "amalgimporto #1"),
    3: ("Women", 1, "fragrances", "importoamalg #1"), 4: ("Music", 5, "classical", "edu packscholar #1"),
    6: ("Electronics", 10, "portable", "exportiunivamalg #9"),
}


def one_of(values, key):
    shown = ", ".join("NULL" if v is None else f"'{v}'" if isinstance(v, str) else str(v) for v in values)
    return f"[{shown}][({key}) % {len(values)} + 1]"


def columns(connection, table):
    return [row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()]


def generated(scale):
    import duckdb_extension_tpcds

    package = pathlib.Path(duckdb_extension_tpcds.__file__).parent
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{next(package.rglob('tpcds.duckdb_extension'))}'")
    connection.execute(f"CALL dsdgen(sf = {scale})")
    return connection


def make_scale(scale, folder):
    connection = generated(scale)
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for (table,) in connection.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall():
        connection.execute(f"COPY (FROM {table}) TO '{folder}/{table}.parquet'")


def make_tables():
    connection = generated(0.01)
    run = connection.execute
    run(f"DELETE FROM customer WHERE c_customer_sk > {CUSTOMERS}")
    run(f"DELETE FROM item WHERE i_item_sk > {ITEMS}")
    run(f"DELETE FROM customer_address WHERE ca_address_sk > {ADDRESSES}")
    run(f"DELETE FROM customer_demographics WHERE cd_demo_sk > {DEMOGRAPHICS}")
    for table, (key, rows, changes) in SEVERAL.items():
        first = run(f"SELECT min({key}) FROM {table}").fetchone()[0]
        run(f"DELETE FROM {table} WHERE {key} > {first}")
        for number in range(2, rows + 1):
            changed = {**changes, key: "N"}
            row = ", ".join(re.sub(r"\bN\b", str(number), changed.get(name, name)) for name in columns(connection, table))
            run(f"INSERT INTO {table} SELECT {row} FROM {table} WHERE {key} = {first}")
    change_items(run)
    change_addresses(run)
    # Few of the items have an inventory in each year: the others get numbers that items have.
    run("""UPDATE inventory SET inv_item_sk = dense.number FROM
        (SELECT sk, dense_rank() OVER (ORDER BY sk) AS number FROM (SELECT DISTINCT inv_item_sk AS sk FROM inventory))
        AS dense WHERE inv_item_sk = dense.sk""")
    for table in [*FACTS, "customer"]:
        fold_keys(connection, table)
    run("""DELETE FROM inventory WHERE rowid NOT IN
        (SELECT min(rowid) FROM inventory GROUP BY inv_date_sk, inv_item_sk, inv_warehouse_sk)""")
    for table, (order, is_halved) in FACTS.items():
        if is_halved:
            run(f"DELETE FROM {table} WHERE {order} % 2 <> 0")
    run("DELETE FROM date_dim WHERE d_year NOT BETWEEN 1997 AND 2003")
    keep_used(run, "time_dim", "t_time_sk", {"store_sales": "ss_sold_time_sk", "catalog_sales": "cs_sold_time_sk", "web_sales": "ws_sold_time_sk"})
    keep_used(run, "catalog_page", "cp_catalog_page_sk", {"catalog_sales": "cs_catalog_page_sk", "catalog_returns": "cr_catalog_page_sk"})
    for (table,) in run("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall():
        run(f"COPY (FROM {table}) TO '{FOLDER}/{table}.parquet' (COMPRESSION zstd, COMPRESSION_LEVEL 19)")


def change_items(run):
    makers = [128, 977, 677, 940, 738, 745, 129, 270, 350, 821]
    colors = ["slate", "blanched", "burnished", "peach", "saddle", "purple", "burlywood", "powder", "khaki", "orange",
              None, "floral", "orchid", "chiffon", "spring"]
    run(f"""UPDATE item SET
        i_manufact_id = CASE WHEN i_item_sk % 3 = 0 THEN {one_of(makers, "i_item_sk // 3")} ELSE i_manufact_id END,
        i_manager_id = {one_of([1, 8, 28, 35, 36, 1, 40, 20, 23, 91], "i_item_sk")},
        i_color = {one_of(colors, "i_item_sk")},
        i_current_price = CASE WHEN i_item_sk % 3 = 0 THEN 62 + i_item_sk % 31
            WHEN i_item_sk % 7 = 1 THEN NULL ELSE i_current_price END""")
    run("UPDATE item SET i_manufact = 'manufact ' || i_manufact_id")
    for remainder, (category, number, kind, brand) in KINDS.items():
        run(f"""UPDATE item SET i_category = '{category}', i_category_id = {number}, i_class = '{kind}',
            i_brand = '{brand}' WHERE i_item_sk % 10 = {remainder}""")
    run("""UPDATE item SET i_category = 'Women', i_color = 'powder', i_units = 'Ounce', i_size = 'medium',
        i_manufact_id = 740, i_manufact = 'manufact 740' WHERE i_item_sk IN (12, 42, 43)""")
    run("""UPDATE item SET i_category = 'Men', i_color = 'orange', i_units = 'Each', i_size = 'petite',
        i_manufact_id = 745, i_manufact = 'manufact 745' WHERE i_item_sk IN (15, 45)""")


def change_addresses(run):
    changes = {
        "ca_state": ["TX", "GA", "KY", "IL", "TN", "OH", "VA", "IN", "IA", "TN", "GA"],
        "ca_county": ["Rush County", "Toole County", "Jefferson County", "Williamson County", "Dona Ana County",
                      "Williamson County", "Ziebach County"],
        "ca_city": ["Edgewood", "Midway", "Fairview", "Oak Grove", "Pleasant Hill"],
        "ca_zip": ["24128", "35709", "31904", "55709", "38054", "76232", "85669", "86197", "88274"],
        "ca_gmt_offset": [-5, -6, -7, -5],
    }
    for name, values in changes.items():
        run(f"UPDATE customer_address SET {name} = {one_of(values, 'ca_address_sk')} WHERE {name} IS NOT NULL")


def fold_keys(connection, table):
    folded = {"cdemo_sk": DEMOGRAPHICS, "customer_sk": CUSTOMERS, "item_sk": ITEMS, "addr_sk": ADDRESSES}
    names = columns(connection, table)
    sets = [f"{name} = ({name} - 1) % {rows} + 1" for name in names if name != "c_customer_sk"
            for suffix, rows in folded.items() if name.endswith(suffix)]
    if table in FACTS:
        order, _ = FACTS[table]
        item = next(name for name in names if name.endswith("item_sk"))
        # What an order has one of follows from its number, so that a return is of the place of its sale.
        keys = {"store_sk": f"({order}) // 2", "web_site_sk": f"({order}) // 2", "call_center_sk": f"({order}) // 2",
                "web_page_sk": f"({order}) // 2"}
        several = {"store_sk": 6, "warehouse_sk": 4, "call_center_sk": 3, "web_site_sk": 4, "web_page_sk": 6,
                   "reason_sk": 30, "promo_sk": 5}
        for suffix, rows in several.items():
            key = keys.get(suffix, f"({order}) * 7 + {item}")
            sets += [f"{name} = CASE WHEN {name} IS NOT NULL THEN ({key}) % {rows} + 1 END"
                     for name in names if name.endswith(suffix)]
    connection.execute(f"UPDATE {table} SET {', '.join(sets)}")


def keep_used(run, table, key, used):
    parts = " UNION ".join(f"SELECT {name} FROM {fact} WHERE {name} IS NOT NULL" for fact, name in used.items())
    run(f"DELETE FROM {table} WHERE {key} NOT IN ({parts})")


def value(found):
    if isinstance(found, decimal.Decimal):
        return float(found) if found % 1 else int(found)
    if isinstance(found, datetime.date):
        return found.isoformat()
    assert found is None or isinstance(found, (bool, int, float, str)), found
    return found


def answer(connection, path):
    found = connection.execute(path.read_text())
    doubles = [index for index, column in enumerate(found.description) if str(column[1]) == "DOUBLE"]
    return [[value(cell) for cell in row] for row in found.fetchall()], doubles


def connect(order):
    connection = duckdb.connect()
    connection.execute("SELECT setseed(0.5)")
    for path in FOLDER.glob("*.parquet"):
        connection.execute(f"CREATE TABLE {path.stem} AS FROM '{path}' {order}")
    return connection


def rounded(rows):
    return [[round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in rows]


def make_answers():
    given, shuffled = connect(""), connect("ORDER BY random()")
    lines = []
    for path in sorted(FOLDER.glob("q*.sql")):
        rows, doubles = answer(given, path)
        assert rows, f"{path.name} has no rows"
        assert rounded(rows) == rounded(answer(shuffled, path)[0]), f"the order of {path.name} has ties"
        is_ordered = "order by" in path.read_text().lower()
        case = {"sql": path.read_text().strip(), "ordered": is_ordered, "rows": rows}
        lines.append(json.dumps({**case, "doubles": doubles} if doubles else case))
    (FOLDER / "answers.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{len(lines)} answers, {sum(line.count('[') - 1 for line in lines)} rows")


{"tables": make_tables, "answers": make_answers, "scale": make_scale}[sys.argv[1]](*sys.argv[2:])
