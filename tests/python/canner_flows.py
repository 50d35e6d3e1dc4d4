"""What Canner's published client shows of its documented flows: queries in each format and by each way to fetch, saved SQL,
an error, a cancel.

Standard input: {"endpoint", "workspaceId", "token"}. Standard output: what each flow showed, as JSON."""

import json
import sys
import time

import canner
from canner.exceptions import CannerError


def finished(client, sql, **options):
    query = client.gen_query(sql, **options)
    query.wait_for_finish(timeout=60, period=0.1)
    return query


def main():
    task = json.load(sys.stdin)
    client = canner.client.bootstrap(
        endpoint=task["endpoint"], workspace_id=task["workspaceId"], token=task["token"]
    )
    shown = {}
    # The quick start of its readme.
    regions = "select * from tpch.tiny.region order by 1"
    query = finished(client, regions, data_format="list")
    shown["rows"] = [row[:2] for row in query.get_all()]
    shown["row_count"] = query.row_count
    shown["slice"] = [row[1] for row in query.get(limit=2, offset=1)][1:]
    query = finished(client, regions, data_format="df", cache_refresh=True)
    shown["df"] = query.get_all()["r_name"].tolist()
    query = finished(client, regions, data_format="np", fetch_by="api")
    shown["np"] = query.get_last(2).tolist()[0][:2]
    shown["iterated"] = [row[1][1] for row in finished(client, regions, data_format="list")]
    types = "select true, 1, bigint '9007199254740993', 1.5, 'é', date '2024-02-29', timestamp '2024-02-29 12:34:56.789'"
    shown["types"] = [str(value) for value in finished(client, types).get_all()[1]]
    # More rows than a page of the client has.
    query = finished(client, "select n from unnest(sequence(1, 5001)) t(n)", fetch_by="api")
    shown["pages"] = [row[0] for row in query.get_all()[-2:]]
    shown["saved"] = client.list_saved_query()
    query = client.use_saved_query(shown["saved"][0])
    query.wait_for_finish(timeout=60, period=0.1)
    shown["saved rows"] = query.get_all()[1:]
    try:
        client.gen_query("slect 1")
    except CannerError as error:
        shown["error"] = [error.error_code, error.message[:9]]
    query = client.gen_query(task["slow"], cache_refresh=True)
    while query.statement_id is None:
        time.sleep(0.1)
    query.delete_statement()
    query.delete_statement()
    shown["canceled"] = [query.status.name, query.error["errorName"]]
    json.dump(shown, sys.stdout, default=str)


if __name__ == "__main__":
    main()
