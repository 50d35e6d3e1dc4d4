"""Runs damaged statements: python3 mutations.py ROWHOUSE FIRST_SEED COUNT, ROWHOUSE being the binary.

`cargo xtask fuzz mutations` builds the binary and calls this. A statement of the repository or of `grammar.py` has
some of its words left out, doubled, exchanged or put elsewhere. Whatever comes out is answered or refused: an
internal error, a worker that dies otherwise than by its limits, and a refusal without a place are printed with their
statement, and end this with 1. A seed always gives the same statement.
"""

import collections
import json
import pathlib
import random
import re
import sys
import tempfile

from grammar import statement
from newer import pair
from run import Server

DATA = pathlib.Path(__file__).parent.parent
LIMITS = ("EXCEEDED_TIME_LIMIT", "EXCEEDED_MEMORY_LIMIT")
# Errors of values come from rows, which have no place in the text.
REFUSALS = ("NOT_SUPPORTED", "SYNTAX_ERROR", "TYPE_MISMATCH", "COLUMN_NOT_FOUND", "TABLE_NOT_FOUND", "FUNCTION_NOT_FOUND")
# These come from rows, too.
OF_ROWS = ("Recursion depth limit exceeded",)


def statements():
    found = []
    for line in (DATA / "null_tables/cases.txt").read_text().splitlines():
        if line.strip() and not line.startswith("--"):
            found.append(re.split(r" \|\|\| | !!! ", line)[0])
    for line in (DATA / "sql/corpus.sql").read_text().splitlines():
        if line.strip() and not line.startswith("--"):
            found.append(re.sub(r"\b(FROM|JOIN|,) (t|u|g|empty)\b", r"\1 t1 AS \2", line.rstrip(";")))
    return found


def of_the_dialect():
    """Of every function, cast and clause, which hold the types that the grammar has few of."""
    files = sorted((DATA / "trino_dialect").glob("*.jsonl"))
    texts = [json.loads(line)["sql"] for file in files for line in file.read_text().splitlines()]
    return [sql for sql in texts if len(sql) < 1000]


def words(sql):
    return re.findall(r"'(?:[^']|'')*'|\w+|\s+|.", sql)


# Words that can stand for each other.
GROUPS = [
    ["AND", "OR"], ["ANY", "ALL"], ["LEFT", "RIGHT", "FULL", "INNER"], ["UNION", "EXCEPT", "INTERSECT"], ["FIRST", "LAST"],
    ["min", "max", "sum", "avg", "count", "array_agg", "any_value"], ["upper", "lower", "length", "abs"],
    ["ROLLUP", "CUBE"], ["row_number", "rank", "dense_rank"], ["lag", "lead", "first_value", "last_value"],
    ["WHERE", "HAVING", "QUALIFY"], ["int", "date", "timestamp", "double", "decimal", "varchar"],
    ["transform", "filter", "any_match", "all_match", "none_match"], ["map_keys", "map_values", "cardinality", "element_at"],
    ["JSON_VALUE", "JSON_QUERY", "JSON_EXISTS", "JSON_TABLE"], ["json", "uuid", "char", "varbinary", "bigint", "ipaddress"],
    ["NESTED", "COLUMNS", "PLAN", "PATH"], ["OUTER", "CROSS", "UNION"], ["lax", "strict"], ["EMPTY", "ERROR", "DEFAULT"],
    ["PRECEDING", "FOLLOWING"], ["ROWS", "RANGE", "GROUPS"], ["t0", "t1", "t2"], ["TRUE", "FALSE", "NULL"],
]
SYMBOLS = [["=", "<", ">"], ["+", "-", "*", "/", "%"]]
VALUES = ["NULL", "0", "1", "-1", "''", "'a'", "2.5", "1e0", "DATE '2024-02-29'", "9223372036854775807", "1e308"]


def like(chance, word, sources):
    """Another word of the same kind."""
    for group in GROUPS:
        if word.lower() in [member.lower() for member in group]:
            return chance.choice(group)
    for group in SYMBOLS:
        if word in group:
            return chance.choice(group)
    if word[0] == "'" or word[0].isdigit():
        return chance.choice(VALUES)
    fitting = [other for other in sources if re.fullmatch(r"[A-Za-z_]\w*", other) and not other.isupper()]
    return chance.choice(fitting) if fitting and word.islower() else word


def source(seed, chance, known, dialect):
    share = chance.random()
    if share < 0.4:
        return pair(seed)[0] if seed % 2 else statement(seed)
    return chance.choice(dialect if share < 0.7 else known)


def mutated(seed, known, dialect):
    chance = random.Random(seed)
    sources = [source(seed, chance, known, dialect) for _ in range(2)]
    first, other = (words(source) for source in sources)
    # Most are damaged so little that they can still be run.
    if chance.random() < 0.7:
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(first))
            if not first[at].isspace():
                first[at] = like(chance, first[at], first)
        return "".join(first)
    for _ in range(chance.randint(1, 4)):
        at, start = chance.randrange(len(first) + 1), chance.randrange(len(other))
        kind = chance.randrange(5)
        if kind == 0:
            del first[at : at + chance.randint(1, 4)]
        elif kind == 1:
            first[at:at] = first[at : at + 3]
        elif kind == 2:
            first[at : at + 1] = other[start : start + 1]
        elif kind == 3:
            first[at:at] = other[start : start + 8]
        else:
            first[at : at + 1] = [chance.choice([*VALUES, "(", ")", "*", "NOT ", "-"])]
    return "".join(first)


def main():
    binary, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    known, dialect = statements(), of_the_dialect()
    figures = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder, "--engine-memory-limit", "1GiB", "--engine-statement-timeout", "20s")
        try:
            server.prepare()
            for seed in range(first, first + count):
                run(server, seed, mutated(seed, known, dialect), figures)
                if (seed - first) % 5000 == 4999:
                    print(dict(figures), flush=True)
        finally:
            server.process.terminate()
            server.process.wait()
    print(dict(figures))
    sys.exit(1 if figures["failed"] or figures["without a place"] else 0)


def run(server, seed, sql, figures):
    rows, error = server.rows(sql, 1)
    if error is None:
        figures["answered"] += 1
    elif error["errorName"] in LIMITS:
        figures["ended by a limit"] += 1
        print(f"seed {seed} {error['errorName']}\n    {sql}", flush=True)
    elif error["errorType"] != "USER_ERROR":
        figures["failed"] += 1
        print(f"seed {seed} FAILED {error['errorName']}: {error['message']}\n    {sql}", flush=True)
    elif error["errorName"] in REFUSALS and "errorLocation" not in error and not error["message"].startswith(OF_ROWS):
        figures["without a place"] += 1
        print(f"seed {seed} WITHOUT A PLACE {error['errorName']}: {error['message']}\n    {sql}", flush=True)
    else:
        figures["refused"] += 1


if __name__ == "__main__":
    main()
