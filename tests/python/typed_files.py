"""Writes files with a column of each type that Parquet, Arrow, CSV and NDJSON files can hold, in many ways of writing them,
and says which rows they have, as SQL. Arguments: the folder, and a seed of the values. Standard output: JSON

    {"files": [{"name", "path", "format", "columns": [column, ...]}, ...],
     "columns": {column: {"type", "values": [SQL or null, ...], "present": [SQL, ...], "absent": [SQL, ...]}}}

Rows are numbered by the column `id`, from 0 on; a column's values are those of the rows in their order.
"""

import json
import os
import sys

import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet as pq

from parquet_by_hand import write_by_hand
import typed_columns
from typed_columns import COLUMNS, ROWS, ROWS_OF_GROUP, TEXT_COLUMNS

PARQUET_WAYS = {
    "plain": {"use_dictionary": False, "write_statistics": True},
    "dictionary": {"use_dictionary": True, "write_statistics": True, "data_page_size": 64},
    "bare": {"use_dictionary": True, "write_statistics": False, "data_page_version": "2.0"},
    "page_index": {
        "use_dictionary": False,
        "write_statistics": True,
        "write_page_index": True,
        "data_page_size": 32,
        "write_batch_size": 2,
        "data_page_version": "2.0",
        "compression": "zstd",
    },
    "without_schema": {"use_dictionary": True, "write_statistics": True, "store_schema": False},
    "old": {"version": "1.0", "use_dictionary": False, "use_deprecated_int96_timestamps": True},
    "whole": {"use_dictionary": True, "row_group_size": ROWS},
    # What a writer is told, and believes.
    "said_to_be_sorted": {"sorting_columns": [pq.SortingColumn(0, descending=True), pq.SortingColumn(3)]},
    "integers": {"store_decimal_as_integer": True, "use_dictionary": False, "coerce_timestamps": "us"},
}


def table_of(columns):
    arrays = {"id": pa.array(range(ROWS), pa.int64())}
    arrays |= {column.name: column.array() for column in columns}
    return pa.table(arrays)


def write_parquet(path, table, way):
    options = {"row_group_size": ROWS_OF_GROUP, "allow_truncated_timestamps": True} | way
    pq.write_table(table, path, **options)


def write_with_empty_groups(path, table):
    """Row groups without rows before, between and after the others."""
    with pq.ParquetWriter(path, table.schema) as writer:
        writer.write_table(table.slice(0, 0))
        for start in range(0, ROWS, ROWS_OF_GROUP):
            writer.write_table(table.slice(start, ROWS_OF_GROUP))
            writer.write_table(table.slice(0, 0))


def write_arrow(path, table):
    with pa.ipc.new_file(path, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=ROWS_OF_GROUP):
            writer.write_batch(batch)
            writer.write_batch(batch.slice(0, 0))


def write_csv(path, columns):
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(",".join(["id"] + [column.name for column in columns]) + "\n")
        for row in range(ROWS):
            fields = [str(row)] + [csv_field(column.texts[row]) for column in columns]
            out.write(",".join(fields) + "\n")


def csv_field(text):
    if text is None:
        return ""
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\n\r ') or text == "" else text


def write_ndjson(path, columns):
    with open(path, "w", encoding="utf-8") as out:
        for row in range(ROWS):
            fields = {"id": row} | {column.name: column.json[row] for column in columns}
            out.write(json.dumps(fields, ensure_ascii=False) + "\n")


def main(folder):
    files = []

    def add(name, extension, file_format, columns, write):
        path = os.path.join(folder, f"{name}.{extension}")
        write(path)
        files.append(
            {"name": name, "path": path, "format": file_format, "columns": [column.name for column in columns]}
        )

    for name, way in PARQUET_WAYS.items():
        columns = [column for column in COLUMNS if column.is_in_parquet and column.fits(name)]
        columns = [column for column in columns if column.name != "float16"]
        table = table_of(columns)
        add(name, "parquet", "parquet", columns, lambda path: write_parquet(path, table, way))
    # A file with halves of floats is read otherwise as a whole.
    halves = [column for column in COLUMNS if column.name == "float16"]
    add("halves", "parquet", "parquet", halves, lambda path: write_parquet(path, table_of(halves), {}))
    in_parquet = [column for column in COLUMNS if column.is_in_parquet]
    table = table_of(in_parquet)
    add("empty_groups", "parquet", "parquet", in_parquet, lambda path: write_with_empty_groups(path, table))
    add("arrow", "arrow", "arrow", COLUMNS, lambda path: write_arrow(path, table_of(COLUMNS)))
    add("csv", "csv", "csv", TEXT_COLUMNS, lambda path: write_csv(path, TEXT_COLUMNS))
    in_json = [column for column in TEXT_COLUMNS if column.json_of]
    add("ndjson", "ndjson", "ndjson", in_json, lambda path: write_ndjson(path, in_json))
    by_hand = [column for column in COLUMNS if column.by_hand]
    for way in ("exact", "truncated", "deprecated", "none"):
        name = f"by_hand_{way}"
        add(name, "parquet", "parquet", by_hand, lambda path: write_by_hand(path, by_hand, way))
    known = {column.name: column.description() for column in COLUMNS + TEXT_COLUMNS}
    json.dump({"files": files, "columns": known}, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    typed_columns.SEED = sys.argv[2]
    main(sys.argv[1])
