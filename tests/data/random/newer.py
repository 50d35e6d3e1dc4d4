"""Random statements with arrays, maps, lambda expressions, JSON, `char`, `varchar(n)`, `uuid`, zoned times and what stands
around them, in two spellings: Trino's, and DuckDB's of the same meaning. Left out is where the two differ: NULLs among the
elements of arrays that are searched, lengths that do not fit, values of maps that are not there.
A seed always gives the same pair."""

from grammar import COMPARISONS, TABLES, Statement

ZONES = ["'Europe/Berlin'", "'America/New_York'", "'Asia/Kolkata'", "'UTC'"]
UUIDS = ["12151fd2-7586-11e9-8f9e-2a86e4085a59", "00000000-0000-0000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
EMPTY_A_B = ["''", "'a'", "'ü'"]
DOCUMENTS = [["'[1,2]'", "'[5]'", "NULL", "'[]'"], ["'[3,1]'", "'[]'"], ["'[7]'", "NULL"]]
KINDS = ["int", "int", "text", "text", "ints", "bool", "decimal", "date"]


class Newer(Statement):
    def __init__(self, seed, is_duckdb):
        super().__init__(seed)
        self.is_duckdb = is_duckdb
        self.lambdas = 0

    def spelled(self, trino, duckdb):
        return duckdb if self.is_duckdb else trino

    def kind(self):
        return self.one(KINDS)

    def known_int(self, scope):
        return f"coalesce({self.value('int', scope, 0)}, {self.one(['0', '1', '2', '-3'])})"

    def known_text(self, scope):
        return f"coalesce({self.value('text', scope, 0)}, {self.one(EMPTY_A_B)})"

    def small(self):
        return self.one(["0", "1", "2", "3"])

    def lambda_of(self, body):
        """A lambda expression of one parameter; `body` makes it of its name."""
        self.lambdas += 1
        name = f"x{self.lambdas}"
        made = body(name)
        return self.spelled(f"{name} -> {made}", f"lambda {name}: {made}")

    # Arrays of integers, none of which is NULL.

    def array(self, scope, depth):
        form = self.random.randrange(11 if depth > 0 else 3)
        deeper = depth - 1
        if form == 0:
            members = ", ".join(self.known_int(scope) for _ in range(self.one([1, 2, 3])))
            return self.spelled(f"ARRAY[{members}]", f"[{members}]")
        if form == 1:
            members = self.one(["1, 2, 3", "5", "3, 1, 2, 3", "7, -4, 0, 7, 1"])
            return self.spelled(f"ARRAY[{members}]", f"[{members}]")
        if form == 2:
            last = self.one(["1", "2", "4"])
            return self.spelled(f"sequence(1, {last})", f"generate_series(1, {last})")
        inner = self.array(scope, deeper)
        if form == 3:
            operator, operand = self.one("+-*"), self.known_int(scope) if self.chance(0.4) else self.small()
            function = self.lambda_of(lambda name: f"{name} {operator} {operand}")
            return self.spelled(f"transform({inner}, {function})", f"list_transform({inner}, {function})")
        if form == 4:
            function = self.lambda_of(self.test(scope))
            return self.spelled(f"filter({inner}, {function})", f"list_filter({inner}, {function})")
        if form == 5:
            return self.spelled(f"array_sort({inner})", f"list_sort({inner}, 'ASC', 'NULLS LAST')")
        if form == 6:
            other = self.array(scope, deeper)
            return self.spelled(f"({inner} || {other})", f"list_concat({inner}, {other})")
        if form == 7:
            length = self.one(["1", "2"])
            return self.spelled(f"slice({inner}, 1, {length})", f"({inner})[1:{length}]")
        if form == 8:
            return self.spelled(f"reverse({inner})", f"list_reverse({inner})")
        if form == 9:
            return self.spelled(f"array_sort(array_distinct({inner}))", f"list_sort(list_distinct({inner}), 'ASC', 'NULLS LAST')")
        other = self.array(scope, deeper)
        return self.spelled(f"flatten(ARRAY[{inner}, {other}])", f"flatten([{inner}, {other}])")

    def test(self, scope):
        comparison, operand = self.one(COMPARISONS), self.known_int(scope) if self.chance(0.4) else self.small()
        return lambda name: f"{name} {comparison} {operand}"

    def of_map(self, scope, depth):
        """A map of two texts to integers."""
        first, second = self.known_int(scope), self.known_int(scope)
        made = self.spelled(f"MAP(ARRAY['a', 'b'], ARRAY[{first}, {second}])", f"MAP(['a', 'b'], [{first}, {second}])")
        if depth > 0 and self.chance(0.3):
            operand = self.small()
            return self.spelled(
                f"transform_values({made}, (k, v) -> v + {operand})",
                f"map_from_entries(list_transform(map_entries({made}), lambda e: {{'key': e.key, 'value': e.value + {operand}}}))",
            )
        if depth > 0 and self.chance(0.3):
            body = self.test(scope)
            return self.spelled(
                f"map_filter({made}, (k, v) -> {body('v')})",
                f"map_from_entries(list_filter(map_entries({made}), lambda e: {body('e.value')}))",
            )
        return made

    def document(self, scope):
        """A text of JSON: an object of an integer, a text and an array."""
        number = f"CAST({self.known_int(scope)} AS varchar)"
        array = self.one(["[]", "[1,2]", "[5]", "[3,1,4]"])
        return f"""('{{"a": ' || {number} || ', "b": "{self.one(["x", "yz", "ü"])}", "c": {array}}}')"""

    def char(self, scope):
        length = self.one(["1", "3"])
        inner = self.value("text", scope, 0)
        return self.spelled(f"CAST({inner} AS char({length}))", f"rpad({inner}, {length}, ' ')")

    def uuid(self):
        return f"UUID '{self.one(UUIDS)}'"

    def zoned(self, scope):
        stamp, zone = self.value("timestamp", scope, 0), self.one(ZONES)
        return self.spelled(
            f"CAST({stamp} AS timestamp(3) with time zone) AT TIME ZONE {zone}",
            f"(CAST({stamp} AS timestamp) AT TIME ZONE 'UTC') AT TIME ZONE {zone}",
        )

    def value(self, kind, scope, depth):
        if kind == "ints":
            return self.array(scope, depth)
        if depth <= 0 or self.chance(0.35):
            return super().value(kind, scope, depth)
        deeper = depth - 1
        if kind == "int":
            return self.int_value(scope, deeper) if self.chance(0.7) else super().value(kind, scope, depth)
        if kind == "text":
            return self.text_value(scope, deeper) if self.chance(0.7) else super().value(kind, scope, depth)
        if kind == "date" and self.chance(0.4):
            days, inner = self.one(["1", "31", "-3"]), self.value("date", scope, 0)
            return self.spelled(f"date_add('day', {days}, {inner})", f"CAST({inner} + INTERVAL ({days}) DAY AS date)")
        return super().value(kind, scope, depth)

    def int_value(self, scope, depth):
        form = self.random.randrange(15)
        if form == 0:
            inner = self.array(scope, depth)
            return self.spelled(f"cardinality({inner})", f"len({inner})")
        if form == 1:
            inner, place = self.array(scope, depth), self.one(["1", "2", "-1"])
            return self.spelled(f"element_at({inner}, {place})", f"({inner})[{place}]")
        if form == 2:
            inner = self.array(scope, depth)
            self.lambdas += 1
            state, name = f"s{self.lambdas}", f"x{self.lambdas}"
            return self.spelled(
                f"reduce({inner}, BIGINT '0', ({state}, {name}) -> {state} + {name}, {state} -> {state})",
                f"list_reduce({inner}, lambda {state}, {name}: {state} + {name}, 0)",
            )
        if form == 3:
            inner = self.of_map(scope, depth)
            return self.spelled(f"element_at({inner}, 'a')", f"({inner})['a']")
        if form == 4:
            return f"cardinality({self.of_map(scope, depth)})"
        if form == 5:
            document = self.document(scope)
            return self.spelled(
                f"JSON_VALUE({document}, 'lax $.a' RETURNING bigint)", f"CAST(json_extract_string({document}, '$.a') AS bigint)"
            )
        if form == 6:
            document = self.document(scope)
            return self.spelled(
                f"json_array_length(json_extract({document}, '$.c'))", f"json_array_length({document}, '$.c')"
            )
        if form == 7:
            return f"extract({self.one(['HOUR', 'DAY', 'MINUTE'])} FROM {self.zoned(scope)})"
        if form == 8:
            unit, first, second = self.one(["'day'", "'hour'", "'minute'"]), self.value("timestamp", scope, 0), self.value("timestamp", scope, 0)
            return self.spelled(f"date_diff({unit}, {first}, {second})", f"datesub({unit}, {first}, {second})")
        if form == 9:
            return f"length({self.char(scope)})"
        if form == 10:
            first, second = self.known_int(scope), self.known_int(scope)
            return self.spelled(f"bitwise_and({first}, {second})", f"(CAST({first} AS bigint) & CAST({second} AS bigint))")
        if form == 11:
            return f"strpos({self.value('text', scope, depth)}, {self.known_text(scope)})"
        if form == 12:
            document = self.document(scope)
            return self.spelled(
                f"CAST(json_extract_scalar({document}, '$.a') AS bigint)", f"CAST(json_extract_string({document}, '$.a') AS bigint)"
            )
        if form == 13:
            inner, wanted = self.array(scope, depth), self.small()
            return self.spelled(f"array_position({inner}, {wanted})", f"coalesce(list_position({inner}, {wanted}), 0)")
        alias, document = self.alias(), self.document(scope)
        table = self.spelled(
            f"JSON_TABLE({document}, 'lax $.c[*]' COLUMNS (v bigint PATH 'lax $')) AS {alias}",
            f"UNNEST(CAST(json_extract({document}, '$.c') AS bigint[])) AS {alias}(v)",
        )
        return f"(SELECT sum({alias}.v) FROM {table})" if not scope else self.spelled(
            f"reduce(CAST(json_extract({document}, '$.c') AS array(bigint)), BIGINT '0', (s, x) -> s + x, s -> s)",
            f"list_reduce(CAST(json_extract({document}, '$.c') AS bigint[]), lambda s, x: s + x, 0)",
        )

    def text_value(self, scope, depth):
        form = self.random.randrange(14)
        inner = self.value("text", scope, depth)
        if form == 0:
            length = self.one(["1", "2", "5"])
            return self.spelled(f"CAST({inner} AS varchar({length}))", f"substr({inner}, 1, {length})")
        if form == 1:
            return self.spelled(f"CAST({self.uuid()} AS varchar)", f"CAST({self.uuid()} AS varchar)")
        if form == 2:
            document = self.document(scope)
            return self.spelled(f"json_extract_scalar({document}, '$.b')", f"json_extract_string({document}, '$.b')")
        if form == 3:
            document = self.document(scope)
            return self.spelled(f"JSON_VALUE({document}, 'lax $.b')", f"json_extract_string({document}, '$.b')")
        if form == 4:
            array = self.array(scope, depth)
            return self.spelled(f"array_join({array}, ',')", f"array_to_string({array}, ',')")
        if form == 5:
            return self.spelled(f"lower(to_hex(md5(to_utf8({inner}))))", f"md5({inner})")
        if form == 6:
            return self.spelled(f"lower(to_hex(sha256(to_utf8({inner}))))", f"sha256({inner})")
        if form == 7:
            return f"reverse({inner})" if "ü" not in inner and "日" not in inner else inner
        if form == 8:
            return f"replace({inner}, 'a', {self.known_text(scope)})"
        if form == 9:
            length, fill = self.one(["2", "4"]), self.one(["'-'", "'xy'"])
            return f"{self.one(['lpad', 'rpad'])}({inner}, {length}, {fill})"
        if form == 10:
            return f"split_part({inner}, 'b', 1)"
        if form == 11:
            number = self.value("int", scope, 0)
            return f"CAST({number} AS varchar)"
        if form == 12:
            day = self.value("date", scope, 0)
            return f"CAST({day} AS varchar)"
        return f"concat_ws('-', {self.known_text(scope)}, {self.known_text(scope)})"

    def condition(self, scope, depth):
        if not self.chance(0.3):
            return super().condition(scope, depth)
        form = self.random.randrange(11)
        if form == 0:
            array, function = self.array(scope, min(depth, 1)), self.lambda_of(self.test(scope))
            quantifier = self.one(["any", "all", "none"])
            found = f"len(list_filter({array}, {function}))"
            duckdb = {"any": f"({found} > 0)", "none": f"({found} = 0)", "all": f"({found} = len({array}))"}[quantifier]
            return self.spelled(f"{quantifier}_match({array}, {function})", duckdb)
        if form == 1:
            array, wanted = self.array(scope, min(depth, 1)), self.known_int(scope)
            return self.spelled(f"contains({array}, {wanted})", f"list_contains({array}, {wanted})")
        if form == 2:
            return f"{self.array(scope, 0)} {self.one(['=', '<>', '<', '>='])} {self.array(scope, 0)}"
        if form == 3:
            length, comparison = self.one(["1", "3"]), self.one(COMPARISONS)
            first, second = self.value("text", scope, 0), self.value("text", scope, 0)
            return self.spelled(
                f"CAST({first} AS char({length})) {comparison} CAST({second} AS char({length}))",
                f"rpad({first}, {length}, ' ') {comparison} rpad({second}, {length}, ' ')",
            )
        if form == 4:
            return f"{self.uuid()} {self.one(COMPARISONS)} {self.uuid()}"
        if form == 5:
            stamp, comparison = self.value("timestamp", scope, 0), self.one(COMPARISONS)
            return f"CAST({stamp} AS time) {comparison} TIME '12:34:56'"
        if form == 6:
            document = self.document(scope)
            return self.spelled(f"JSON_EXISTS({document}, 'lax $.c[1]')", f"json_extract({document}, '$.c[1]') IS NOT NULL")
        if form == 7:
            text, pattern = self.value("text", scope, 0), self.one(["'^a'", "'b'", "'[ab]+$'", "'a.*c'"])
            return self.spelled(f"regexp_like({text}, {pattern})", f"regexp_matches({text}, {pattern})")
        if form == 8:
            zone = self.one(ZONES)
            first, second = self.value("timestamp", scope, 0), self.value("timestamp", scope, 0)
            comparison = self.one(COMPARISONS)
            return self.spelled(
                f"CAST({first} AS timestamp(6) with time zone) AT TIME ZONE {zone} {comparison} CAST({second} AS timestamp(6) with time zone)",
                f"(CAST({first} AS timestamp) AT TIME ZONE 'UTC') {comparison} (CAST({second} AS timestamp) AT TIME ZONE 'UTC')",
            )
        if form == 9 and depth > 0:
            source, inner = self.sources([], 0, 1)
            first, second = self.known_int(scope), self.known_text(scope)
            return f"({first}, {second}) {self.one(['', 'NOT '])}IN (SELECT {self.known_int(inner)}, {self.known_text(inner)} FROM {source})"
        return f"starts_with({self.value('text', scope, 0)}, {self.known_text(scope)})"

    def source(self, depth):
        if depth > 0 and self.chance(0.15):
            alias, rows = self.alias(), self.one(DOCUMENTS)
            values = ", ".join(f"({place}, {row})" for place, row in enumerate(rows))
            unnested = self.alias()
            join = self.one(["CROSS JOIN", "LEFT JOIN"])
            on = " ON TRUE" if join == "LEFT JOIN" else ""
            table = self.spelled(
                f"JSON_TABLE({alias}.doc, 'lax $[*]' COLUMNS (v bigint PATH 'lax $')) AS {unnested}",
                f"UNNEST(CAST({alias}.doc AS bigint[])) AS {unnested}(v)",
            )
            whole = self.alias()
            text = f"(SELECT {alias}.k, {unnested}.v FROM (VALUES {values}) AS {alias} (k, doc) {join} {table}{on}) AS {whole} (k, v)"
            return text, [(f"{whole}.k", "int"), (f"{whole}.v", "int")]
        if depth > 0 and self.chance(0.1):
            alias, whole, unnested = self.alias(), self.alias(), self.alias()
            scope = [(f"{alias}.{name}", kind) for name, kind in TABLES["t2"].items()]
            array = self.array(scope, 1)
            text = f"(SELECT {alias}.k, {alias}.w, {unnested}.x FROM t2 AS {alias} CROSS JOIN UNNEST({array}) AS {unnested} (x)) AS {whole} (k, w, v)"
            return text, [(f"{whole}.k", "int"), (f"{whole}.w", "text"), (f"{whole}.v", "int")]
        return super().source(depth)

    def aggregate(self, kind, scope):
        if kind == "ints":
            return f"array_agg({self.value('int', scope, 0)} ORDER BY {self.value('int', scope, 0)}) FILTER (WHERE FALSE)"
        if kind == "bool":
            return f"{self.one(['bool_and', 'bool_or', 'every'])}({self.condition(scope, 0)})".replace("every", self.spelled("every", "bool_and"))
        if kind == "text" and self.chance(0.3):
            inner = self.value("text", scope, 0)
            return self.spelled(f"listagg({inner}, ',') WITHIN GROUP (ORDER BY {inner})", f"string_agg({inner}, ',' ORDER BY {inner})")
        if kind == "int" and self.chance(0.2):
            return f"count_if({self.condition(scope, 0)})"
        return super().aggregate(kind, scope)

    def grouped(self, kinds, text, scope, where, depth):
        if self.chance(0.25):
            items = []
            for kind in kinds:
                column = self.column(kind, scope)
                items.append(column if column and self.chance(0.5) else self.aggregate(kind, scope))
            return f"SELECT {', '.join(items)} FROM {text}{where} GROUP BY {self.spelled('AUTO', 'ALL')}"
        return super().grouped(kinds, text, scope, where, depth)

    def windowed(self, kinds, where):
        return super().windowed(["int" if kind in ("ints", "bool") else kind for kind in kinds], where)


def pair(seed):
    """In Trino's spelling and in DuckDB's."""
    return Newer(seed, False).text(), Newer(seed, True).text()
