/** Pages of other origins in a real browser: whatever they try is refused, and they read nothing. */

import { expect } from "expect";
import { startServer } from "../../src/http/connections/server.ts";
import { testApp } from "../support/client.ts";
import { succeeds, unless } from "../support/test_if.ts";
import { openAttackers } from "./support/attackers.ts";

const LIMITS = {
  max: 600,
  maxPerAddress: 600,
  headerMs: 9_000,
  bodyMs: 9_000,
  writeMs: 60_000,
  idleMs: 9_000,
};
/** The ways of a page whose requests arrive as they are, without a question before them. */
const DIRECT = ["get", "opaque", "plain", "image", "script", "frame", "form", "socket", "events"];
const isThere = await succeeds("chromium", ["--version"]);

Deno.test({
  name: "pages of other origins reach nothing, and an allowed one reads what it may",
  ignore: unless(isThere, "Chromium is not installed: deno task setup --for programs"),
  async fn(test) {
    await using attackers = await openAttackers();
    const app = testApp({
      config: { allowOrigins: [attackers.allowedOrigin], ignoreUnknownFields: true },
    });
    const answers: { by: string; how: string; method: string; status: number }[] = [];
    await attackers.ready();
    const options = { hostname: "127.0.0.1", port: attackers.port, limits: LIMITS };
    const server = startServer(options, async (request, caller) => {
      const response = await app.fetch(request, caller);
      const { searchParams } = new URL(request.url);
      const by = searchParams.get("by") ?? "";
      const how = searchParams.get("how") ?? "";
      answers.push({ by, how, method: request.method, status: response.status });
      return response;
    });
    const results = await (async () => {
      try {
        return await attackers.attack();
      } finally {
        await server.shutdown();
      }
    })();
    const of = (by: string) => answers.filter((answer) => answer.by === by);

    for (const by of ["cross-site", "same-site", "null", "rebound"]) {
      await test.step(`the page "${by}" is refused whatever it does`, () => {
        expect(of(by).filter(({ status }) => status !== 403)).toEqual([]);
        expect(of(by).map(({ how }) => how)).toEqual(expect.arrayContaining([...DIRECT, "json"]));
      });
      await test.step(`the page "${by}" reads nothing`, () => {
        const got = results.get(by)!;
        expect(JSON.stringify(got)).not.toContain("PNG");
        expect(got["image"]).toEqual({ error: "load" });
        expect(got["script"]).toEqual({ error: "load" });
        expect([got["socket"], got["events"]]).toEqual([{ error: "channel" }, {
          error: "channel",
        }]);
      });
    }
    await test.step("the allowed page reads an answer and its headers", () => {
      const { get, json } = results.get("allowed")!;
      expect([get!["status"], json!["status"]]).toEqual([200, 204]);
      const headers = Object.keys(get!["headers"] as object);
      expect(headers).toEqual(expect.arrayContaining(["etag", "x-frame", "x-display", "x-scale"]));
    });
    await test.step("only the allowed page has moved the mouse", () => {
      const moves = answers.filter(({ method, status }) => method === "POST" && status === 204);
      expect(moves.map(({ by, how }) => [by, how])).toEqual([["allowed", "json"]]);
    });
  },
});
