"""The type json: literals, casts both ways, functions over json and over text."""

from suite import Suite, quoted

TEXTS = [
    "1", " 1 ", "-1", "0", "-0", "-0.0", "1.5", "1.50", "1.0", "100.0", "1e3", "1E+03", "1.5e-10", "1e7", "12345678.9", "0.001", "0.0001", "1e400", "-1e400", "1e-400", "123456789012345678901234567890", "-123456789012345678901234567890", "1.23456789012345678901234567890",
    "127", "128", "-129", "32768", "2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "99999.995", "0.5", "2.5", "-2.5", "1e18", "1e19",
    "true", "false", "null", '""', '"a"', '"abc def"', '"1"', '" 1 "', '"1.5"', '"-2.5"', '"1e3"', '"true"', '"TRUE"', '"t"', '"f"', '"yes"', '"NaN"', '"Infinity"', '"-Infinity"', '"nan"', '"2020-01-02"', '"0x1F"', '"99999999999"', '"1_000"',
    '"\\ud83d\\ude00"', '"\\u0041\\/\\b\\f\\n\\r\\t\\"\\\\"', '"é😀"', '"\\u0001"', '"\u007f\u0080\u2028"',
    "[]", "{}", "[1]", '["a"]', "[1,2,3]", '[1,null,"x",true,2.5,[1],{"a":1}]', "[[1,2],[3],[],null]", '[null]', '[ 1 , 2 ]', '["1","2"]', "[true,false]", "[1.5,2]", "[1e3]",
    '{"a":1}', '{"b":1,"a":2}', '{"a":1,"a":2}', '{"x":1,"y":"a"}', '{"X":1,"Y":"b"}', '{"x":1,"X":2}', '{"y":"a"}', '{"x":null,"z":[1,{"q":2}]}', '{"x":"1","y":2}', '{"":1}', '{"é":1,"z":2,"Z":3,"😀":4,"ﬀ":5}', '{ "a" : { "c" : [ { } ] , "b" : [ ] } }', '{"x":[1],"y":{}}', '[1,"a"]', '[1]', '[1,"a",2]', '["x","y"]', "[null,null]", '{"x":{"a":1,"b":[2]},"y":[{"a":3,"b":[]},null]}', '[{"k":1},{"k":2,"v":"w"}]',
]
BAD = ["", " ", "x", "1 x", "{", "[1", "[1,]", "{a:1}", "{'a':1}", '{"a"}', '{"a":}', '{"a":1,}', "01", "+1", ".5", "1.", "1e", "--1", "nul", "True", "NaN", "'a'", '"a', '"\\x"', '"\\u12"', '"\t"', "[1] ]", "1 2", "[1 2]", "{1:2}", "//x", "/*c*/1", "\ufeff1", '"a" "b"', "[1],", "]", ","]
TARGETS = ["boolean", "tinyint", "smallint", "integer", "bigint", "real", "double", "decimal(10,2)", "decimal(38,0)", "decimal(3,3)", "varchar", "varchar(3)", "json", "date", "timestamp(3)", "time(3)", "varbinary", "interval day to second", "array(json)", "array(varchar)", "array(integer)", "array(double)", "array(array(bigint))", "array(date)", "row(x integer, y varchar)", "row(integer, varchar)", "row(x json, y json)", "row(x row(a integer, b array(bigint)), y array(row(a bigint, b json)))", "array(row(k bigint, v varchar))", "row(x date)"]
VALUES = [
    "NULL", "true", "false", "TINYINT '1'", "SMALLINT '-5'", "1", "-2147483648", "9223372036854775807", "1.5", "1.50", "DECIMAL '-0.005'", "DECIMAL '0.000001'", "DECIMAL '-0.0000001'", "DECIMAL '0.000000000123'", "CAST(0 AS decimal(20,10))", "DECIMAL '12345678901234567890123456789012345678'", "1e0", "-0e0", "1.5e-10", "1e7", "12345678.9e0", "1e308", "nan()", "infinity()", "-infinity()", "REAL '1.1'", "REAL '1e10'", "REAL '0'", "REAL '-0'", "REAL '3.4e38'", "REAL '0.0001'", "REAL '16777216'", "REAL '2e7'", "CAST(nan() AS real)",
    "'a'", "''", "'1'", "'\"'", "'{\"a\":1}'", "'é😀'", "U&'\\0001\\0009\\2028'", "CAST('abc' AS varchar(2))", "JSON '{\"b\":1,\"a\":2}'", "JSON 'null'", "CAST(NULL AS json)",
    "DATE '2020-01-02'", "DATE '-0001-01-02'", "DATE '12020-01-02'", "TIMESTAMP '2020-01-02 03:04:05'", "TIMESTAMP '2020-01-02 03:04:05.6'", "TIMESTAMP '2020-01-02 03:04:05.678901234'", "TIMESTAMP '0001-01-02 03:04:05.678'",
    "TIME '01:02:03'", "TIMESTAMP '2020-01-02 03:04:05 UTC'", "INTERVAL '1' DAY", "INTERVAL '1' MONTH", "X'41'",
    "ARRAY[]", "ARRAY[1,2]", "ARRAY[1,NULL]", "ARRAY['a','b\"']", "ARRAY[ARRAY[1],NULL,ARRAY[]]", "ARRAY[JSON '1', JSON '{}', NULL]", "ARRAY[DATE '2020-01-02']", "ARRAY[TIME '01:02:03']", "ARRAY[X'41']", "ARRAY[1.5, 2]", "ARRAY[1e0, nan()]", "ARRAY[NULL]",
    "ROW(1, 'a')", "ROW(1)", "ROW(NULL, NULL)", "ROW(1, ROW(2, ARRAY[3]))", "CAST(ROW(1, 'a') AS row(x integer, y varchar))", "CAST(ROW(1, NULL) AS row(\"X y\" integer, \"q\"\"r\" varchar))", "CAST(ROW(1, ROW(2)) AS row(b integer, a row(c integer)))", "CAST(NULL AS row(x integer))", "ARRAY[CAST(ROW(1) AS row(x integer)), NULL]", "ROW(X'41')", "CAST(ROW(1, 2) AS row(x integer, x integer))",
]
PATHS = ["$", "$.a", "$.b", "$.x", "$.y", "$[0]", "$[1]", "$[5]", "$.x[0]", "$.z[1].q", "$[\"a\"]", "$.a.c[0]", "$[6].a", "$[5][0]", "$.é", "$[-1]", "$.*", "$[*]", "$..a", "x", "", "$.", "$a", " $", "$.x ", "$['a']", "$.store.book[?(@.a<1)]", "$.length()"]


def statements(suite: Suite):
    suite.calls("json_parse({0})", [quoted(text) for text in TEXTS])
    suite.calls("json_parse({0})", [quoted(text) for text in BAD])
    suite.ask(*(f"SELECT JSON {quoted(text)}" for text in ["1", ' {"b":1, "a":[1.50]}', "null", '""', *BAD]))
    suite.ask("SELECT 1 + JSON 'x'", "SELECT\n  JSON\n '{'", "SELECT json '[1]'", "SELECT \"json\" '[1]'", "SELECT JSON 1", "SELECT JSON", "SELECT JSON U&'\\005b1]'", "SELECT JSON '1' IS NULL", "SELECT JSON 'null' IS NULL")
    good = [f"JSON {quoted(text)}" for text in TEXTS]
    for target in TARGETS:
        suite.calls("CAST({0} AS %s)" % target, good)
    suite.calls("TRY_CAST({0} AS integer)", good)
    suite.calls("TRY_CAST({0} AS array(varchar))", good)
    suite.calls("TRY_CAST({0} AS row(x integer, y varchar))", good)
    suite.values(*(f"CAST({value} AS json)" for value in VALUES))
    suite.ask("SELECT CAST(x AS json) FROM (VALUES ROW(1, 'a'), ROW(NULL, NULL), NULL) t(x)")
    # Functions.
    suite.calls("json_format({0})", good)
    for name in ["json_array_length", "is_json_scalar"]:
        suite.calls(name + "({0})", good)
        suite.calls(name + "({0})", [quoted(text) for text in TEXTS])
        suite.calls(name + "({0})", [quoted(text) for text in BAD])
    some = ['{"a":1}', '{"b":1,"a":{"c":[7]}}', '{"x":[1.50,"a\\u0041"],"y":null,"z":[1,{"q":2}]}', '[1,null,"x",true,2.5,[1],{"a":1}]', "1", '"t"', "null", '{"é":"ü","a b":1}', '{"a":1,"a":2}', "[1,2", '{"a":[1,}', "x", ""]
    for name in ["json_extract", "json_extract_scalar", "json_size"]:
        for path in PATHS:
            suite.calls(name + "({0}, %s)" % quoted(path), [quoted(text) for text in some])
        for path in PATHS[:16]:
            suite.calls(name + "({0}, %s)" % quoted(path), [f"JSON {quoted(text)}" for text in some[:9]])
        suite.values(f"{name}(1, '$')", f"{name}('1', 1)", f"{name}('1')", f"{name}()", f"{name}(NULL, '$')", f"{name}('1', NULL)", f"{name}(ARRAY[1], '$')")
    arrays = ['[1,2.0,"x",true,null]', '["1",1,2,1.5,false,""]', "[]", "{}", "1", "null", '[[1],{"a":1},"a\\"b",-5]', "[9223372036854775807,9223372036854775808,1e3]", "[1,2", "x", "[1 2]", ""]
    for wanted in ["1", "2", "2.0", "2e0", "1.5", "'x'", "''", "'1'", "true", "false", "-5", "1000e0", "1000", "9223372036854775807", "nan()", "CAST(NULL AS varchar)"]:
        suite.calls("json_array_contains({0}, %s)" % wanted, [quoted(text) for text in arrays])
        suite.calls("json_array_contains({0}, %s)" % wanted, [f"JSON {quoted(text)}" for text in arrays[:8]])
    for index in ["0", "1", "2", "3", "5", "-1", "-2", "-7", "-8", "9223372036854775807", "-9223372036854775808"]:
        suite.calls("json_array_get({0}, %s)" % index, [quoted(text) for text in arrays])
        suite.calls("json_array_get({0}, %s)" % index, [f"JSON {quoted(text)}" for text in arrays[:8]])
    suite.values("json_array_get('[1]', NULL)", "json_array_get(NULL, 1)", "json_array_get(1, 1)", "json_array_get('[1]', 1.5)", "json_array_get('[1]')", "json_array_contains('[1]', DATE '2020-01-01')", "json_array_contains('[1]', NULL)", "json_array_contains(NULL, 1)", "json_array_length(NULL)", "json_array_length(1)", "is_json_scalar(1)", "is_json_scalar(NULL)", "json_format('1')", "json_format(NULL)", "json_format(1)", "json_parse(1)", "json_parse(NULL)", "json_parse(JSON '1')", "json_parse()", "TRY(json_parse('x'))", "TRY(json_format(json_parse('{')))")
    # What json is, and is not.
    suite.values(
        "JSON '1' = JSON '1.0'", "JSON '1' = JSON ' 1 '", "JSON '{\"a\":1,\"b\":2}' = JSON '{\"b\":2,\"a\":1}'", "JSON '1' <> JSON '2'", "JSON '1' = NULL", "JSON 'null' = JSON 'null'", "JSON '1' IS DISTINCT FROM NULL", "JSON '1' IS NOT DISTINCT FROM JSON '1'",
        "JSON '1' < JSON '2'", "JSON '1' BETWEEN JSON '0' AND JSON '2'", "JSON '1' = '1'", "JSON '1' = 1", "JSON '1' IN (JSON '2', JSON '1')", "JSON '1' IN (JSON '2', JSON '3', JSON '4', JSON '5')", "JSON '1' IN ('1')", "JSON '1' || 'a'", "JSON '1' || JSON '2'", "JSON '1' + 1", "-JSON '1'", "NOT JSON 'true'", "JSON '1' LIKE '1'", "lower(JSON '1')", "length(JSON '1')", "coalesce(JSON '1', JSON '2')", "coalesce(JSON '1', 'x')", "coalesce(NULL, JSON '1')", "nullif(JSON '1', JSON '1')", "nullif(JSON '1', JSON '2')", "if(true, JSON '1', NULL)", "CASE WHEN false THEN JSON '1' ELSE 'x' END", "CASE JSON '1' WHEN JSON '1' THEN 1 END",
        "greatest(JSON '1', JSON '2')", "least(JSON '1')", "typeof(JSON '1')", "typeof(ARRAY[JSON '1'])", "ARRAY[JSON '1', NULL]", "ARRAY[JSON '1', 'x']", "ROW(JSON '1', 1)", "ARRAY[JSON '1'] = ARRAY[JSON '1']", "ARRAY[JSON '1'] < ARRAY[JSON '2']", "ROW(JSON '1') = ROW(JSON '2')", "array_sort(ARRAY[JSON '1'])", "array_max(ARRAY[JSON '1'])", "array_min(ARRAY[JSON '1'])", "array_distinct(ARRAY[JSON '1', JSON '1', JSON '2'])", "contains(ARRAY[JSON '1'], JSON '1')", "array_position(ARRAY[JSON '1', JSON '2'], JSON '2')", "array_remove(ARRAY[JSON '1', JSON '2'], JSON '2')", "array_union(ARRAY[JSON '1'], ARRAY[JSON '2'])", "array_join(ARRAY[JSON '1', JSON '\"a\"', NULL], ',')", "array_join(ARRAY[JSON '[]'], ',')", "format('%s', JSON '{\"a\":1}')", "concat(ARRAY[JSON '1'], ARRAY[JSON '2'])", "element_at(ARRAY[JSON '\"x\"'], 1)", "cardinality(ARRAY[JSON '1'])",
        "if(JSON 'true', 1)", "JSON '1' IS TRUE", "JSON '[1,2]'[1]", "CAST(JSON '1' AS json)", "CAST(CAST(JSON '[1,2]' AS array(integer)) AS json)", "CAST(json_parse('{\"a\":[{\"b\":1}]}') AS row(a array(row(b bigint))))", "transform(ARRAY[1], x -> JSON '1')",
    )
    suite.ask(
        "SELECT x FROM (VALUES JSON '1') t(x) ORDER BY x", "SELECT count(DISTINCT x) FROM (VALUES JSON '1', JSON ' 1', JSON '2') t(x)", "SELECT count(*) FROM (SELECT DISTINCT x FROM (VALUES JSON '{\"a\":1,\"b\":2}', JSON '{\"b\":2,\"a\":1}') t(x))", "SELECT array_agg(x) FROM (VALUES JSON '1', JSON '\"a\"', NULL) t(x)", "SELECT count(*) FROM (VALUES JSON '1', JSON '1', JSON '2') t(x) GROUP BY x ORDER BY 1", "SELECT min(x) FROM (VALUES JSON '1') t(x)", "SELECT max(x) FROM (VALUES JSON '1') t(x)", "SELECT max_by(1, x) FROM (VALUES JSON '1') t(x)", "SELECT max_by(x, y) FROM (VALUES (JSON '1', 1), (JSON '2', 2)) t(x, y)", "SELECT arbitrary(x) FROM (VALUES JSON '1') t(x)", "SELECT array_agg(x ORDER BY x) FROM (VALUES JSON '1') t(x)", "SELECT approx_distinct(x) FROM (VALUES JSON '1', JSON '1') t(x)", "SELECT count(x) FROM (VALUES JSON '1', JSON 'null', NULL) t(x)", "SELECT sum(x) FROM (VALUES JSON '1') t(x)",
        "SELECT row_number() OVER (ORDER BY x) FROM (VALUES JSON '1') t(x)", "SELECT row_number() OVER (PARTITION BY x) FROM (VALUES JSON '1') t(x)", "SELECT lag(x) OVER (ORDER BY y) FROM (VALUES (JSON '1', 1), (JSON '2', 2)) t(x, y)", "SELECT JSON '1' UNION SELECT JSON '1'", "SELECT JSON '1' UNION SELECT '1'", "SELECT JSON '1' EXCEPT SELECT JSON '1'", "SELECT a.y FROM (VALUES (JSON '1', 1)) a(x, y) JOIN (VALUES JSON '1') b(x) ON a.x = b.x", "SELECT 1 WHERE JSON '1' IN (SELECT JSON '1')", "SELECT e FROM UNNEST(CAST(JSON '[1,2,3]' AS array(integer))) t(e)", "SELECT e FROM UNNEST(JSON '[1]') t(e)", "SELECT listagg(x, ',') FROM (VALUES JSON '1') t(x)",
    )
