"""Random statements over the tables t0, t1, t2 of `../null_tables`, written so that Trino's and DuckDB's meaning of
them is the same: no division of integers, no average of decimals, NULLs ordered explicitly, no order with ties.
A seed always gives the same statement."""

import random

TABLES = {
    "t1": {"id": "int", "k": "int", "v": "int", "s": "text", "d": "decimal", "f": "double", "dt": "date",
           "ts": "timestamp", "b": "bool"},
    "t2": {"k": "int", "w": "text", "m": "int"},
    "t0": {"k": "int", "w": "text", "m": "int"},
}
LITERALS = {
    "int": ["0", "1", "2", "3", "5", "7", "-4", "10"],
    "text": ["'a'", "'b'", "''", "'abc'", "'ü'", "'x'", "'日本'"],
    "decimal": ["1.50", "-2.25", "10.00", "0.1"],
    "double": ["0e0", "1.5e0", "-2.5e0", "100.25e0"],
    "date": ["DATE '1999-12-31'", "DATE '2024-01-31'", "DATE '2000-02-29'"],
    "timestamp": ["TIMESTAMP '2024-01-31 12:34:56.789'", "TIMESTAMP '1999-12-31 23:59:59'"],
    "bool": ["TRUE", "FALSE"],
}
COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]
JOINS = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]


class Statement:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.aliases = 0

    def one(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def alias(self):
        self.aliases += 1
        return f"a{self.aliases}"

    # Columns in scope are (expression, type); outer ones are those of enclosing queries.

    def column(self, kind, scope):
        found = [text for text, known in scope if known == kind]
        return self.one(found) if found else None

    def value(self, kind, scope, depth):
        if depth <= 0 or self.chance(0.45):
            column = self.column(kind, scope)
            if column and self.chance(0.8):
                return column
            return "NULL" if self.chance(0.03) and kind == "int" else self.one(LITERALS[kind])
        deeper = depth - 1
        if kind == "bool":
            return f"({self.condition(scope, deeper)})"
        choice = self.random.randrange(8)
        if choice == 0:
            return f"CASE WHEN {self.condition(scope, deeper)} THEN {self.value(kind, scope, deeper)} ELSE {self.value(kind, scope, deeper)} END"
        if choice == 1:
            return f"coalesce({self.value(kind, scope, deeper)}, {self.value(kind, scope, deeper)})"
        if choice == 2:
            return f"nullif({self.value(kind, scope, deeper)}, {self.value(kind, scope, deeper)})"
        if choice == 3 and kind in ("int", "date", "text"):
            return self.scalar_query(kind, scope, deeper)
        if kind == "int":
            form = self.random.randrange(4)
            if form == 0:
                return f"({self.value(kind, scope, deeper)} {self.one('+-*')} {self.value(kind, scope, deeper)})"
            if form == 1:
                return f"abs({self.value(kind, scope, deeper)})"
            if form == 2:
                return f"length({self.value('text', scope, deeper)})"
            return f"extract({self.one(['YEAR', 'MONTH', 'DAY', 'QUARTER'])} FROM {self.value('date', scope, deeper)})"
        if kind == "text":
            form = self.random.randrange(4)
            inner = self.value(kind, scope, deeper)
            return [f"upper({inner})", f"({inner} || {self.value(kind, scope, deeper)})",
                    f"substr({inner}, {self.one(['1', '2'])}, {self.one(['1', '2'])})", f"lower({inner})"][form]
        if kind == "decimal":
            return f"({self.value(kind, scope, 0)} {self.one('+-')} {self.value(kind, scope, 0)})"
        if kind == "double":
            return f"({self.value(kind, scope, deeper)} {self.one('+-*')} {self.value(kind, scope, 0)})"
        return self.value(kind, scope, 0)

    def kind(self):
        return self.one(["int", "int", "int", "text", "text", "decimal", "double", "date", "timestamp"])

    def condition(self, scope, depth):
        choice = self.random.randrange(18)
        if depth > 0:
            deeper = depth - 1
            if choice == 0:
                return f"({self.condition(scope, deeper)} OR {self.condition(scope, deeper)})"
            if choice == 1:
                return f"({self.condition(scope, deeper)} AND {self.condition(scope, deeper)})"
            if choice == 2:
                return f"NOT ({self.condition(scope, deeper)})"
            if choice in (3, 4):
                negation = self.one(["", "NOT "])
                return f"{negation}EXISTS ({self.plain_query([self.kind()], scope, deeper)})"
            if choice in (5, 6):
                kind = self.one(["int", "int", "text"])
                negation = self.one(["", "NOT "])
                return f"{self.value(kind, scope, 0)} {negation}IN ({self.plain_query([kind], scope, deeper)})"
            if choice == 7:
                kind = self.one(["int", "text"])
                return f"{self.value(kind, scope, 0)} {self.one(COMPARISONS)} {self.one(['ANY', 'ALL'])} ({self.plain_query([kind], scope, deeper)})"
            if choice == 8:
                kind = self.one(["int", "date"])
                return f"{self.value(kind, scope, 0)} {self.one(COMPARISONS)} {self.scalar_query(kind, scope, deeper)}"
        kind = self.kind()
        left = self.value(kind, scope, min(depth, 1))
        if choice == 9:
            return f"{left} IS {self.one(['', 'NOT '])}NULL"
        if choice == 10:
            members = ", ".join(["NULL"] * self.chance(0.3) + [self.value(kind, scope, 0) for _ in range(3)])
            return f"{left} {self.one(['', 'NOT '])}IN ({members})"
        if choice == 11:
            return f"{left} {self.one(['', 'NOT '])}BETWEEN {self.value(kind, scope, 0)} AND {self.value(kind, scope, 0)}"
        if choice == 12:
            pattern = self.one(["'a%'", "'_'", "'%b%'", "'%'", "''", "'ü%'"])
            return f"{self.value('text', scope, 0)} {self.one(['', 'NOT '])}LIKE {pattern}"
        if choice == 13:
            return f"{left} IS {self.one(['', 'NOT '])}DISTINCT FROM {self.value(kind, scope, 0)}"
        if choice == 14:
            return self.column("bool", scope) or f"{left} = {left}"
        return f"{left} {self.one(COMPARISONS)} {self.value(kind, scope, min(depth, 1))}"

    def scalar_query(self, kind, outer, depth):
        source, scope = self.sources(outer, depth, 1)
        both = scope + (outer if self.chance(0.6) else [])
        if kind == "int" and self.chance(0.5):
            aggregate = self.one(["count(*)", f"count({self.value('text', scope, 0)})", f"sum({self.value('int', scope, 0)})"])
        else:
            aggregate = f"{self.one(['min', 'max'])}({self.column(kind, scope) or self.one(LITERALS[kind])})"
        return f"(SELECT {aggregate} FROM {source} WHERE {self.condition(both, depth)})"

    def plain_query(self, kinds, outer, depth):
        source, scope = self.sources(outer, depth, 1)
        both = scope + (outer if self.chance(0.6) else [])
        items = ", ".join(self.value(kind, scope, 0) for kind in kinds)
        return f"SELECT {items} FROM {source} WHERE {self.condition(both, depth)}"

    def source(self, depth):
        alias = self.alias()
        if depth > 1 and self.chance(0.2):
            kinds = [self.kind() for _ in range(self.one([2, 3]))]
            query = self.query(kinds, depth - 1)
            names = [f"c{index}" for index in range(len(kinds))]
            return f"({query}) AS {alias} ({', '.join(names)})", [(f"{alias}.{name}", kind) for name, kind in zip(names, kinds)]
        table = self.one(["t1", "t1", "t1", "t2", "t2", "t0"])
        return f"{table} AS {alias}", [(f"{alias}.{name}", kind) for name, kind in TABLES[table].items()]

    def sources(self, outer, depth, most=3):
        text, scope = self.source(depth)
        for _ in range(self.random.randrange(most)):
            other, added = self.source(depth)
            both = scope + added
            if self.chance(0.1):
                text = f"{text} CROSS JOIN {other}"
            else:
                kind = self.one(["int", "int", "text"])
                left = self.column(kind, scope) or self.one(LITERALS[kind])
                right = self.column(kind, added) or self.one(LITERALS[kind])
                on = f"{left} = {right}"
                if self.chance(0.35):
                    on += f" AND {self.condition(both, 0)}"
                text = f"{text} {self.one(JOINS)} {other} ON {on}"
            scope = both
        return text, scope

    def aggregate(self, kind, scope):
        column = self.value(kind, scope, 1)
        filtered = f" FILTER (WHERE {self.condition(scope, 0)})" if self.chance(0.2) else ""
        distinct = "DISTINCT " if self.chance(0.2) else ""
        if kind == "int" and self.chance(0.7):
            form = self.one([f"count(*){filtered}", f"count({distinct}{self.value('text', scope, 0)}){filtered}",
                             f"sum({distinct}{column}){filtered}"])
            return form
        if kind == "double":
            return f"avg({self.value('int', scope, 1)}){filtered}"
        return f"{self.one(['min', 'max'])}({column}){filtered}"

    def query(self, kinds, depth):
        """A query of columns of these kinds."""
        if depth > 0 and self.chance(0.12):
            operator = self.one(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"])
            return f"({self.query(kinds, depth - 1)}) {operator} ({self.query(kinds, depth - 1)})"
        text, scope = self.sources([], depth)
        where = f" WHERE {self.condition(scope, depth)}" if self.chance(0.75) else ""
        form = self.random.random()
        if form < 0.35:
            return self.grouped(kinds, text, scope, where, depth)
        if form < 0.5 and "FULL" not in text and "RIGHT" not in text:
            return self.windowed(kinds, where)
        distinct = "DISTINCT " if self.chance(0.25) else ""
        items = ", ".join(self.value(kind, scope, depth) for kind in kinds)
        return f"SELECT {distinct}{items} FROM {text}{where}"

    def grouped(self, kinds, text, scope, where, depth):
        columns = [self.column(self.one(["int", "text", "int", "date"]), scope) for _ in range(self.one([1, 2]))]
        keys = sorted({column for column in columns if column})
        if not keys:
            return f"SELECT {', '.join(self.aggregate(kind, scope) for kind in kinds)} FROM {text}{where}"
        known = {column: kind for column, kind in scope}
        items = []
        for kind in kinds:
            fitting = [key for key in keys if known[key] == kind]
            items.append(self.one(fitting) if fitting and self.chance(0.6) else self.aggregate(kind, scope))
        form = self.one(["{}", "{}", "{}", "ROLLUP ({})", "CUBE ({})", "GROUPING SETS (({}), ())"])
        having = f" HAVING count(*) {self.one(['>', '>=', '<>'])} {self.one(LITERALS['int'])}" if self.chance(0.25) else ""
        return f"SELECT {', '.join(items)} FROM {text}{where} GROUP BY {form.format(', '.join(keys))}{having}"

    def windowed(self, kinds, where):
        alias = self.alias()
        scope = [(f"{alias}.{name}", kind) for name, kind in TABLES["t1"].items()]
        unique = f"{alias}.id"
        items = []
        for kind in kinds:
            partition = f"PARTITION BY {self.column(self.one(['int', 'text']), scope)} " if self.chance(0.6) else ""
            order = f"ORDER BY {self.column(self.one(['int', 'text', 'date']), scope)} {self.one(['', 'DESC '])}NULLS {self.one(['FIRST', 'LAST'])}, {unique}"
            bounds = self.one(["ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", "ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING",
                               "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", "ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
                               "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING", "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", ""])
            column = self.value(kind, scope, 0)
            if kind == "int":
                form = self.one([f"sum({column})", "count(*)", f"count({column})", "row_number()", "rank()", "dense_rank()",
                                 f"max({column})", f"first_value({column})", f"lag({column})", f"ntile({self.one([2, 3])})"])
            elif kind == "double":
                form = f"avg({self.value('int', scope, 0)})"
            else:
                form = self.one([f"min({column})", f"max({column})", f"first_value({column})", f"last_value({column})",
                                 f"lead({column}, 2)", f"nth_value({column}, 2)"])
            is_framed = not form.startswith(("row_number", "rank", "dense_rank", "lag", "lead", "ntile"))
            items.append(f"{form} OVER ({partition}{order}{' ' + bounds if is_framed and bounds else ''})")
        condition = f" WHERE {self.condition(scope, 1)}" if where else ""
        return f"SELECT {', '.join(items)} FROM t1 AS {alias}{condition}"

    def text(self):
        kinds = [self.kind() for _ in range(self.one([1, 2, 3]))]
        query = self.query(kinds, self.one([1, 2, 3]))
        if self.chance(0.3):
            keys = ", ".join(f"{index + 1} {self.one(['', 'DESC '])}NULLS {self.one(['FIRST', 'LAST'])}" for index in range(len(kinds)))
            query = f"{query} ORDER BY {keys}"
            if self.chance(0.6):
                query += f" LIMIT {self.one([1, 3, 10])}"
        return query


def statement(seed):
    return Statement(seed).text()
