// The documented flow with openapi-fetch and the types that openapi-typescript made of the server's document: submit,
// wait, page, save, run, view, read with a filter. The compiler holds every request and every field to the document.
//
//   node built/flow.js ADDRESS TOKEN

import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Query = components["schemas"]["Query"];

declare const process: { argv: string[] };

const [, , baseUrl = "", token = ""] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Token ${token}` } });

function check(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

/** The answer, or the refusal as an exception. */
async function expectData<T>(answer: Promise<{ data?: T; error?: components["schemas"]["Error"] }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

const workspace = (await expectData(api.GET("/api/v1/workspaces"))).find(({ sqlName }) => sqlName === "demo");
check(workspace !== undefined, "no workspace demo");
const workspaceId = workspace.id;

async function finished(query: Query): Promise<Query> {
  let current = query;
  while (current.status !== "FINISHED" && current.status !== "FAILED") {
    const params = { path: { id: query.id }, query: { workspaceId, wait: 30 } };
    current = await expectData(api.GET("/api/v1/query/{id}", { params }));
  }
  check(current.status === "FINISHED", current.error);
  return current;
}

const sql = "SELECT r_name, r_regionkey FROM tpch.tiny.region WHERE r_regionkey < :n ORDER BY r_name";
const body = { workspaceId, sql, parameters: { n: 4 }, cacheTTL: 60, cacheRefresh: false };
const query = await finished(await expectData(api.POST("/api/v1/query", { body })));
check(query.rowCount === 4 && query.fromCache === false, query);
check((await expectData(api.POST("/api/v1/query", { body }))).fromCache === true, "the cache has it");

const params = { path: { id: query.id }, query: { workspaceId, limit: 2, offset: 1 } };
const page = await expectData(api.GET("/api/v1/query/{id}/result", { params }));
// Other formats are text.
check(typeof page !== "string", page);
check(JSON.stringify(page.result) === '[["AMERICA",1],["ASIA",2]]' && page.rowCount === 4, page);
check(page.columns.map(({ type }) => type).join() === "varchar(25),bigint", page.columns);

const wrong = await expectData(api.POST("/api/v1/query", { body: { workspaceId, sql: "SELECT\n  nothing" } }));
check(wrong.status === "FAILED" && wrong.error?.errorLocation?.lineNumber === 2, wrong);
const unknown = await api.GET("/api/v1/query/{id}", { params: { path: { id: "unknown" }, query: { workspaceId } } });
check(unknown.error?.code === "NOT_FOUND" && unknown.response.status === 404, unknown.error);

const saved = await expectData(
  api.POST("/api/v1/sql", { body: { workspaceId, title: "Regions", sql: "SELECT * FROM tpch.tiny.region" } }),
);
const list = await expectData(api.GET("/api/v1/sqls", { params: { query: { workspaceId } } }));
check(list.some(({ id }) => id === saved.id), list);
const run = await finished(
  await expectData(api.POST("/api/v1/sql/{id}", { params: { path: { id: saved.id } }, body: { workspaceId } })),
);
check(run.rowCount === 5, run);
const ofSaved = { path: { id: saved.id }, query: { workspaceId } };
const { stats } = await expectData(api.GET("/api/v1/sql/{id}", { params: ofSaved }));
check(stats.state === "FINISHED" && stats.processedRows === 5, stats);

const view = await expectData(
  api.POST("/api/v1/materializedView", {
    body: {
      workspaceId,
      sqlName: "by_nation",
      sql: '-- Service API: required("c_nationkey:eq")\nSELECT c_custkey, c_nationkey, c_acctbal FROM tpch.tiny.customer',
    },
  }),
);
check(view.refreshQueryId !== null, view);
const refresh = { path: { id: view.refreshQueryId }, query: { workspaceId, wait: 30 } };
await finished(await expectData(api.GET("/api/v1/query/{id}", { params: refresh })));
const place = { workspace: "demo", view: "by_nation" };
const filtered = { filters: ["c_nationkey:EQ:7", "c_acctbal:GT:9000"], columnNames: "c_custkey,c_acctbal", limit: 3 };
const rows = await expectData(
  api.GET("/v1/data/{workspace}/materializedView/{view}", { params: { path: place, query: filtered } }),
);
check(Array.isArray(rows) && rows.length === 3, rows);
check(rows.every((row) => "c_acctbal" in row && Number(row["c_acctbal"]) > 9000 && !("c_nationkey" in row)), rows);
const unmet = await api.GET("/v1/data/{workspace}/materializedView/{view}", { params: { path: place } });
const message = "Required filters and request filters not matched: c_nationkey:EQ and none.";
check(unmet.error?.code === "GENERIC_USER_ERROR" && unmet.error.message === message, unmet.error);

console.log("the flow ran");
