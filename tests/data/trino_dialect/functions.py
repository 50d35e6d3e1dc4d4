"""Calls of each function that Trino's SHOW FUNCTIONS lists (`signatures.txt`, without colors and set digests)."""

import pathlib

# Values of each type: common ones first, then limits; NULL comes last.
VALUES = {
    "bigint": ["BIGINT '5'", "2", "BIGINT '-3'", "0"],
    "integer": ["3", "1", "-2"],
    "smallint": ["SMALLINT '7'", "SMALLINT '-2'"],
    "tinyint": ["TINYINT '7'", "TINYINT '-2'"],
    "double": ["0.5e0", "2e0", "-1.25e0", "nan()"],
    "real": ["REAL '0.5'", "REAL '-1.25'"],
    "decimal(p,s)": ["1.50", "-2.675", "DECIMAL '12345678901234567890.125'"],
    "decimal(p,0)": ["DECIMAL '12'"],
    "boolean": ["true", "false"],
    "varchar": ["'abc'", "'Trino SQL'", "''", "'é😀'"],
    "varchar(1)": ["'a'", "'é'", "'ab'"],
    "varchar(2)": ["'en'", "'xx'"],
    "char(x)": ["CHAR 'abc'", "CAST('ab' AS char(4))"],
    "varbinary": ["X'616263'", "X''", "to_utf8('é')"],
    "date": ["DATE '2020-02-29'", "DATE '1969-12-31'"],
    "time(p)": ["TIME '13:14:15'", "TIME '01:02:03.456789'"],
    "time(p) with time zone": ["TIME '13:14:15 +02:00'", "TIME '01:02:03.456 -05:30'"],
    "timestamp(p)": ["TIMESTAMP '2020-02-29 13:14:15'", "TIMESTAMP '1969-12-31 23:59:59.123456'"],
    "timestamp(p) with time zone": ["TIMESTAMP '2020-02-29 13:14:15 UTC'", "TIMESTAMP '2020-07-01 00:00:00.123 Europe/Berlin'"],
    "interval day to second": ["INTERVAL '1' DAY", "INTERVAL '-3 04:05:06.789' DAY TO SECOND"],
    "interval year to month": ["INTERVAL '1' YEAR", "INTERVAL '-1-2' YEAR TO MONTH"],
    "json": ["JSON '[1, \"a\", null]'", "JSON '{\"a\": 1, \"b\": [2]}'"],
    "jsonpath": ["'$.a'", "'$[0]'", "'bad['"],
    "joniregexp": ["'[a-c]+'", "'(b)(c)?'", "'('"],
    "codepoints": ["'a'", "'abc'"],
    "likepattern": ["'a%'"],
    "ipaddress": ["IPADDRESS '10.0.0.1'"],
    "hyperloglog": ["empty_approx_set()", "CAST(NULL AS hyperloglog)"],
    "tdigest": ["(SELECT tdigest_agg(v) FROM (VALUES 1e0, 2e0, 3e0) u(v))"],
    "qdigest(bigint)": ["(SELECT qdigest_agg(v) FROM (VALUES BIGINT '1', BIGINT '2', BIGINT '3') u(v))"],
    "qdigest(double)": ["(SELECT qdigest_agg(v) FROM (VALUES 1e0, 2e0, 3e0) u(v))"],
    "qdigest(real)": ["(SELECT qdigest_agg(v) FROM (VALUES REAL '1', REAL '2') u(v))"],
    "t": ["1", "'abc'", "DATE '2020-01-01'", "ARRAY[1, 2]", "ROW(1, 'a')", "1.5"],
    "array(t)": ["ARRAY[3, 1, 2]", "ARRAY['b', 'a']", "ARRAY[1, NULL]", "CAST(ARRAY[] AS array(integer))"],
    "array(array(e))": ["ARRAY[ARRAY[1], ARRAY[2, 3]]"],
    "array(double)": ["ARRAY[1e0, 2e0]", "ARRAY[0.5e0, 0.9e0]"],
    "array(bigint)": ["ARRAY[BIGINT '1', BIGINT '2']"],
    "array(varchar)": ["ARRAY['a', 'b']"],
    "array(array(t))": ["ARRAY[ARRAY[1], ARRAY[2, 3]]"],
    "array(row(k,v))": ["ARRAY[ROW(1, 'a'), ROW(2, 'b')]"],
    "array(row(t1,t2))": ["ARRAY[ROW(1, 'a'), ROW(2, 'b')]"],
    "map(k,v)": ["MAP(ARRAY['a', 'b'], ARRAY[1, 2])", "MAP(ARRAY[1], ARRAY['x'])"],
    "map(varchar,double)": ["MAP(ARRAY['a', 'b'], ARRAY[1e0, 2e0])"],
    "function(t,boolean)": ["x -> x > 1", "x -> NULL"],
    "function(t,u)": ["x -> x + 1"],
    "function(t,t,integer)": ["(a, b) -> IF(a < b, 1, IF(a = b, 0, -1))"],
    "function(k,v,boolean)": ["(k, v) -> k IS NOT NULL"],
    "function(k1,v,k2)": ["(k, v) -> CAST(k AS varchar) || 'x'"],
    "function(k,v1,v2)": ["(k, v) -> CAST(v AS varchar)"],
    "function(t,u,r)": ["(a, b) -> ROW(a, b)"],
    "function(k,v1,v2,v3)": ["(k, a, b) -> a"],
    "function(array(varchar),varchar(x))": ["x -> upper(x[1])"],
    "function(s,t,s)": ["(s, x) -> s + x"],
    "function(s,r)": ["s -> s"],
    "function(s,s,s)": ["(a, b) -> a + b"],
}
TYPES_OF_LETTERS = {"e": "t", "u": "t", "k": "t", "v": "t", "s": "t", "r": "t", "t1": "t", "t2": "t", "unknown": "t"}

# Arguments that mean something to a function: its first parameters' values.
FITTING = {
    "date_trunc": [["'month'", "'hour'", "'second'", "'century'"]],
    "date_add": [["'month'", "'hour'", "'second'", "'century'"]],
    "date_diff": [["'month'", "'hour'", "'second'", "'century'"]],
    "date_parse": [["'2020-02-29'", "'x'"], ["'%Y-%m-%d'", "'%d'"]],
    "date_format": [None, ["'%Y-%m-%d %H:%i:%s'", "'%W %q'"]],
    "parse_datetime": [["'2020-02-29 13:14'", "'x'"], ["'yyyy-MM-dd HH:mm'"]],
    "format_datetime": [None, ["'yyyy-MM-dd HH:mm'", "'EEE D'"]],
    "from_iso8601_timestamp": [["'2020-02-29T13:14:15Z'", "'2020-02-30'"]],
    "from_iso8601_timestamp_nanos": [["'2020-02-29T13:14:15.123456789Z'", "'x'"]],
    "from_iso8601_date": [["'2020-02-29'", "'2020-W10'", "'x'"]],
    "at_timezone": [None, ["'America/New_York'", "'nowhere'"]],
    "with_timezone": [None, ["'America/New_York'", "'nowhere'"]],
    "from_unixtime": [["1.5e9", "0e0", "1e300"], ["'Europe/Berlin'", "2"], ["30"]],
    "date": [["'2020-02-29'", "'x'", "TIMESTAMP '2020-02-29 13:14:15'"]],
    "json_parse": [["'{\"a\": [1, 2.50, null]}'", "'{'"]],
    "json_extract": [["'{\"a\": [1, 2.50, null]}'", "'{'"]],
    "json_extract_scalar": [["'{\"a\": \"x\"}'", "'[1]'"]],
    "json_size": [["'{\"a\": [1, 2]}'", "'1'"]],
    "json_array_contains": [["'[1, 2, \"abc\", true]'", "'1'"]],
    "json_array_get": [["'[1, \"a\", [3]]'", "'x'"], ["0", "-1", "9"]],
    "json_array_length": [["'[1, 2]'", "'1'"]],
    "is_json_scalar": [["'1'", "'[1]'", "'x'"]],
    "url_decode": [["'a%20b+c'", "'%zz'"]],
    "parse_duration": [["'3.5m'", "'x'"]],
    "parse_data_size": [["'2.3MB'", "'x'"]],
    "parse_presto_data_size": [["'2.3MB'", "'x'"]],
    "from_hex": [["'6162'", "'6'", "X'3631'"]],
    "from_base64": [["'YWJj'", "'!'", "X'5957'"]],
    "from_base64url": [["'YWJj'", "'!'"]],
    "from_base32": [["'MFRGG==='", "'!'"]],
    "from_big_endian_32": [["X'00000001'", "X'00'"]],
    "from_big_endian_64": [["X'0000000000000001'", "X'00'"]],
    "from_ieee754_32": [["X'3F800000'", "X'00'"]],
    "from_ieee754_64": [["X'3FF0000000000000'", "X'00'"]],
    "from_base": [["'ff'", "'z'"], ["16", "1"]],
    "to_base": [["255", "-1"], ["16", "99"]],
    "luhn_check": [["'79927398713'", "'1'", "'x'"]],
    "bit_count": [["7", "-1"], ["8", "64", "1"]],
    "split_to_map": [["'a=1,b=2'", "'a=1,a=2'"], ["','"], ["'='", "','"]],
    "split_to_multimap": [["'a=1,a=2'"], ["','"], ["'='"]],
    "split_part": [["'a-b-c'"], ["'-'"], ["2", "9", "0"]],
    "split": [["'a-b-c'"], ["'-'", "''"], ["2", "0"]],
    "normalize": [["'é'"]],
    "hamming_distance": [["'abc'", "'ab'"], ["'abd'"]],
    "levenshtein_distance": [["'abc'"], ["'adbc'"]],
    "lpad": [["'abc'"], ["5", "2", "-1"], ["'xy'", "''"]],
    "rpad": [["'abc'"], ["5", "2", "-1"], ["'xy'", "''"]],
    "combinations": [["ARRAY[1, 2, 3]"], ["2", "9"]],
    "ngrams": [["ARRAY[1, 2, 3]"], ["2", "0"]],
    "flatten": [["ARRAY[ARRAY[1], ARRAY[2, 3]]", "ARRAY[1]"]],
    "slice": [["ARRAY[1, 2, 3]"], ["2", "-2", "0"], ["2", "-1"]],
    "trim_array": [["ARRAY[1, 2, 3]"], ["1", "4"]],
    "repeat": [None, ["2", "0", "-1"]],
    "element_at": [["ARRAY[3, 1, 2]", "MAP(ARRAY[1, 2], ARRAY['a', 'b'])"], ["1", "9", "0"]],
    "contains": [["ARRAY[3, 1, 2]"], ["1", "9"]],
    "array_position": [["ARRAY[3, 1, 2]"], ["1", "9"]],
    "array_remove": [["ARRAY[3, 1, 2]"], ["1", "9"]],
    "map": [["ARRAY['a', 'b']", "ARRAY[1, 1]"], ["ARRAY[1, 2]", "ARRAY[1]"]],
    "map_from_entries": [["ARRAY[ROW(1, 'a'), ROW(2, 'b')]", "ARRAY[ROW(1, 'a'), ROW(1, 'b')]"]],
    "multimap_from_entries": [["ARRAY[ROW(1, 'a'), ROW(1, 'b')]"]],
    "reduce": [["ARRAY[1, 2, 3]"], ["0"], ["(s, x) -> s + x"], ["s -> s * 2"]],
    "transform": [["ARRAY[1, 2, 3]", "ARRAY['a']"]],
    "zip_with": [["ARRAY[1, 2]"], ["ARRAY['a']"]],
    "map_zip_with": [["MAP(ARRAY[1, 2], ARRAY['a', 'b'])"], ["MAP(ARRAY[2, 3], ARRAY['c', 'd'])"]],
    "filter": [["ARRAY[1, 2, 3]", "ARRAY[]"]], "any_match": [["ARRAY[1, 2, 3]"]], "all_match": [["ARRAY[1, 2, 3]"]],
    "none_match": [["ARRAY[1, 2, 3]"]],
    "array_sort": [["ARRAY[3, 1, 2]", "ARRAY['b', NULL, 'a']"]],
    "cosine_distance": [["ARRAY[1e0, 2e0]", "ARRAY[0e0]"], ["ARRAY[2e0, 3e0]"]],
    "width_bucket": [["0.5e0", "9e0"], ["0e0", "ARRAY[1e0, 2e0]"], ["2e0"], ["4", "0"]],
    "inverse_normal_cdf": [["0e0"], ["1e0", "0e0"], ["0.3e0", "2e0"]],
    "normal_cdf": [["0e0"], ["1e0", "0e0"], ["0.3e0"]],
    "beta_cdf": [["2e0", "0e0"], ["3e0"], ["0.3e0", "2e0"]],
    "inverse_beta_cdf": [["2e0", "0e0"], ["3e0"], ["0.3e0", "2e0"]],
    "t_cdf": [["0.5e0"], ["3e0", "0e0"]], "t_pdf": [["0.5e0"], ["3e0", "0e0"]],
    "url_extract_host": [["'https://u@h.example:80/p/q?a=1&b=2#f'", "'x y'"]],
    "url_extract_parameter": [["'https://h.example/p?a=1&b=2#f'"], ["'b'", "'z'"]],
    "url_extract_path": [["'https://h.example/p/q?a=1'", "'x y'"]],
    "url_extract_port": [["'https://h.example:80/p'", "'x y'"]],
    "url_extract_protocol": [["'https://h.example:80/p'", "'x y'"]],
    "url_extract_query": [["'https://h.example/p?a=1&b=2#f'", "'x y'"]],
    "url_extract_fragment": [["'https://h.example/p?a=1&b=2#f'", "'x y'"]],
    "translate": [["'abcabc'"], ["'ab'"], ["'x'", "''"]],
    "regexp_extract": [["'abcabc'"], ["'(b)(c)'", "'('"], ["1", "9"]],
    "regexp_extract_all": [["'abcabc'"], ["'(b)(c)'", "'('"], ["1", "9"]],
    "regexp_replace": [["'abcabc'"], ["'(b)(c)'"], ["'$2$1'", "'$9'"]],
    "word_stem": [["'running'"], ["'en'", "'xx'"]],
    "format_number": [["1234567", "0.00123e0", "-1e20"]],
    "human_readable_seconds": [["96.5e0", "nan()"]],
    "chr": [["97", "128512", "-1"]],
    "sequence": [["1", "DATE '2020-01-01'"], ["5", "DATE '2020-03-01'"], ["2", "0", "INTERVAL '1' MONTH"]],
    "current_groups": [],
}
SKIPPED = {
    # What they give changes from run to run or is another server's.
    "random", "rand", "shuffle", "uuid", "now", "current_date", "current_groups",
    # Table functions: in clauses.py.
    "exclude_columns",
}
MAX_OF_A_SIGNATURE = 5


def split(text):
    """The parameters of a signature."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def values_of(parameter):
    name = parameter.lower()
    name = TYPES_OF_LETTERS.get(name, name)
    for prefix in ("varchar(", "char("):
        if name.startswith(prefix) and name not in VALUES:
            name = "char(x)" if prefix == "char(" else "varchar"
    if name.startswith("array(") and name not in VALUES:
        name = "array(t)"
    if name.startswith("map(") and name not in VALUES:
        name = "map(k,v)"
    return VALUES.get(name) or VALUES["t"]


def argument_lists(name, parameters):
    lists = [list(values_of(parameter)) for parameter in parameters]
    for place, values in enumerate(FITTING.get(name, [])):
        if values and place < len(lists):
            own = parameters[place].lower()
            keeps = [value for value in values if fits(value, own)]
            lists[place] = keeps or lists[place]
    chosen = [tuple(values[0] for values in lists)] if lists else [()]
    for place, values in enumerate(lists):
        for value in values[1:]:
            chosen.append(tuple(value if at == place else others[0] for at, others in enumerate(lists)))
    if lists:
        nulls = [f"CAST(NULL AS {null_type(parameter)})" if null_type(parameter) else "NULL" for parameter in parameters]
        if not parameters[0].startswith("function"):
            chosen.append((nulls[0], *(values[0] for values in lists[1:])))
        if len(lists) > 1 and not parameters[-1].startswith("function"):
            chosen.append((*(values[0] for values in lists[:-1]), nulls[-1]))
    kept = list(dict.fromkeys(chosen))
    if len(kept) > MAX_OF_A_SIGNATURE:
        kept = kept[: MAX_OF_A_SIGNATURE - 1] + kept[-1:]
    return kept


def fits(value, parameter):
    if "interval" in parameter:
        return value.startswith("INTERVAL")
    if parameter.startswith("varbinary"):
        return value.startswith("X'")
    if parameter.startswith("varchar"):
        return value.startswith("'")
    for word in ("date", "json"):
        if parameter == word:
            return value.startswith(word.upper())
    if parameter.startswith("timestamp"):
        return value.startswith("TIMESTAMP")
    if parameter in ("bigint", "integer"):
        return value.lstrip("-").isdigit()
    if parameter == "double":
        return "e" in value and not value.startswith("ARRAY")
    if parameter.startswith("array"):
        return value.startswith("ARRAY")
    if parameter.startswith("map"):
        return value.startswith("MAP")
    return True


def null_type(parameter):
    known = {"varchar", "bigint", "integer", "double", "real", "boolean", "date", "varbinary", "tinyint", "smallint"}
    name = parameter.lower()
    if name.startswith("varchar"):
        return "varchar"
    if name.startswith("timestamp(p)"):
        return name.replace("(p)", "(3)")
    return name if name in known else None


WINDOW = {
    "row_number": [""], "rank": [""], "dense_rank": [""], "percent_rank": [""], "cume_dist": [""],
    "ntile": ["2", "0", "NULL"], "lag": ["x", "x, 2", "x, 1, 9", "x, -1"], "lead": ["x", "x, 2", "x, 1, 9"],
    "first_value": ["x", "y"], "last_value": ["x"], "nth_value": ["x, 2", "x, 0"],
}
ROWS = "(VALUES (1, 'a', 1e0), (2, 'b', 2e0), (2, NULL, 4e0), (NULL, 'c', NULL)) t(x, y, z)"
COLUMNS = {"bigint": "CAST(x AS bigint)", "double": "z", "real": "CAST(z AS real)", "varchar": "y", "boolean": "(x > 1)",
           "t": "x", "k": "x", "v": "y", "decimal(p,s)": "CAST(x AS decimal(5,2))",
           "interval day to second": "(x * INTERVAL '1' DAY)", "interval year to month": "(x * INTERVAL '1' MONTH)",
           "map(k,v)": "MAP(ARRAY[coalesce(x, 0)], ARRAY[y])"}
CONSTANTS = {"approx_percentile": "0.5", "approx_most_frequent": "3", "numeric_histogram": "2"}


def aggregate(name, parameters):
    arguments = []
    for place, parameter in enumerate(parameters):
        known = parameter.lower()
        if known.startswith("function"):
            arguments.append({1: "", 2: "(a, b) -> a + b", 3: "(a, b) -> a + b"}[place])
        elif place and (known in ("double", "bigint") or known.startswith("array")) and name not in ("corr", "covar_pop", "covar_samp", "regr_slope", "regr_intercept", "max_by", "min_by", "approx_most_frequent"):
            if name == "numeric_histogram" or name == "tdigest_agg" or name == "min" or name == "max":
                arguments.append("1" if name in ("min", "max") else ("z" if place == 1 else "1e0"))
            else:
                arguments.append("ARRAY[0.2, 0.8]" if known.startswith("array") else "0.25e0" if known == "double" else "1")
        elif name == "numeric_histogram" and place == 0 or name == "approx_most_frequent" and place in (0, 2):
            arguments.append("3")
        elif name == "reduce_agg" and place == 1:
            arguments.append("0")
        elif known in ("max_by", "min_by"):
            arguments.append("x")
        else:
            arguments.append(COLUMNS.get(known, COLUMNS.get(TYPES_OF_LETTERS.get(known, ""), "y" if known.startswith("varchar") else "x")))
    call = ", ".join(arguments)
    yield f"SELECT {name}({call}) FROM {ROWS}"
    yield f"SELECT {name}({call}) FROM {ROWS} WHERE x > 9"
    yield f"SELECT y, {name}({call}) FROM {ROWS} GROUP BY y ORDER BY y"
    if arguments and "ARRAY" not in call:
        yield f"SELECT x, {name}({call}) OVER (ORDER BY x, y) FROM {ROWS} ORDER BY x, y"
        yield f"SELECT {name}(DISTINCT {call}) FILTER (WHERE x > 0) FROM {ROWS}"


def statements():
    folder = pathlib.Path(__file__).parent
    names = {}
    for line in (folder / "signatures.txt").read_text().splitlines():
        name, arguments, kind = line.rsplit("|", 2)
        parameters = split(arguments)
        if name in SKIPPED or name == "listagg":
            continue
        names.setdefault(name, kind)
        if kind == "scalar":
            for chosen in argument_lists(name, parameters):
                yield f"SELECT {name}({', '.join(chosen)})"
        elif kind == "aggregate":
            yield from aggregate(name, parameters)
    for name, kind in names.items():
        over = f" OVER (ORDER BY x, y) FROM {ROWS} ORDER BY x, y"
        if kind == "window":
            for arguments in WINDOW[name]:
                yield f"SELECT x, {name}({arguments}){over}"
            yield f"SELECT {name}() FROM {ROWS}"
        elif kind == "scalar":
            yield f"SELECT {name}(1, 2, 3, 4, 5, 6, 7)"
            yield f"SELECT {name}(ROW(1))"
    yield from listagg()


def listagg():
    rows = "(VALUES ('b'), ('a'), (NULL), ('c')) t(v)"
    within = "WITHIN GROUP (ORDER BY v)"
    yield f"SELECT listagg(v, ',') {within} FROM {rows}"
    yield f"SELECT listagg(v) {within} FROM {rows}"
    yield f"SELECT listagg(DISTINCT v, ',') {within} FROM {rows}"
    yield f"SELECT listagg(v, ',' ON OVERFLOW ERROR) {within} FROM {rows}"
    yield f"SELECT listagg(v, ',' ON OVERFLOW TRUNCATE '...' WITH COUNT) {within} FROM {rows}"
    yield f"SELECT listagg(v, ',' ON OVERFLOW TRUNCATE WITHOUT COUNT) {within} FROM {rows}"
    yield "SELECT length(listagg(v, ',' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY v)) FROM (SELECT rpad('x', 1000, 'y') FROM UNNEST(sequence(1, 2000))) t(v)"
    yield "SELECT substr(listagg(v, ',' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY v), 1048000) FROM (SELECT rpad('x', 1000, 'y') FROM UNNEST(sequence(1, 2000))) t(v)"
    yield "SELECT listagg(v, ',') WITHIN GROUP (ORDER BY v) FROM (SELECT rpad('x', 1000, 'y') FROM UNNEST(sequence(1, 2000))) t(v)"
    yield f"SELECT listagg(v, v) {within} FROM {rows}"
    yield f"SELECT listagg(v, ',') FROM {rows}"
    yield f"SELECT listagg(1, ',') {within} FROM {rows}"
    yield f"SELECT listagg(v, ',') WITHIN GROUP (ORDER BY v DESC) FILTER (WHERE v > 'a') FROM {rows}"
