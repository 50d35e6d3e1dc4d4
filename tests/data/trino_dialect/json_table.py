"""JSON_TABLE: its columns, plans, errors, and where it may stand."""

J = "(VALUES (1, '{\"a\": [1, 2], \"b\": \"x\"}'), (2, '{\"a\": []}'), (3, NULL), (4, 'no json')) d(id, doc)"

COLUMNS = r"""
SELECT * FROM JSON_TABLE('{"a": 1}', 'lax $' COLUMNS (a integer PATH 'lax $.a'))
SELECT * FROM JSON_TABLE('{"A": 1, "b": true}', 'lax $' COLUMNS (a integer, "b" boolean))
SELECT * FROM JSON_TABLE('{"a\"b": 1, "A B": 2}', 'lax $' COLUMNS ("a""b" integer, "A B" integer))
SELECT a, t.a, "A", T."a" FROM JSON_TABLE('[1,2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) t
SELECT * FROM JSON_TABLE('[1,2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) AS t(x)
SELECT * FROM JSON_TABLE('[1,2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) AS t(x, y)
SELECT * FROM JSON_TABLE('[1,2]', 'lax $[*]' COLUMNS (n FOR ORDINALITY, a integer PATH 'lax $'))
SELECT n + 1, typeof(n) FROM JSON_TABLE('[1,2]', 'lax $[*]' COLUMNS (n FOR ORDINALITY))
SELECT * FROM JSON_TABLE('[{"x":[1,2]},{"x":[3]}]', 'lax $[*]' COLUMNS (n FOR ORDINALITY, NESTED PATH 'lax $.x[*]' COLUMNS (m FOR ORDINALITY, v integer PATH 'lax $')))
SELECT * FROM JSON_TABLE('[1, "2", true, null, 1.5, [1], {}]', 'lax $[*]' COLUMNS (n FOR ORDINALITY, a varchar PATH 'lax $', b bigint PATH 'lax $', c double PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, "2", true, null, 1.5, [1], {}]', 'strict $[*]' COLUMNS (n FOR ORDINALITY, a varchar PATH 'strict $', b boolean PATH 'strict $', c decimal(4,2) PATH 'strict $'))
SELECT * FROM JSON_TABLE('[1, "2", true, null, 1.5, [1], {}]', 'lax $[*]' COLUMNS (n FOR ORDINALITY, a varchar FORMAT JSON PATH 'lax $'))
SELECT * FROM JSON_TABLE('{"d": "2020-01-01", "t": "10:11:12", "s": "2020-01-01 10:11:12.5"}', 'lax $' COLUMNS (a date PATH 'lax $.d', b time(0) PATH 'lax $.t', c timestamp(3) PATH 'lax $.s'))
SELECT * FROM JSON_TABLE('{"d": "2020-01-01 01:00:00 UTC"}', 'lax $' COLUMNS (a timestamp(3) with time zone PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": "x"}', 'lax $' COLUMNS (a date PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": "x"}', 'lax $' COLUMNS (a date PATH 'lax $.d' ERROR ON ERROR))
SELECT * FROM JSON_TABLE('{"d": "abcdef"}', 'lax $' COLUMNS (a varchar(3) PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": "abcdef"}', 'lax $' COLUMNS (a char(3) PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": "abcdef"}', 'lax $' COLUMNS (a varchar(3) FORMAT JSON PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": "abcdef"}', 'lax $' COLUMNS (a char(30) FORMAT JSON PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": [1, "é"]}', 'lax $' COLUMNS (a varbinary FORMAT JSON PATH 'lax $.d', b varbinary FORMAT JSON ENCODING UTF8 PATH 'lax $.d', c varbinary FORMAT JSON ENCODING UTF16 PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a tinyint PATH 'lax $.d', b real PATH 'lax $.d', c decimal(2,0) PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a tinyint PATH 'lax $.d' DEFAULT 1 ON EMPTY DEFAULT 2 ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a tinyint PATH 'lax $.e' DEFAULT 1 ON EMPTY DEFAULT 2 ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'lax $.e' NULL ON EMPTY NULL ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'lax $.e' ERROR ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'strict $.e' ERROR ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'strict $.e'))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'strict $.e') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'lax $.e') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer PATH 'strict $.e' NULL ON ERROR) ERROR ON ERROR)
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'strict $.e') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $.e') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer DEFAULT 1 ON ERROR DEFAULT 2 ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer DEFAULT 'x' ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer DEFAULT 'x' ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a bigint DEFAULT 7 ON EMPTY, b real DEFAULT 7 ON EMPTY, c varchar(1) DEFAULT NULL ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer DEFAULT 1/0 ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer DEFAULT count(*) ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 300}', 'lax $' COLUMNS (a integer DEFAULT (SELECT 5) ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": [1, {"x": "y"}]}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $.d', b varchar FORMAT JSON PATH 'lax $.d[*]', c varchar FORMAT JSON PATH 'lax $.d[*]' WITH WRAPPER, d varchar FORMAT JSON PATH 'lax $.d[1]' WITH CONDITIONAL WRAPPER, e varchar FORMAT JSON PATH 'lax $.d[0]' WITH CONDITIONAL ARRAY WRAPPER, f varchar FORMAT JSON PATH 'lax $.d[1]' WITH UNCONDITIONAL ARRAY WRAPPER, g varchar FORMAT JSON PATH 'lax $.d[1]' WITHOUT ARRAY WRAPPER))
SELECT * FROM JSON_TABLE('{"d": "t\"x"}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $.d' KEEP QUOTES, b varchar FORMAT JSON PATH 'lax $.d' OMIT QUOTES, c varchar FORMAT JSON PATH 'lax $.d' OMIT QUOTES ON SCALAR STRING))
SELECT * FROM JSON_TABLE('{"d": "t\"x"}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $.d' WITH WRAPPER OMIT QUOTES))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $.e' EMPTY ARRAY ON EMPTY, b varchar FORMAT JSON PATH 'lax $.e' EMPTY OBJECT ON EMPTY, c varchar FORMAT JSON PATH 'strict $.e' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR, d varchar FORMAT JSON PATH 'strict $.e' NULL ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $.e' ERROR ON EMPTY))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'strict $.e' ERROR ON ERROR))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a varchar FORMAT JSON DEFAULT 'x' ON EMPTY))
SELECT * FROM JSON_TABLE('{"D": [1]}', 'lax $' COLUMNS (d varchar FORMAT JSON))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a integer FORMAT JSON PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a varchar FORMAT JSON ENCODING UTF8 PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a varbinary PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a json PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a json FORMAT JSON PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a uuid PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a array(bigint) PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a row(x bigint) PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a map(varchar, bigint) FORMAT JSON PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a nonsense PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a double precision PATH 'lax $.d', b decimal PATH 'lax $.d', c varchar PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('{"d": 1}', 'lax $' COLUMNS (a interval day to second PATH 'lax $.d'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $.size()' COLUMNS (a integer PATH 'lax $', b varchar PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax 1.5' COLUMNS (a decimal(5,2) PATH 'lax $', b double PATH 'lax $', c integer PATH 'lax $', d varchar PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax 1.5e0' COLUMNS (a decimal(5,2) PATH 'lax $', b double PATH 'lax $', d varchar PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $x' PASSING REAL '1.5' AS "x" COLUMNS (a real PATH 'lax $', b double PATH 'lax $', d varchar PATH 'lax $', e varchar FORMAT JSON PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $x' PASSING DATE '2020-01-01' AS "x" COLUMNS (a varchar PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $x' PASSING DATE '2020-01-01' AS "x" COLUMNS (a varchar PATH 'lax $') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$x]' PASSING 1 AS "x" COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$X]' PASSING 1 AS x COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$x]' PASSING 1 AS x COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[*] ? (@ > $x)' PASSING 1 AS "x", '[5]' FORMAT JSON AS "y" COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $y[*]' PASSING 1 AS "x", '[5, 6]' FORMAT JSON AS "y" COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $y[*]' PASSING 'no' FORMAT JSON AS "y" COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $y[*]' PASSING 'no' FORMAT JSON AS "y" COLUMNS (a integer PATH 'lax $') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $' PASSING 1 AS x, 2 AS X COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[*]' PASSING 2 AS "x" COLUMNS (a integer PATH 'lax $ + $x'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$i]' PASSING CAST(NULL AS integer) AS "i" COLUMNS (a integer PATH 'lax 1') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$i]' PASSING CAST(NULL AS integer) AS "i" COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$i]' PASSING CAST(NULL AS varchar) FORMAT JSON AS "i" COLUMNS (a integer PATH 'lax 1') ERROR ON ERROR)
SELECT * FROM JSON_TABLE(CAST(NULL AS varchar), 'lax $' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE(NULL, 'lax $' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE(NULL, 'lax 1' COLUMNS (a integer PATH 'lax 1') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('', 'lax $' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('no', 'lax $' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('no', 'lax $' COLUMNS (a integer PATH 'lax 1') EMPTY ON ERROR)
SELECT * FROM JSON_TABLE('no', 'lax $' COLUMNS (a integer PATH 'lax 1') ERROR ON ERROR)
SELECT * FROM JSON_TABLE('[]', 'strict $[42]' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('[]', 'strict $[42]' COLUMNS (a integer PATH 'lax 1') ERROR ON ERROR)
SELECT * FROM JSON_TABLE(JSON '[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(X'5B315D', 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(X'5B315D' FORMAT JSON ENCODING UTF8, 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(X'5B0031005D00' FORMAT JSON ENCODING UTF16, 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1]' FORMAT JSON, 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1]' FORMAT JSON ENCODING UTF8, 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(1, 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(json_query('{"a": [1, 2]}', 'lax $.a'), 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(json_array(1, 2), 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE((SELECT '[1, 2]'), 'lax $[*]' COLUMNS (a integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[[1, 2, 3], [4, 5, 6]]', 'lax $[$index]' PASSING (SELECT 0) AS "index" COLUMNS (e bigint PATH 'lax $[-42]' DEFAULT (SELECT -42) ON EMPTY, r bigint PATH 'strict $[42]' DEFAULT (SELECT 42) ON ERROR))
SELECT * FROM JSON_TABLE('{"a": null, "b": [null]}', 'lax $' COLUMNS (a integer PATH 'lax $.a' DEFAULT 5 ON EMPTY, b integer PATH 'lax $.b[*]' DEFAULT 5 ON ERROR, c varchar FORMAT JSON PATH 'lax $.a'))
SELECT * FROM JSON_TABLE('{"b": 2, "a": 1, "c": {"z": 1, "y": [1.50, 1e2]}}', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax $'))
SELECT * FROM JSON_TABLE('[{"k": 1, "v": 2}, {"k": 3}]', 'lax $[*].keyvalue()' COLUMNS (k varchar PATH 'lax $.name', v integer PATH 'lax $.value', i integer PATH 'lax $.id'))
SELECT * FROM JSON_TABLE('[12345678901234567890, 1e400]', 'lax $[*]' COLUMNS (a varchar PATH 'lax $', b decimal(38,0) PATH 'lax $', c double PATH 'lax $'))
"""

PLANS = r"""
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "p" COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $' AS "p1" COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $' AS "p2" COLUMNS (c varchar(1) PATH 'lax "C"', d varchar(1) PATH 'lax "D"'), e varchar(1) PATH 'lax "E"'), f varchar(1) PATH 'lax "F"', NESTED PATH 'lax $' AS "p3" COLUMNS (g varchar(1) PATH 'lax "G"'), h varchar(1) PATH 'lax "H"') PLAN DEFAULT (CROSS))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' COLUMNS (b varchar(1) PATH 'lax "B"')))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "r" COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "n" COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN ("r" OUTER "n"))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "r" COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "n" COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN ("r" INNER "n"))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN (R INNER N))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN ("r" INNER "n"))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"') PLAN (r))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"') PLAN (q))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"') PLAN (q))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN (r))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN (r))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"') PLAN (r OUTER n))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN (r UNION n))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN (r OUTER (n UNION n)))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN ((r) OUTER n))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN DEFAULT (INNER))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN DEFAULT (INNER))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN DEFAULT (OUTER))
SELECT * FROM JSON_TABLE('[[], [1]]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $[*]' AS m COLUMNS (c varchar(1) PATH 'lax "C"'))) PLAN (r OUTER (n OUTER m)))
SELECT * FROM JSON_TABLE('[[], [1]]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $[*]' AS m COLUMNS (c varchar(1) PATH 'lax "C"'))) PLAN (r OUTER (n INNER m)))
SELECT * FROM JSON_TABLE('[]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $' AS m COLUMNS (c varchar(1) PATH 'lax "C"'))) PLAN (r OUTER (n INNER m)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2'), NESTED PATH 'lax $[*]' AS n3 COLUMNS (d integer PATH 'lax $ * 3')) PLAN (r INNER (n2 UNION (n3 CROSS n1))))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2'), NESTED PATH 'lax $[*]' AS n3 COLUMNS (d integer PATH 'lax $ * 3')) PLAN (r INNER (n2 UNION n3 UNION n1)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2'), NESTED PATH 'lax $[*]' AS n3 COLUMNS (d integer PATH 'lax $ * 3')) PLAN (r INNER (n2 CROSS n3 CROSS n1)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2'), NESTED PATH 'lax $[*]' AS n3 COLUMNS (d integer PATH 'lax $ * 3')) PLAN (r INNER (n2 CROSS n3 UNION n1)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[42]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN (r INNER (n1 CROSS n2)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[42]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN (r OUTER (n1 CROSS n2)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS r COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[42]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN (r INNER (n1 UNION n2)))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN DEFAULT (UNION))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN DEFAULT (CROSS, INNER))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[9]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN DEFAULT (OUTER, CROSS))
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' COLUMNS (a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS n1 COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[9]' AS n2 COLUMNS (c integer PATH 'lax $ * 2')) PLAN DEFAULT (INNER, UNION))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a integer PATH 'lax 1', NESTED PATH 'strict $[42]' AS n COLUMNS (b integer PATH 'lax 2')) PLAN DEFAULT (INNER) EMPTY ON ERROR)
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a integer PATH 'lax 1', NESTED PATH 'strict $[42]' AS n COLUMNS (b integer PATH 'lax 2')) PLAN DEFAULT (OUTER))
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a integer PATH 'lax 1', NESTED PATH 'strict $[42]' AS n COLUMNS (b integer PATH 'lax 2')) PLAN DEFAULT (INNER) ERROR ON ERROR)
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS (a integer PATH 'lax 1', NESTED 'lax $' COLUMNS (b integer PATH 'lax 2')))
SELECT * FROM JSON_TABLE('{"NESTED": 5}', 'lax $' COLUMNS (nested integer, path integer PATH 'lax 1', ordinality FOR ORDINALITY, plan integer PATH 'lax 2'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH 'lax 1', a integer PATH 'lax 2'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH 'lax 1', "a" integer PATH 'lax 2'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' AS a COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' AS p COLUMNS (NESTED PATH 'lax $' AS p COLUMNS (a integer PATH 'lax 1')))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a FOR ORDINALITY, a FOR ORDINALITY))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax 1', NESTED PATH 'lax $' COLUMNS (a varchar FORMAT JSON PATH 'lax 1')))
SELECT * FROM JSON_TABLE('[1]', 'lax $x' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (NESTED PATH 'lax $x' COLUMNS (a integer PATH 'lax 1')))
SELECT * FROM JSON_TABLE('[1]', 'lax $' PASSING 1 AS "x" COLUMNS (NESTED PATH 'lax $x' COLUMNS (a integer PATH 'lax 1')))
SELECT * FROM JSON_TABLE('[1]', 'lax $[' COLUMNS (a integer PATH 'lax 1'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH 'lax $['))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (NESTED PATH '$' COLUMNS (a integer PATH 'lax 1')))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH 'lax $.datetime()'))
"""

ERRORS = r"""
SELECT * FROM JSON_TABLE('[1]')
SELECT * FROM JSON_TABLE('[1]', 'lax $')
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS ())
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH 1))
SELECT * FROM JSON_TABLE('[1]', lax COLUMNS (a integer))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer,))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer EMPTY ARRAY ON EMPTY))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer NULL ON NULL))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a FOR))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (select integer))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (NESTED PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer) PLAN)
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer) PLAN ())
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer) PLAN DEFAULT)
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer) PLAN DEFAULT (INNER, OUTER))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer) NULL ON ERROR)
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer) ERROR ON EMPTY)
SELECT * FROM JSON_TABLE '[1]'
SELECT JSON_TABLE('[1]', 'lax $' COLUMNS (a integer))
SELECT 1, JSON_TABLE('[1]', 'lax $' COLUMNS (a integer))
SELECT (JSON_TABLE('[1]', 'lax $' COLUMNS (a integer)))
SELECT * FROM (VALUES 1) WHERE JSON_TABLE('[1]', 'lax $' COLUMNS (a integer))
SELECT * FROM "JSON_TABLE"
SELECT * FROM LATERAL JSON_TABLE('[1]', 'lax $' COLUMNS (a integer))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer)) WITH ORDINALITY
SELECT * FROM JSON_TABLE(missing, 'lax $' COLUMNS (a integer))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer DEFAULT missing ON EMPTY))
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer DEFAULT a ON EMPTY))
SELECT * FROM JSON_TABLE(max('[1]'), 'lax $' COLUMNS (a integer))
SELECT * FROM JSON_TABLE(row_number() OVER (), 'lax $' COLUMNS (a integer))
SELECT * FROM JSON_TABLE('[1]', 'lax $' PASSING sum(1) AS "x" COLUMNS (a integer))
"""

JOINS = r"""
SELECT id, a FROM {J}, JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ORDER BY 1, 2
SELECT id, t.* FROM {J}, JSON_TABLE(d.doc, 'lax $' COLUMNS (b varchar PATH 'lax $.b', NESTED PATH 'lax $.a[*]' COLUMNS (n FOR ORDINALITY, a integer PATH 'lax $'))) t ORDER BY 1, n
SELECT id, a FROM {J} CROSS JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ORDER BY 1, 2
SELECT id, a FROM {J} JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON true ORDER BY 1, 2
SELECT id, a FROM {J} INNER JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 1, 2
SELECT id, a FROM {J} LEFT JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 1, 2
SELECT id, a FROM {J} LEFT JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (n FOR ORDINALITY, a integer PATH 'lax $')) t ON TRUE ORDER BY 1, 2
SELECT id, a FROM {J} RIGHT JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 1, 2
SELECT id, a FROM {J} FULL JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 1, 2
SELECT id, a FROM {J} RIGHT JOIN JSON_TABLE('[7, 8]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 1, 2
SELECT id, a FROM {J} FULL JOIN JSON_TABLE('[7, 8]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 1, 2
SELECT x, a FROM (VALUES 1) t(x) RIGHT JOIN JSON_TABLE('[1, 2, 3]', 'lax $[4]' COLUMNS (a integer PATH 'lax $')) ON TRUE
SELECT x, a FROM (VALUES 1) t(x) FULL JOIN JSON_TABLE('[1, 2, 3]', 'lax $[4]' COLUMNS (a integer PATH 'lax $')) ON TRUE
SELECT x, a FROM (SELECT 1 WHERE false) t(x) RIGHT JOIN JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 2
SELECT x, a FROM (SELECT 1 WHERE false) t(x) FULL JOIN JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) ON TRUE ORDER BY 2
SELECT id, a FROM {J} JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON a = 1
SELECT id, a FROM {J} LEFT JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) ON id = a
SELECT id, a FROM {J} LEFT JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (id integer PATH 'lax $')) USING (id)
SELECT id, a FROM {J} NATURAL JOIN JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (id integer PATH 'lax $'))
SELECT id, a, b FROM {J}, JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) t, JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (b integer PATH 'lax $')) u WHERE t.a <= u.b ORDER BY 1, 2, 3
SELECT id, a, b FROM {J}, JSON_TABLE(doc, 'lax $.a' COLUMNS (c varchar FORMAT JSON PATH 'lax $')) t, JSON_TABLE(c, 'lax $[*]' COLUMNS (b integer PATH 'lax $')) u, JSON_TABLE('[5]', 'lax $[*] + $x' PASSING b AS "x" COLUMNS (a integer PATH 'lax $')) v ORDER BY 1, 2, 3
SELECT a, count(*) FROM {J}, JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) WHERE a > 1 GROUP BY a
SELECT id, (SELECT sum(a) FROM JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $'))) FROM {J} ORDER BY 1
SELECT id FROM {J} WHERE EXISTS (SELECT 1 FROM JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) WHERE a = 2)
SELECT id FROM {J} WHERE 2 IN (SELECT a FROM JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')))
SELECT id, a FROM {J}, LATERAL (SELECT * FROM JSON_TABLE(doc, 'lax $.a[*]' COLUMNS (a integer PATH 'lax $')) WHERE a = 1) ORDER BY 1
SELECT id, a FROM {J}, JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $ * 2' DEFAULT id ON EMPTY, e integer PATH 'lax $.x' DEFAULT id * 10 ON EMPTY)) ORDER BY 1, 2
SELECT id, e FROM {J}, JSON_TABLE('[1]', 'lax $[*]' COLUMNS (e varchar PATH 'strict $.x' DEFAULT doc ON ERROR)) ORDER BY 1
SELECT id, a FROM (SELECT id, doc FROM {J} WHERE id < 3) s, JSON_TABLE(s.doc, 'lax $[$x].a' PASSING s.id - 1 AS "x" COLUMNS (a varchar FORMAT JSON PATH 'lax $')) ORDER BY 1
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) t JOIN JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) u ON TRUE
SELECT * FROM (JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) t CROSS JOIN (VALUES 5) u(b))
SELECT * FROM (SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')))
SELECT * FROM (JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')))
WITH q AS (SELECT * FROM JSON_TABLE('[3, 4]', 'lax $[*]' COLUMNS (a integer PATH 'lax $'))) SELECT * FROM q x, q y WHERE x.a < y.a
SELECT * FROM JSON_TABLE('[3, 4]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) UNION ALL SELECT * FROM JSON_TABLE('[5]', 'lax $[*]' COLUMNS (a bigint PATH 'lax $'))
SELECT a FROM JSON_TABLE('[3, 4, 5]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) ORDER BY a DESC LIMIT 2
SELECT count(*) FROM JSON_TABLE('[3, 4]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) TABLESAMPLE BERNOULLI (100)
SELECT n_name, a FROM tpch.tiny.nation, JSON_TABLE(json_array(n_nationkey, n_regionkey), 'lax $[*]' COLUMNS (a bigint PATH 'lax $')) WHERE n_nationkey < 3 ORDER BY 1, 2
EXECUTE IMMEDIATE 'SELECT * FROM JSON_TABLE(?, ''lax $[$i]'' PASSING ? AS "i" COLUMNS (e bigint PATH ''lax $[-42]'' DEFAULT ? ON EMPTY, r bigint PATH ''strict $[42]'' DEFAULT ? ON ERROR))' USING '[[1, 2, 3], [4, 5, 6]]', 0, -42, 42
SELECT x FROM UNNEST((SELECT ARRAY[1, 2])) t(x)
SELECT id, x FROM {J}, UNNEST((SELECT ARRAY[id, 7])) t(x) ORDER BY 1, 2
SELECT id, x FROM {J} RIGHT JOIN UNNEST(ARRAY[7]) t(x) ON TRUE ORDER BY 1, 2
SELECT id, x FROM {J} FULL JOIN UNNEST(ARRAY[7]) t(x) ON TRUE ORDER BY 1, 2
SELECT id, x FROM {J} FULL JOIN UNNEST(ARRAY[id]) t(x) ON TRUE ORDER BY 1, 2
SELECT id, x FROM {J} LEFT JOIN UNNEST(ARRAY[id]) t(x) ON x = 1 ORDER BY 1, 2
SELECT y, x FROM (SELECT 1 WHERE false) t(y) RIGHT JOIN UNNEST(ARRAY[7]) u(x) ON TRUE ORDER BY 1, 2
"""


def statements():
    for text in (COLUMNS, PLANS, ERRORS, JOINS):
        for line in text.splitlines():
            if line:
                yield line.replace("{J}", J)
