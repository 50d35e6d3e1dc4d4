"""What the lists of statements here are made with."""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


class Suite:
    """Statements to be asked, each once, in their order."""

    def __init__(self):
        self.groups = []
        self.seen = set()

    def ask(self, *statements):
        """Whole statements of one value."""
        self.groups.append(([statement for statement in statements if self._is_new(statement)], None))

    def values(self, *expressions):
        """Each expression, and TRY of those that fail at some value."""
        for expression in expressions:
            if self._is_new(f"SELECT {expression}"):
                self.groups.append(([], ("{0}", [(expression,)])))

    def calls(self, template, rows):
        """A call by its arguments: `{0}`, `{1}` stand for them. Over columns with all rows; where rows fail, those by
        themselves, the others over columns, and TRY over columns with all. The first and the last row are also a
        statement of constants."""
        rows = [row if isinstance(row, tuple) else (row,) for row in rows]
        statements = [f"SELECT {template.format(*row)}" for row in rows]
        kept = [row for statement, row in zip(statements, rows) if self._is_new(statement)]
        if kept:
            self.groups.append(([], (template, kept)))

    def _is_new(self, statement):
        is_new = statement not in self.seen
        self.seen.add(statement)
        return is_new


# Errors that TRY catches.
CAUGHT = ("INVALID_FUNCTION_ARGUMENT", "NUMERIC_VALUE_OUT_OF_RANGE", "DIVISION_BY_ZERO", "INVALID_CAST_ARGUMENT")

# Statements that fail alike, kept of one call.
MAX_ERRORS = 3


def answers_of_calls(template, rows, answer):
    """The statements that `calls` stands for, answered."""
    columns = ", ".join("abcdefgh"[: len(rows[0])])

    def over_columns(call, chosen):
        values = ", ".join("(" + ", ".join(row) + ")" for row in chosen)
        return answer(f"SELECT {call.format(*columns.split(', '))} FROM (VALUES {values}) AS t({columns})")

    def constant(row):
        return answer(f"SELECT {template.format(*row)}")

    ends = rows if len(rows) < 3 else [rows[0], rows[-1]]
    if len(rows) > 1:
        whole = over_columns(template, rows)
        if "error" not in whole:
            return [constant(row) for row in ends] + [whole]
    alone = [(row, constant(row)) for row in rows[:3]]
    if all("line" in found for _, found in alone):
        # It is the call that fails, whatever the values.
        return [found for _, found in alone[:1]]
    alone += [(row, constant(row)) for row in rows[3:]]
    good = [row for row, found in alone if "error" not in found]
    # Only at run time, and only what TRY catches.
    tried = [row for row, found in alone if row in good or (found["error"] in CAUGHT and "line" not in found)]
    kept = [found for row, found in alone if row in good[:1] + good[-1:]]
    # TRY below tells of every row whether it fails.
    for name in sorted({found["error"] for _, found in alone if "error" in found}):
        kept += [found for _, found in alone if found.get("error") == name][:MAX_ERRORS]
    if len(good) > 1:
        kept.append(over_columns(template, good))
    if len(tried) > max(len(good), 1):
        kept.append(over_columns(f"TRY({template})", tried))
    elif len(tried) > len(good):
        kept.append(answer(f"SELECT TRY({template.format(*rows[0])})"))
    return kept
