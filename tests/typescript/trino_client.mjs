// What Trino's client for Node shows of a server: the same for every server that speaks its protocol. Standard input:
// {"url", "user", "token"?, "slow"}. Standard output: a transcript as JSON.

import { readFileSync } from "node:fs";
import { BasicAuth, Trino } from "trino-client";

const task = JSON.parse(readFileSync(0, "utf8"));
const trino = Trino.create({
  server: task.url,
  catalog: "tpch",
  schema: "tiny",
  source: "peer",
  auth: new BasicAuth(task.user),
  extraCredential: task.token ? { token: task.token } : undefined,
});

async function run(query) {
  const shown = { columns: [], rows: [] };
  const last = await (await trino.query(query)).fold({}, (result, before) => {
    if (result.columns) {
      shown.columns = result.columns.map((column) => [column.name, column.type]);
    }
    shown.rows.push(...(result.data ?? []));
    return result.error ? { ...before, error: result.error } : before;
  });
  return last.error ? { error: last.error.errorName, code: last.error.errorCode } : shown;
}

const shown = [];
for (const query of [
  "SELECT n_name, n_nationkey FROM nation WHERE n_nationkey < 3 ORDER BY 1",
  "SELECT 1, 1.5, 9007199254740993, 'ü', DATE '2024-02-29', ARRAY[1, NULL], CAST(ROW(1, 'x') AS row(a integer, b varchar)), true, NULL",
  { query: "EXECUTE named USING 4", extraHeaders: { "X-Trino-Prepared-Statement": "named=SELECT+n_name+FROM+nation+WHERE+n_nationkey+%3D+%3F" } },
  "SELECT nothing",
  "SHOW SCHEMAS FROM tpch LIKE 't%'",
]) {
  shown.push(await run(query));
}
const rows = await run("SELECT l_orderkey, l_comment FROM lineitem ORDER BY l_orderkey, l_linenumber");
shown.push([rows.rows.length, rows.rows[60_000]]);

// Its iterator gives nothing before there are rows: the id is that of its first answer.
const slow = await trino.query(task.slow);
const ended = slow.next();
await new Promise((resolve) => setTimeout(resolve, 2000));
const begun = Date.now();
await trino.cancel(slow.iter.queryResult.id);
const { value } = await ended;
shown.push({ canceled: value.error?.errorName, "within two seconds": Date.now() - begun < 2000 });
process.stdout.write(JSON.stringify(shown));
