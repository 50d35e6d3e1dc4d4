"""Prints the statements of `types.sql`, one a line: python3 statements.py > types.sql, from this folder.

Each function that docs/sql.md lists is called with arguments of many types, after the patterns of its signatures;
then come the statements of `more.sql`. Those that Trino refuses have been taken out of `types.sql`.
"""

import itertools
import pathlib
import re

TEXT = ["'abc'", "CAST('abc' AS varchar)", "CAST('abc' AS varchar(7))"]
INTEGERS = ["1", "TINYINT '1'", "SMALLINT '1'", "BIGINT '1'"]
TIMES = ["TIME '01:02:03'", "TIME '01:02:03.4567'", "TIME '01:02:03.456789012'"]
TIMESTAMPS = [f"TIMESTAMP '2020-01-31 01:02:03{fraction}'" for fraction in ["", ".4", ".456", ".4567", ".456789012"]]
ZONED = [text[:-1] + zone + "'" for text, zone in zip(TIMESTAMPS, [" UTC", " UTC", " UTC", " UTC", " UTC"])]
ANY = ["1", "BIGINT '1'", "1.50", "1e0", "'abc'", "CAST('abc' AS varchar)", "true", "DATE '2020-01-31'", TIMES[1],
       TIMESTAMPS[0], TIMESTAMPS[3], ZONED[1], "X'61'", "NULL", "ARRAY[1]"]
ARRAYS = ["ARRAY[1, 2]", "ARRAY['a', 'bcd']", "ARRAY[1.5, 2]", f"ARRAY[{TIMESTAMPS[1]}]", "ARRAY[NULL]"]
ARGUMENTS = {
    "varchar": TEXT, "varchar(x)": TEXT, "bigint": INTEGERS, "tinyint": INTEGERS[1:2], "smallint": INTEGERS[2:3],
    "integer": INTEGERS[:1], "decimal": ["1.50", "DECIMAL '12345678901234567890.123'", "DECIMAL '12'"],
    "real": ["REAL '1.5'"], "double": ["1.5e0", "1", "1.5", "REAL '1.5'"], "boolean": ["true"],
    "varbinary": ["X'61'"], "date": ["DATE '2020-01-31'"], "time": TIMES, "timestamp": TIMESTAMPS,
    "timestamptz": ZONED, "interval day": ["INTERVAL '1' DAY"], "interval year": ["INTERVAL '1' YEAR"], "T": ANY,
    "U": ["1", "'abc'"], "[T]": ARRAYS, "[varchar]": ["ARRAY['a', 'bcd']"], "[[T]]": ["ARRAY[ARRAY[1], ARRAY[2]]",
    "ARRAY[ARRAY['a'], ARRAY['bcd']]"],
}
UNITS = {"date_trunc": "'month'", "date_add": "'month'", "date_diff": "'month'"}
NAMES = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \| (.*) \| .* \|$")
SIGNATURE = re.compile(r"`\(([^)]*(?:\([^)]*\)[^)]*)*)\) [^`]*`")


def calls(name, signature):
    parameters = [parameter for parameter in signature.split(", ") if parameter]
    lists = [ARGUMENTS.get(parameter.rstrip(".?"), ["1"]) for parameter in parameters]
    if name in UNITS:
        lists[0] = [UNITS[name]]
    if name == "approx_percentile":
        lists[1] = ["0.5"]
    # Every argument of each parameter beside the first of the others, and all pairs of two.
    chosen = set(itertools.product(*lists)) if len(lists) <= 2 else set()
    for place, arguments in enumerate(lists):
        for argument in arguments:
            for base in (0, 1):
                chosen.add(tuple(argument if at == place else options[min(base, len(options) - 1)]
                                 for at, options in enumerate(lists)))
    return [f"{name}({', '.join(arguments)})" for arguments in sorted(chosen)]


def functions():
    section = None
    for line in (pathlib.Path(__file__).parents[3] / "docs/sql.md").read_text().splitlines():
        section = line.removeprefix("### ") if line.startswith("### ") else section
        found = NAMES.match(line)
        if not found or found[1].startswith("`function"):
            continue
        name = re.match(r"`(\w+)`", found[1])[1]
        for signature in SIGNATURE.findall(found[2].replace("\\|", "|")):
            yield section, name, signature


def of_functions():
    for section, name, signature in functions():
        if name in ("array", "row", "subscript", "listagg", "string_agg", "group_concat", "fail"):
            continue
        for call in calls(name, signature):
            if section == "Window functions":
                yield f"SELECT {call} OVER (ORDER BY x) FROM (VALUES 1) t(x)"
            else:
                yield f"SELECT {call} FROM (VALUES 1) t(x) WHERE x < 0"


def main():
    seen = dict.fromkeys(of_functions())
    seen.update(dict.fromkeys(line for line in (pathlib.Path(__file__).parent / "more.sql").read_text().splitlines()
                              if line and not line.startswith("--")))
    print("\n".join(seen))


if __name__ == "__main__":
    main()
