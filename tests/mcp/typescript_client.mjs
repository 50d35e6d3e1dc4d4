// The documented flow with the official SDK in TypeScript: what it saw goes to standard output as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const task = JSON.parse(process.argv[2]);
const transport = task.command
  ? new StdioClientTransport({ command: task.command[0], args: task.command.slice(1) })
  : new StreamableHTTPClientTransport(new URL(task.url), {
      requestInit: { headers: { authorization: `Bearer ${task.token}` } },
    });
const client = new Client({ name: "rowhouse-tests", version: "1.0.0" });
await client.connect(transport);
const called = (result) => ({
  isError: result.isError ?? false,
  structured: result.structuredContent ?? null,
  text: result.content.filter((block) => block.type === "text").map((block) => block.text),
});
const refused = async (call) => {
  try {
    await call();
    return null;
  } catch (error) {
    return error.code ?? String(error);
  }
};
const { tools } = await client.listTools();
const seen = {
  version: transport.protocolVersion ?? null,
  server: client.getServerVersion().name,
  tools: Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      { input: tool.inputSchema, title: tool.title, readOnly: tool.annotations.readOnlyHint },
    ]),
  ),
  calls: [],
  read: [],
};
for (const [name, args] of task.calls) {
  seen.calls.push(called(await client.callTool({ name, arguments: args })));
}
seen.resources = (await client.listResources()).resources.map((resource) => resource.uri);
seen.templates = (await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate);
for (const uri of task.read) {
  seen.read.push(JSON.parse((await client.readResource({ uri })).contents[0].text));
}
seen.unknown = [
  await refused(() => client.callTool({ name: "no_such_tool", arguments: {} })),
  await refused(() => client.readResource({ uri: "rowhouse://no/such/thing" })),
];
// The client gives up, and says so.
const patience = new AbortController();
setTimeout(() => patience.abort(), 2000);
const [name, args] = task.slow;
seen.canceled = (await refused(() => client.callTool({ name, arguments: args }, undefined, { signal: patience.signal }))) !== null;
await client.close();
console.log(JSON.stringify(seen));
