// Rows under an operator's cap.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, Client } from "../src/api/client.ts";

/** Answers as a server of 25 rows does that gives at most `cap` at a time. */
function serve(cap: number): string[] {
  const asked: string[] = [];
  globalThis.fetch = async (address) => {
    const query = new URL(String(address)).searchParams;
    const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
    asked.push(`${limit}@${offset}`);
    if (limit > cap) {
      const body = { code: "INVALID_ARGUMENTS", message: "too many", requestId: "r", details: { maxPageRows: cap } };
      return new Response(JSON.stringify(body), { status: 400 });
    }
    const rows = Array.from({ length: Math.max(0, Math.min(limit, 25 - offset)) }, (_, row) => [offset + row]);
    return new Response(JSON.stringify({ result: rows, columns: [], rowCount: 25 }));
  };
  return asked;
}

test("rows come whole, in as many requests as the cap wants, and the cap is remembered", async () => {
  const asked = serve(10);
  const client = new Client("token", () => undefined);
  const page = await client.rows("w", "q", 200, 3);
  assert.deepEqual(page.result.map(([value]) => value), Array.from({ length: 22 }, (_, row) => row + 3));
  assert.deepEqual(asked, ["200@3", "10@3", "10@13", "10@23"]);
  asked.length = 0;
  assert.equal((await client.rows("w", "q", 5, 0)).result.length, 5);
  assert.deepEqual(asked, ["5@0"]);
});

test("a cap of nothing is an error, not an endless question", async () => {
  serve(0);
  await assert.rejects(new Client("token", () => undefined).rows("w", "q", 5, 0), ApiError);
});
