"""Regular expressions: Joni's syntax, what matches where, groups, replacements and positions."""

from suite import Suite, quoted

PATTERNS = [
    # Empty matches.
    "", "a*", "x*", "b*?", "(a|b)*", "\\b", "^", "$", "^$", "()", "a?", "(?:)", "\\B", "(?=b)", "a{0}", "\\z", "\\A", "\\Z", "\\G",
    # Classes.
    "\\w", "\\w+", "\\W", "\\d+", "\\D+", "\\s", "\\S+", "\\h", "\\R", "\\v", ".", "[a-c]+", "[^a-c]+", "[[:alpha:]]+", "\\p{L}+",
    "\\p{Lu}", "\\P{L}+", "\\p{Alpha}+", "\\p{IsAlphabetic}", "\\p{javaLowerCase}", "\\p{Greek}", "\\p{IsGreek}", "\\p{InGreek}",
    "\\p{Punct}", "\\p{Space}", "\\p{Digit}", "\\p{Upper}", "\\p{ASCII}+", "\\p{^L}", "\\pL", "[a-z&&[^b]]+", "[a[bc]]+", "[\\w-]+", "[]a]", "[a-]", "[^]]",
    "[\\d\\s]+", "[é-ü]+", "\\x61", "\\u0061", "\\x{61}", "\\x{1F600}", "\\t", "\\n", "\\0141", "\\141", "\\cA", "\\e", "\\a", "\\Qa.c\\E", "\\Qa", "\\-", "\\_", "\\é", "\\ ", "\\#",
    # Repetitions.
    "a++", "a*+", "a?+", "a{1,2}+", "a{2}", "a{2,}", "a{,2}", "a{", "{", "}", "a{x}", "a**", "a+*", "+a", "*", "?", "a??", "a{2}{3}", "(a+)+",
    # Groups.
    "(a)(b)?", "(?<x>a)(?<y>b)?", "(?P<x>a)", "(?'x'a)", "(?:a|b)+", "(?i)A", "(?i:A)b", "(?s).", "(?m)^b", "(?x) a b ", "(?u)É", "(?iu)É", "(?i)É", "(?U)a+", "(?-i)a", "(?im)A", "(?d)a", "(?n)(a)",
    "(?>a+)b", "(?=a)b", "(?!a)b", "a(?=b)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<x>a)\\k<x>", "\\1", "\\k<x>", "(?#c)a", "a|b|", "|a", "(", ")", "[", "]", "\\", "(?", "(?<", "(?<1>a)", "(?z)a", "(a", "a)", "[a", "[z-a]",
    "(?<x>a)(?<x>b)", "(?<x_1>a)", "\\p{Nope}", "\\y", "\\q", "\\X", "\\N", "\\K", "(?~a)", "(?(1)a|b)", "\\g<1>(a)",
]
# Those of them that Trino refuses whatever the text.
REFUSED = [
    "\\p{IsAlphabetic}", "\\p{IsGreek}", "\\p{^L}", "+a", "*", "?", "(?P<x>a)", "(?u)É", "(?iu)É", "(?U)a+",
    "(?d)a", "(?n)(a)", "\\1", "\\k<x>", "(", ")", "[", "\\", "(?", "(?<", "(?<1>a)", "(?z)a", "(a", "a)",
    "[a", "[z-a]", "(?<x>a)(?<x>b)", "\\p{Nope}", "(?~a)", "(?(1)a|b)",
]
TEXTS = ["", "a", "aab", "abcabc", "baaac", "Ünïcödé ß Σ", "x\ny\r\nz", "tab\there  two", "123 abc_9-٣", "😀a😀", "a.c", "AbC éÉ", "\u2028\u00a0\u0085\u3000q", "aab\n", "a\n\n", "a\r\n", "a\u0085", "\n"]


def literal(text):
    """As Trino spells it where it has letters that a line does not take."""
    return quoted(text)


def regexps(suite):
    for pattern in PATTERNS:
        p = literal(pattern)
        texts = [literal(text) for text in TEXTS]
        if pattern in REFUSED:
            suite.values(f"regexp_like('aab', {p})", f"regexp_replace('', {p}, '-')", f"regexp_split('a', {p})")
            suite.calls("regexp_like({0}, {1})", [("'aab'", p), ("NULL", p), ("'aab'", "NULL"), ("''", p)])
            continue
        suite.calls("regexp_like({0}, %s)" % escape(p), texts)
        suite.calls("regexp_extract({0}, %s)" % escape(p), texts)
        suite.calls("regexp_extract_all({0}, %s)" % escape(p), texts)
        suite.calls("regexp_replace({0}, %s, '<$0>')" % escape(p), texts)
        suite.calls("regexp_replace({0}, %s)" % escape(p), texts)
        suite.calls("regexp_count({0}, %s)" % escape(p), texts)
        suite.calls("regexp_position({0}, %s)" % escape(p), texts)
        suite.calls("regexp_split({0}, %s)" % escape(p), texts)
    # The same from a column.
    for name in ["regexp_like({0}, {1})", "regexp_extract({0}, {1})", "regexp_extract_all({0}, {1})", "regexp_replace({0}, {1}, '-')",
                 "regexp_count({0}, {1})", "regexp_position({0}, {1})", "regexp_split({0}, {1})"]:
        suite.calls(name, [(literal(text), literal(pattern)) for text in TEXTS[2:6] for pattern in PATTERNS[:8]])
    groups = ["0", "1", "2", "3", "-1", "2147483648"]
    for pattern in ["(a)(b)?", "(?<x>a)|(b)", "a", "((a)|(c))+"]:
        suite.calls("regexp_extract({0}, {1}, {2})", [("'abcab'", literal(pattern), group) for group in groups])
        suite.calls("regexp_extract_all({0}, {1}, {2})", [("'abcab'", literal(pattern), group) for group in groups])
    replacements = [
        "$1", "$0", "$2", "$3", "$10", "$1x", "${x}", "${1}", "${y}", "${", "$", "$$", "$x", "${}", "${x", "\\$1", "\\\\", "\\", "\\n", "\\x", "a$", "$1$2",
        "$01", "$12", "[$1]", "é$1ß", "", "${x}${y}", "$-1", "$ 1",
    ]
    for pattern in ["(?<x>a)(b)?", "b", "(a)(b)(c)", "()"]:
        suite.calls("regexp_replace({0}, {1}, {2})", [("'abcab'", literal(pattern), literal(text)) for text in replacements])
    for start in ["1", "2", "3", "6", "7", "8", "0", "-1", "100"]:
        for pattern in ["a", "", "b*", "x", "^", "\\b", "(?<=a)b"]:
            suite.calls("regexp_position('abcab', '%s', {0})" % escape(pattern), [start])
            suite.calls("regexp_position('éaéab', '%s', {0}, {1})" % escape(pattern), [(start, n) for n in ["1", "2", "3", "0", "-1"]])
    # What takes a backtracking matcher ages.
    suite.values("regexp_like(rpad('', 30, 'a'), '(a+)+b')", "regexp_like(rpad('', 1000, 'a'), '(a|a)*$')",
                 "regexp_count(rpad('', 100, 'ab'), '(?:a|b)+')")


def escape(text):
    return text.replace("{", "{{").replace("}", "}}")


def statements(suite: Suite):
    regexps(suite)
