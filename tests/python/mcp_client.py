"""The flow of a client of the Model Context Protocol, with the official SDK, over HTTP or over standard input and output, in
the versions with a handshake and in those without. What it saw goes to standard output as JSON."""

import asyncio
import json
import sys

import httpx2
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError


def called(result):
    return {
        "isError": result.is_error,
        "structured": result.structured_content,
        "text": [block.text for block in result.content if block.type == "text"],
        "links": [block.uri for block in result.content if block.type == "resource_link"],
    }


async def refused(call):
    try:
        await call
    except MCPError as error:
        return error.code
    return None


async def all_pages(method, name):
    found, cursor = [], None
    while True:
        page = await method(cursor=cursor)
        found += getattr(page, name)
        cursor = page.next_cursor
        if cursor is None:
            return found


async def flow(client, task):
    seen = {"version": client.session.protocol_version, "server": client.server_info.name}
    tools = await all_pages(client.list_tools, "tools")
    seen["tools"] = {
        tool.name: {"input": tool.input_schema, "title": tool.title, "readOnly": tool.annotations.read_only_hint}
        for tool in tools
    }
    seen["calls"] = [called(await client.call_tool(name, arguments)) for name, arguments in task["calls"]]
    resources = await all_pages(client.list_resources, "resources")
    seen["resources"] = [str(resource.uri) for resource in resources]
    templates = await all_pages(client.list_resource_templates, "resource_templates")
    seen["templates"] = [template.uri_template for template in templates]
    seen["read"] = []
    for uri in task["read"]:
        result = await client.read_resource(uri)
        seen["read"].append(json.loads(result.contents[0].text))
    seen["unknown"] = [
        await refused(client.call_tool("no_such_tool", {})),
        await refused(client.read_resource("rowhouse://no/such/thing")),
    ]
    if task.get("slow"):
        # The client gives up, and says so.
        slow = asyncio.ensure_future(client.call_tool(*task["slow"]))
        await asyncio.sleep(2)
        slow.cancel()
        try:
            await slow
        except (asyncio.CancelledError, MCPError):
            seen["canceled"] = True
    return seen


async def main():
    task = json.load(sys.stdin)
    if "command" in task:
        transport = stdio_client(StdioServerParameters(command=task["command"][0], args=task["command"][1:]))
        async with Client(transport, mode=task["mode"]) as client:
            seen = await flow(client, task)
    else:
        headers = {"authorization": f"Bearer {task['token']}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(task["url"], http_client=http)
            async with Client(transport, mode=task["mode"]) as client:
                seen = await flow(client, task)
    print(json.dumps(seen))


asyncio.run(main())
