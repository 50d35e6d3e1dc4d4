"""The documented flow with a client that openapi-python-client made from the server's document: submit, wait, page,
save, run, view, read with a filter. Standard input holds the server's address and a token, a line each; every step
asserts what it got."""

import sys

from rowhouse_api import AuthenticatedClient
from rowhouse_api.api.data import read_view
from rowhouse_api.api.queries import get_query, get_query_result, list_queries, submit_query
from rowhouse_api.api.saved_sql import create_saved_sql, execute_saved_sql, get_saved_sql_statistics, list_saved_sql
from rowhouse_api.api.views import create_view, get_view
from rowhouse_api.api.workspaces import list_workspaces
from rowhouse_api.models import (
    CreateSavedSqlBody,
    CreateViewBody,
    Error,
    ErrorCode,
    ExecuteSavedSqlBody,
    GetQueryResultShape,
    Query,
    QueryStatus,
    StatementParameters,
    SubmitQueryBody,
)

REGIONS = "SELECT r_name, r_regionkey FROM tpch.tiny.region WHERE r_regionkey < :n ORDER BY r_name"
VIEW = '-- Service API: required("c_nationkey:eq")\nSELECT c_custkey, c_nationkey, c_acctbal FROM tpch.tiny.customer'

base_url, token = sys.stdin.read().split()
client = AuthenticatedClient(base_url=base_url, token=token, prefix="Token", raise_on_unexpected_status=True)
workspace = next(found for found in list_workspaces.sync(client=client) if found.sql_name == "demo")


def finished(query: Query) -> Query:
    """Polls as the interface says, with the long poll."""
    while query.status not in (QueryStatus.FINISHED, QueryStatus.FAILED):
        query = get_query.sync(query.id, client=client, workspace_id=workspace.id, wait=30)
        assert isinstance(query, Query), query
    assert query.status is QueryStatus.FINISHED, query.error
    return query


body = SubmitQueryBody(
    workspace_id=workspace.id, sql=REGIONS, parameters=StatementParameters.from_dict({"n": 4}), cache_ttl=60, cache_refresh=False
)
query = finished(submit_query.sync(client=client, body=body))
assert (query.row_count, query.from_cache, query.workspace_sql_name) == (4, False, "demo"), query
assert submit_query.sync(client=client, body=body).from_cache is True

page = get_query_result.sync(query.id, client=client, workspace_id=workspace.id, limit=2, offset=1)
assert page.result == [["AMERICA", 1], ["ASIA", 2]] and page.row_count == 4, page
assert [column.type_ for column in page.columns] == ["varchar(25)", "bigint"], page.columns
page = get_query_result.sync(
    query.id, client=client, workspace_id=workspace.id, limit=1, shape=GetQueryResultShape.OBJECTS
)
assert [row.to_dict() for row in page.result] == [{"r_name": "AFRICA", "r_regionkey": 0}], page

refused = submit_query.sync(client=client, body=SubmitQueryBody(workspace_id=workspace.id, sql="SELECT\n  nothing"))
assert refused.status is QueryStatus.FAILED and refused.error.error_location.line_number == 2, refused
unknown = get_query.sync("unknown", client=client, workspace_id=workspace.id)
assert isinstance(unknown, Error) and unknown.code is ErrorCode.NOT_FOUND, unknown

saved = create_saved_sql.sync(
    client=client,
    body=CreateSavedSqlBody(workspace_id=workspace.id, title="Regions", description="all", sql="SELECT * FROM tpch.tiny.region"),
)
assert saved.id in [entry.id for entry in list_saved_sql.sync(client=client, workspace_id=workspace.id)]
run = finished(execute_saved_sql.sync(saved.id, client=client, body=ExecuteSavedSqlBody(workspace_id=workspace.id)))
assert run.row_count == 5, run
statistics = get_saved_sql_statistics.sync(saved.id, client=client, workspace_id=workspace.id)
assert statistics.stats.state == "FINISHED" and statistics.stats.processed_rows == 5, statistics

history = list_queries.sync(client=client, workspace_id=workspace.id, limit=2)
assert history.result[0].id == run.id and history.total_count >= 4, history

view = create_view.sync(client=client, body=CreateViewBody(workspace_id=workspace.id, sql_name="by_nation", sql=VIEW))
refresh = get_query.sync(view.refresh_query_id, client=client, workspace_id=workspace.id, wait=30)
finished(refresh)
view = get_view.sync(view.id, client=client, workspace_id=workspace.id)
assert view.generation == 1 and view.required_filters == ["c_nationkey:EQ"], view
rows = read_view.sync(
    "demo", "by_nation", client=client, filters=["c_nationkey:EQ:7", "c_acctbal:GT:9000"], column_names="c_custkey,c_acctbal", limit=3
)
assert len(rows) == 3 and all(row["c_acctbal"] > 9000 and "c_nationkey" not in row for row in rows), rows
unmet = read_view.sync("demo", "by_nation", client=client)
assert unmet.code is ErrorCode.GENERIC_USER_ERROR, unmet
assert unmet.message == "Required filters and request filters not matched: c_nationkey:EQ and none.", unmet

print("the flow ran")
