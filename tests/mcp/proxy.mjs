// Hands requests on to a server with a token of its own, because the conformance suite sends none: `Host`, `Origin` and all other
// headers stay as they are.
import http from "node:http";

/** Where it listens, once it does. */
export function startProxy(target, token) {
  const { hostname, port, pathname } = new URL(target);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const sent = http.request({ hostname, port, path: pathname, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    response.on("close", () => sent.destroy());
    request.pipe(sent);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ url: `http://127.0.0.1:${server.address().port}/mcp`, server }));
  });
}
