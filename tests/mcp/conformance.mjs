// Runs scenarios of the protocol's conformance suite against a server: `node conformance.mjs URL TOKEN SCENARIO…`. What each came
// to goes to standard output as a line.
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";

import { startProxy } from "./proxy.mjs";

const folder = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const suite = path.join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
// The suite asks for a newer Node.js than a machine may have.
const node = path.join(folder, "node_modules/node/bin/node");

const [target, token, ...scenarios] = process.argv.slice(2);
if (scenarios.length === 0) {
  const listed = spawnSync(node, [suite, "list", "--server"], { encoding: "utf8" });
  process.stdout.write(listed.stdout);
  process.exit(listed.status);
}
const { url, server } = await startProxy(target, token);
for (const scenario of scenarios) {
  const run = spawn(node, [suite, "server", "--url", url, "--scenario", scenario]);
  let told = "";
  run.stdout.on("data", (data) => (told += data));
  run.stderr.on("data", (data) => (told += data));
  const status = await new Promise((resolve) => run.on("close", resolve));
  console.log(`${scenario}: ${status === 0 ? "passed" : `failed\n${told}`}`);
}
server.close();
