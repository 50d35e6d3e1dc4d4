"""Texts: LIKE, letters and white space, positions, JSON paths, binary forms."""

from suite import Suite, quoted

def escape(text):
    return text.replace("{", "{{").replace("}", "}}")


def likes(suite):
    patterns = ["", "%", "_", "a%", "%a", "%a%", "a_c", "_b_", "__", "%_", "_%_", "a\\%", "a!%b", "a!!b", "%!_%", "a!", "a!x", "é_", "😀%", "A%", "%%", "%a%b%", "a\nb", "%\n%", ".*", "[a]"]
    texts = ["", "a", "abc", "a%b", "a!b", "a_b", "é1", "😀x", "a\\%", "ab", "aXbXc", "a\nb", "a!"]
    for pattern in patterns:
        suite.calls("{0} LIKE %s" % escape(quoted(pattern)), [quoted(text) for text in texts])
        suite.calls("{0} NOT LIKE %s ESCAPE '!'" % escape(quoted(pattern)), [quoted(text) for text in texts])
    suite.calls("{0} LIKE {1}", [(quoted(text), quoted(pattern)) for text in texts[1:6] for pattern in patterns])
    suite.calls("{0} LIKE {1} ESCAPE '!'", [(quoted(text), quoted(pattern)) for text in texts[1:6] for pattern in patterns])
    for escaped in ["''", "'ab'", "'%'", "'_'", "'é'", "'\\'", "NULL", "1"]:
        suite.values(f"'a%b' LIKE 'a%%b' ESCAPE {escaped}", f"'a%b' LIKE 'aé%b' ESCAPE {escaped}", f"'a\\%b' LIKE 'a\\%b' ESCAPE {escaped}")
    suite.values("NULL LIKE 'a'", "'a' LIKE NULL", "1 LIKE 'a'", "'a' LIKE 1", "to_utf8('a') LIKE 'a'")


LETTERS = ["ß", "ẞ", "ŉ", "ǆ", "ǅ", "Ǆ", "İ", "I", "ı", "i", "Σ", "ς", "ΑΣ", "ﬁ", "ΐ", "ᾳ", "ᾼ", "𐐀", "𐐨", "Å", "Å", "é", "É", "ÿ", "Ÿ", "µ", "Ω", "ẖ", "ⅷ", "Ⓐ", "ꙋ", "ა", "Ა", "ſ", "K", "ʼn", "Straße", "ΌΣΟΣ"]
SPACES = [" ", "\t", "\n", "\u000b", "\u000c", "\r", "\u001c", "\u001d", "\u001e", "\u001f", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2003", "\u2007", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff", "\u200b", "\u0000", "\u180e"]


def letters(suite):
    suite.calls("upper({0})", [quoted(text) for text in LETTERS])
    suite.calls("lower({0})", [quoted(text) for text in LETTERS])
    for function in ["trim", "ltrim", "rtrim"]:
        suite.calls(function + "({0})", [quoted(f"{space}a{space}b{space}") for space in SPACES if space != "\u0000"])
        suite.calls(function + "({0})", [quoted("  "), quoted("")])
        sets = ["' '", "'a'", "'ab'", "''", "'é'", "'😀x'", "'a-z'"]
        texts = ["'abcba'", "'  a '", "'éaé'", "'😀xax😀'", "''", "'az-a'"]
        suite.calls(function + "({0}, {1})", [(text, letters) for text in texts for letters in sets])
    suite.values("trim(BOTH 'x' FROM 'xax')", "trim(LEADING 'x' FROM 'xax')", "trim(TRAILING FROM ' a ')", "trim('x' FROM 'xax')", "trim(FROM ' a ')", "trim(BOTH ' a ')")
    suite.calls("reverse({0})", [quoted(text) for text in ["", "abc", "é̄x", "😀a", "ab\n"]])
    suite.calls("length({0})", [quoted(text) for text in ["", "abc", "é̄x", "😀a", "ß"]])
    suite.calls("codepoint({0})", [quoted(text) for text in ["", "a", "ab", "😀", "é", "é", "\u00ff"]])
    suite.calls("chr({0})", ["0", "65", "127", "128", "255", "55295", "55296", "57343", "57344", "65535", "65536", "1114111", "1114112", "-1", "2147483648", "9223372036854775807"])
    forms = ["NFC", "NFD", "NFKC", "NFKD"]
    texts = ["é", "é", "ﬁ", "Å", "①", "ẛ̣", "가", "가", "ＡＢ", "x²", ""]
    for form in forms:
        suite.calls("normalize({0}, %s)" % form, [quoted(text) for text in texts])
    suite.calls("normalize({0})", [quoted(text) for text in texts])
    suite.values("normalize('é', 'NFD')", "normalize('é', X)", "normalize(NULL)", "normalize(1)")


NUMBERS = ["0", "1", "-1", "2", "-2", "5", "6", "7", "-5", "-6", "-7", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "-9223372036854775808"]


def positions(suite):
    for text in ["'abcdé'", "''", "'😀b'"]:
        suite.calls("substr({0}, {1})", [(text, n) for n in NUMBERS])
        suite.calls("substr({0}, {1}, {2})", [(text, n, m) for n in ["0", "1", "3", "-1", "-3", "6", "9223372036854775807", "-9223372036854775808"] for m in ["0", "1", "-1", "3", "2147483648", "9223372036854775807", "-9223372036854775808"]])
        suite.calls("lpad({0}, {1}, 'xy')", [(text, n) for n in NUMBERS])
        suite.calls("rpad({0}, {1}, '😀')", [(text, n) for n in NUMBERS])
        suite.calls("lpad({0}, {1}, '')", [(text, n) for n in ["0", "1", "10"]])
        suite.calls("split_part({0}, 'b', {1})", [(text, n) for n in NUMBERS])
        suite.calls("split_part({0}, '', {1})", [(text, n) for n in NUMBERS])
        suite.calls("split({0}, 'b', {1})", [(text, n) for n in NUMBERS])
        suite.calls("split({0}, '', {1})", [(text, n) for n in NUMBERS])
    suite.values("length(lpad('a', 1048576, 'b'))", "length(lpad('a', 1048577, 'b'))", "length(rpad('a', 1048576, 'é'))", "substring('abc' FROM 2)", "substring('abc' FROM 2 FOR 1)", "substring('abc', -2, 1)", "substring('abc' FOR 2)")
    texts = ["'abcabcabc'", "'aaaa'", "''", "'😀a😀a'", "'éaéa'"]
    needles = ["'a'", "'abc'", "'aa'", "''", "'x'", "'😀'", "'é'"]
    suite.calls("strpos({0}, {1})", [(t, n) for t in texts for n in needles])
    suite.calls("strpos({0}, {1}, {2})", [(t, n, i) for t in texts for n in needles for i in ["1", "2", "3", "4", "5", "-1", "-2", "-3", "-4", "-5", "9223372036854775807", "-9223372036854775808"]])
    suite.calls("strpos({0}, {1}, {2})", [(t, n, "0") for t in texts[:2] for n in needles[:4]])
    suite.calls("position({1} IN {0})", [(t, n) for t in texts for n in needles])
    suite.calls("starts_with({0}, {1})", [(t, n) for t in texts for n in needles])
    suite.calls("replace({0}, {1})", [(t, n) for t in texts for n in needles])
    suite.calls("replace({0}, {1}, {2})", [(t, n, r) for t in texts for n in needles for r in ["''", "'-'", "'éa'", "'$1'"]])
    suite.calls("split({0}, {1})", [(t, n) for t in texts for n in needles])
    suite.calls("split({0}, {1}, {2})", [(t, n, l) for t in texts for n in needles if n != "''" for l in ["1", "2", "3"]])
    suite.calls("split_part({0}, {1}, {2})", [(t, n, l) for t in texts for n in needles if n != "''" for l in ["1", "2", "3", "4", "5", "6"]])
    suite.calls("translate({0}, {1}, {2})", [("'abcd😀é'", a, b) for a in ["''", "'abc'", "'aba'", "'😀'", "'é😀'", "'x'"] for b in ["''", "'x'", "'xyz'", "'😀é'", "'xyzw'"]])
    words = ["''", "'a'", "'kitten'", "'sitting'", "'😀a'", "'é'", "'é'"]
    suite.calls("levenshtein_distance({0}, {1})", [(a, b) for a in words for b in words])
    suite.calls("hamming_distance({0}, {1})", [(a, b) for a in words for b in words])
    suite.values("levenshtein_distance(rpad('', 10000, 'a'), rpad('', 10000, 'b'))", "levenshtein_distance(rpad('', 1000, 'a'), rpad('', 1000, 'b'))",
                 "levenshtein_distance(rpad('', 1001, 'a'), rpad('', 1001, 'b'))")
    suite.calls("concat_ws({0}, {1}, {2})", [(s, a, b) for s in ["','", "''", "NULL"] for a in ["'a'", "NULL", "''"] for b in ["'b'", "NULL"]])
    suite.values("concat_ws(',', ARRAY['a', NULL, 'b'])", "concat_ws(',', ARRAY[])", "concat_ws(NULL, ARRAY['a'])", "concat_ws(',')", "concat_ws(',', CAST(NULL AS array(varchar)))")
    suite.values("'a' || NULL", "concat('a', NULL)", "concat('a')", "'a' || 1", "concat('a', 'b', 'c')", "reverse('äb')", "repeat('a', 3)", "ends_with('abc', 'bc')")
    for function in ["upper", "lower", "trim", "length", "reverse", "codepoint", "chr", "to_utf8", "from_utf8"]:
        suite.values(f"{function}(NULL)", f"{function}(1.5)", f"{function}()", f"{function}(DATE '2024-01-01')")


DOCUMENTS = [
    '{"a":1.50}', '{"a":1e3}', '{"a":1E+03}', '{"a":-0}', '{"a":-0.0}', '{"a":12345678901234567890123}', '{"a":0.1000000000000000055511151231257827}', '{"a":1.0}', '{"a":100}',
    '{"a":"x"}', '{"a":"\\u00e9\\n\\"\\/"}', '{"a":"\\ud83d\\ude00"}', '{"a":true}', '{"a":null}', '{"a":[1,2.0,"x",null,{"b":1.10}]}', '{"a":{"b":{"c":1}}}', '{"a":{"b c":1,"b.c":2,"0":3}}',
    '{"a":1,"a":2}', '{"a" : [ 1 , 2 ] , "b" : { } }', '[1,2,3]', '[[1],[2,3]]', '"x"', '1.50', 'true', 'null', '', '{', '{"a":}', '{"a":1} x', '{a:1}', "{'a':1}", '[1,]', 'NaN', '{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":+1}', '  {"a":1}  ', '{"b":2,"a":1}', '{"":1}', '{"a":"\t"}',
]
PATHS = ["$", "$.a", "$.b", "$[0]", "$[1]", "$.a[0]", "$.a[4].b", "$.a.b", "$.a.b.c", "$.a['b c']", '$.a["b c"]', '$.a["b.c"]', "$.a[0].x", "$.a.0", "$['a']", '$["a"]', "$.a[-1]", "$[*]", "$.a[*]", "$..a", "$.*", "a", "", ".a", "$.", "$[", "$[]", "$[x]", "$a", "$.a.", " $.a", "$.A", "$.a b", '$[""]', "$.a-b", "$.é", "$[99999999999]", "$.a['x", "$.a:b", "lax $.a", "strict $.a", "$.a?(@ > 1)"]


def json(suite):
    documents = [quoted(text) for text in DOCUMENTS]
    for path in PATHS:
        p = escape(quoted(path))
        suite.calls("json_extract_scalar({0}, %s)" % p, documents)
        suite.calls("json_size({0}, %s)" % p, documents)
        # The wire has the text of a json.
        suite.calls("json_extract({0}, %s)" % p, documents)
    suite.calls("json_array_length({0})", documents)


def binary(suite):
    texts = ["", "a", "é", "😀", "abcd", "00ff", "00FF", "0", "zz", "YQ==", "YQ", "YWI=", "YWJj", "YQ=", "Y", "Y!==", " YQ==", "YQ==\n", "w6k=", "_-8=", "/+8="]
    for function in ["to_utf8", "from_hex", "from_base64"]:
        suite.calls(f"to_hex({function}({{0}}))", [quoted(text) for text in texts])
    suite.calls("to_base64(to_utf8({0}))", [quoted(text) for text in texts])
    suite.calls("to_hex(sha256(to_utf8({0})))", [quoted(text) for text in texts])
    blobs = ["", "61", "C3A9", "F09F9880", "FF", "C3", "61FF62", "EDA080", "C080", "F4908080", "E28240", "F09F98", "80", "FE"]
    suite.calls("from_utf8({0})", [f"X'{blob}'" for blob in blobs])
    suite.calls("length({0})", [f"X'{blob}'" for blob in blobs])
    suite.calls("reverse({0})", [f"X'{blob}'" for blob in blobs])
    suite.calls("{0} || {1}", [(f"X'{a}'", f"X'{b}'") for a in blobs[:3] for b in blobs[3:6]])
    suite.calls("substr({0}, {1}, {2})", [("X'61626364'", n, m) for n in ["0", "1", "-2", "9"] for m in ["0", "1", "9"]])


def statements(suite: Suite):
    likes(suite)
    letters(suite)
    positions(suite)
    json(suite)
    binary(suite)
