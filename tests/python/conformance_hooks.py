"""Real ground under schemathesis' requests: a workspace with a table, a query, a view and so on. Where a request that
the document allows names something that cannot exist, the name of something that does exist is put in its place, so
that the request reaches the logic behind the look-up. What is wrong by the document stays as wrong as it was made,
and outside sequences one unknown name in four stays unknown: 404 is an answer, too.
"""

import json
import os
import re
import zlib
from itertools import count
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import requests
import schemathesis

SERVER = os.environ["ROWHOUSE_SERVER"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Token {os.environ['ROWHOUSE_TOKEN']}"
NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
NUMBERS = count(1)

TABLE = "real_cities"
CITIES = Path("cities.csv").resolve()
CITIES.write_text("city,canton,inhabitants\nBern,BE,137000\nThun,BE,43000\nZug,ZG,31000\n")

# Statements with the values of their parameters.
STATEMENTS = [
    ("SELECT * FROM real_cities ORDER BY city", None),
    ("SELECT canton, sum(inhabitants) AS people FROM real_cities GROUP BY canton", None),
    ("SELECT city FROM real_cities WHERE inhabitants > :n", {"n": 40000}),
    ("SELECT n_name, n_regionkey, CAST(n_nationkey AS double) / 7 FROM tpch.tiny.nation", None),
]
ENDPOINT = "-- Parameter: canton varchar\n-- Order by: city\nSELECT city, canton FROM real_cities WHERE :canton IS NULL OR canton = :canton"
VIEW = '-- Service API: required("canton:eq")\nSELECT city, canton, inhabitants FROM real_cities'
ZONES = ["Europe/Berlin", "America/New_York", "+05:30", "UTC"]
SCHEDULES = ["@every 1h", "@every 1h30m", "*/15 2-5 * * 1-5", "0 3 1,15 JAN-MAR *"]
VIEWS = [VIEW, "SELECT canton, count(*) AS towns FROM real_cities GROUP BY canton"]


def call(method, path, body=None, **parameters):
    """Asks the server as any client does."""
    answer = SESSION.request(method, f"{SERVER}/api/v1/{path}", json=body, params=parameters, timeout=60)
    assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
    return answer.json()


def fresh(what):
    """The id of something that nothing else is about, so that it can be taken away."""
    number = next(NUMBERS)
    body = {"workspaceId": WORKSPACE, "title": f"Passing {number}", "sqlName": f"passing_{number}", "sql": VIEWS[1]}
    if what == "sql":
        del body["sqlName"]
    if what == "token":
        body = {"name": f"passing {number}"}
    return call("POST", what, body)["id"]


def fresh_table(name):
    """A table of this name, unless there is one."""
    body = {"workspaceId": WORKSPACE, "name": name, "location": str(CITIES)}
    answer = SESSION.post(f"{SERVER}/api/v1/table", json=body, timeout=60)
    assert answer.status_code in (200, 409), answer.text
    return name


def finished_query(id):
    query = call("GET", f"query/{id}", workspaceId=WORKSPACE, wait=60)
    assert query["status"] == "FINISHED", query
    return id


def fresh_result():
    """The id of a query whose result may go."""
    return finished_query(call("POST", "query", {"workspaceId": WORKSPACE, "sql": STATEMENTS[0][0]})["id"])


WORKSPACE = call("POST", "workspace", {"title": "Conformance", "sqlName": "conformance"})["id"]
# Limits of the workspace that everything happens in would refuse the rest.
LIMITED = call("POST", "workspace", {"title": "Limited", "sqlName": "limited"})["id"]
fresh_table(TABLE)
ACCOUNT = call("POST", "account", {"username": "ada"})["id"]
SAVED_SQL, CHANGING_SAVED_SQL, CHANGING_VIEW = fresh("sql"), fresh("sql"), fresh("materializedView")
QUERY = finished_query(call("POST", "query", {"workspaceId": WORKSPACE, "sql": STATEMENTS[0][0]})["id"])
TOWNS = call("POST", "materializedView", {"workspaceId": WORKSPACE, "sqlName": "towns", "sql": VIEW})
finished_query(TOWNS["refreshQueryId"])
CALLED = call("POST", "sql", {"workspaceId": WORKSPACE, "title": "Towns", "sqlName": "towns_of", "sql": ENDPOINT})["id"]
LINK = urlsplit(call("GET", f"query/{QUERY}/result/signedUrls", workspaceId=WORKSPACE)["urls"][0]["url"])
# The account and the token of this run, and what many requests share, must outlive them all: an admin may be demoted.
PERMANENT = {entry["id"] for entry in call("GET", "tokens") + call("GET", "accounts")} | {SAVED_SQL, CHANGING_SAVED_SQL, CHANGING_VIEW, TOWNS["id"], CALLED}

# What the `id` in an operation's path names, or how to get something that may be taken away.
IDS = {
    "executeSavedSql": SAVED_SQL,
    "getSavedSqlStatistics": SAVED_SQL,
    "updateSavedSql": CHANGING_SAVED_SQL,
    "deleteSavedSql": lambda: fresh("sql"),
    "getQuery": QUERY,
    "getQueryResult": QUERY,
    "getSignedUrls": QUERY,
    "deleteQueryResult": fresh_result,
    "cancelQuery": QUERY,
    "setLimits": LIMITED,
    "getUsage": WORKSPACE,
    "updateAccount": ACCOUNT,
    "listMembers": WORKSPACE,
    "setMember": WORKSPACE,
    "getView": TOWNS["id"],
    "listViewGenerations": TOWNS["id"],
    "updateView": CHANGING_VIEW,
    "refreshView": TOWNS["id"],
    "dropView": lambda: fresh("materializedView"),
    "revokeToken": lambda: fresh("token"),
}

# Ids that answers have given and names that were taken away: sequences rely on both. Names in use by operation.
KNOWN = set(PERMANENT)
REMOVED = set()
# The first request that the document allows, by operation and phase.
BEGUN = {}
USED = {("createAccount", "ada")}


def in_words(value, levels=16):
    """Parameters as the document demands them in words, because generators of clients stumble over a schema that names
    itself: no objects in arrays, and arrays nested in at most 16 levels."""
    if isinstance(value, dict):
        return {name: in_words(entry, levels) for name, entry in value.items()} if levels == 16 else None
    if isinstance(value, list):
        return [in_words(entry, levels - 1) for entry in value] if levels > 0 else None
    return value


def examples_of(operation):
    """The texts that the document gives as examples for a request's parameters and fields."""
    found = [parameter.definition.get("example") for parameter in operation.iter_parameters()]
    body = operation.definition.raw.get("requestBody")
    if body is not None:
        found += body["content"]["application/json"]["example"].values()
    return {example for example in found if isinstance(example, str)}


class Request:
    """One request on its way."""

    def __init__(self, case):
        self.case = case
        self.operation = case.operation.definition.raw["operationId"]
        self.is_positive = case.meta is None or case.meta.generation.mode.is_positive
        self.is_step = case.meta is not None and case.meta.phase.name.value == "stateful"
        self.examples = examples_of(case.operation)
        place = (self.operation, case.meta.phase.name.value if case.meta is not None else None)
        made = repr((case.path_parameters, case.query, case.body))
        # The same one if it is made again.
        self.is_first = self.is_positive and BEGUN.setdefault(place, made) == made

    def chance(self, value, of):
        """A number below `of`, 0 for a first request: the same for the same value in every run, though the server makes
        other ids in each."""
        digest = zlib.crc32(json.dumps(value, sort_keys=True).replace(WORKSPACE, "").encode())
        return 0 if self.is_first else digest % of

    def is_unknown(self, value, known=KNOWN):
        """Whether a text of the right form is to be replaced. An example of the document always stands for the real."""
        if not isinstance(value, str) or not 1 <= len(value) <= 256 or value in known:
            return False
        return self.is_step or value in self.examples or self.chance(value, 4) < 3

    def stand_on_real_ground(self):
        for place in (self.case.query, self.case.body):
            if isinstance(place, dict) and self.is_unknown(place.get("workspaceId"), known={WORKSPACE}):
                place["workspaceId"] = WORKSPACE
        path = self.case.path_parameters or {}
        if (real := IDS.get(self.operation)) is not None:
            # The result of a query that failed is 400 (D11): sequences come upon some, others ask for one that is there.
            is_result = self.operation in ("getQueryResult", "getSignedUrls") and not self.is_step
            replaced = KNOWN if is_result else PERMANENT
            if self.is_unknown(path.get("id")) or path.get("id") in replaced:
                path["id"] = real() if callable(real) else real
        if (self.operation, path.get("id")) == ("deleteQueryResult", QUERY):
            path["id"] = fresh_result()
        if self.operation == "setLimits":
            self.limit_nobody_else(path, self.case.body)
        if path.get("name") == TABLE:
            path["name"] = fresh_table(f"passing_{next(NUMBERS)}")
        if self.is_positive and isinstance(self.case.body, dict) and "parameters" in self.case.body:
            self.case.body["parameters"] = in_words(self.case.body["parameters"])
        if self.is_positive and (more := getattr(self, self.operation, None)) is not None:
            more(path, self.case.query, self.case.body)

    def limit_nobody_else(self, path, body):
        """Limits only of their own workspace, and none that requests of this run reach: they would be refused by chance."""
        if path.get("id") in KNOWN | {WORKSPACE}:
            path["id"] = LIMITED
        limit = body.get("requestsPerSecond") if isinstance(body, dict) else None
        if type(limit) is int and 0 <= limit < 10**6:
            body["requestsPerSecond"] = limit + 10**6

    def submitQuery(self, path, query, body):
        sql, parameters = (STATEMENTS * 2 + [(body["sql"], body.get("parameters"))])[self.chance(body, 9)]
        body["sql"] = sql
        body.pop("parameters", None)
        if parameters is not None:
            body["parameters"] = parameters
        self.executeSavedSql(path, query, body)

    def executeSavedSql(self, path, query, body):
        # No schema can tell the names of zones from others.
        if isinstance(body.get("timeZone"), str):
            body["timeZone"] = ZONES[self.chance(body, 4)]

    def createSavedSql(self, path, query, body):
        # The text of an endpoint is planned when it is saved.
        if isinstance(body.get("sqlName"), str):
            body["sql"] = (VIEWS[1], ENDPOINT)[self.chance(body, 2)]
            self.free_name(body, "sqlName")
            return
        body["sql"] = (STATEMENTS + [(body["sql"], None)])[self.chance(body, 5)][0]

    def updateSavedSql(self, path, query, body):
        if isinstance(body.get("sqlName"), str):
            body["sql"] = (VIEWS[1], ENDPOINT)[self.chance(body, 2)]
            self.free_name(body, "sqlName")
        else:
            # Whatever name it has had: another text of it may be no statement.
            body["sqlName"] = None

    def createView(self, path, query, body):
        if isinstance(body.get("sql"), str):
            is_example = body["sql"] in self.examples
            body["sql"] = (VIEWS * 2 + [body["sql"]])[self.chance(body, 4 if is_example else 5)]
        # A pattern cannot tell a moment that comes from one that never does.
        if isinstance(body.get("schedule"), str):
            body["schedule"] = (SCHEDULES + [body["schedule"]])[self.chance(body, 5)]
        self.free_name(body, "sqlName")

    updateView = createView

    def createTable(self, path, query, body):
        if body["location"] in self.examples or self.chance(body, 4) < 3:
            body["location"] = str(CITIES)
            body.pop("format", None)
        self.free_name(body, "name")

    def createWorkspace(self, path, query, body):
        if body.get("engine") and self.chance(body, 4) < 3:
            body["engine"] = "polars"
        self.free_name(body, "sqlName")

    def createAccount(self, path, query, body):
        self.free_name(body, "username")

    def free_name(self, body, field):
        """The first to use a name has it; three in four of those who come later get another."""
        name = body.get(field)
        if isinstance(name, str) and (self.operation, name) in USED and self.chance(body, 4) < 3:
            body[field] = f"{name[:40]}_{next(NUMBERS)}"
        USED.add((self.operation, name))

    def setMember(self, path, query, body):
        if self.is_unknown(body["accountId"]):
            body["accountId"] = ACCOUNT

    def createToken(self, path, query, body):
        if body.get("allow") is not None:
            body["allow"] = [{"workspaceId": WORKSPACE, "endpoint": "towns_of", "parameters": {"canton": "BE"}}]
        if self.is_unknown(body.get("accountId")):
            body["accountId"] = ACCOUNT

    def removeTable(self, path, query, body):
        name = path["name"]
        if not NAME.fullmatch(name) and self.chance(name, 4) < 3:
            path["name"] = fresh_table(f"passing_{next(NUMBERS)}")
        elif name not in REMOVED and NAME.fullmatch(name):
            fresh_table(name)
        REMOVED.add(path["name"])

    def readView(self, path, query, body):
        if self.is_unknown(path["workspace"]):
            path["workspace"] = "conformance"
        if self.is_unknown(path["view"]):
            path["view"] = "towns"
        if self.chance(dict(query), 4) < 3:
            query["filters"] = ["canton:EQ:BE"] + ["inhabitants:GT:50000"] * self.chance(query, 2)
            for name, real in (("columnNames", "city,inhabitants"), ("orderBy", "inhabitants:desc")):
                if name in query:
                    query[name] = real

    def callEndpoint(self, path, query, body):
        if self.is_unknown(path["workspace"]):
            path["workspace"] = "conformance"
        if self.is_unknown(path["endpoint"]):
            path["endpoint"] = "towns_of"
        if self.chance(dict(query or {}), 4) < 3:
            for name, real in (("columnNames", "city"), ("orderBy", "city:desc")):
                if query and name in query:
                    query[name] = real

    def callEndpointWithBody(self, path, query, body):
        self.callEndpoint(path, query, body)
        if isinstance(body, dict) and self.chance(body, 4) < 3:
            body.clear()
            body.update({"canton": "BE", "limit": 1})

    def getDataOpenApi(self, path, query, body):
        if self.is_unknown(path["workspace"]):
            path["workspace"] = "conformance"

    def getResultFile(self, path, query, body):
        if self.chance(query, 4) < 3:
            path["id"] = QUERY
            query.update(parse_qsl(LINK.query))


@schemathesis.hook
def before_call(context, case, kwargs):
    Request(case).stand_on_real_ground()


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code != 200 or response.headers.get("content-type") != ["application/json"]:
        return
    body = response.json()
    found = body.get("result", [body]) if isinstance(body, dict) else body
    KNOWN.update(entry["id"] for entry in found if isinstance(entry, dict) and isinstance(entry.get("id"), str))
    if body and isinstance(body, dict) and body.get("service") and case.method.upper() == "PUT":
        # Enabled again for the others, whatever was asked for.
        call("PUT", "service/SQL_ENGINE", {"state": True})
