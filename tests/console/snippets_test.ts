/** A call that is copied from the console is made again as it was, by programs that others wrote. */

import { expect } from "expect";
import { LANGUAGES, snippet } from "../../src/console/page/activity_panel.tsx";
import { run } from "../support/desktop.ts";
import { unless } from "../support/test_if.ts";

const ignore = unless(Deno.build.os === "linux", "it needs curl and Python");

/** How a person runs what was copied. */
const RUN: Readonly<Record<typeof LANGUAGES[number], (text: string) => Promise<unknown>>> = {
  curl: (text) => run("/bin/sh", ["-c", text]),
  Python: (text) => run("python3", ["-c", text]),
  TypeScript: (text) => run(Deno.execPath(), ["eval", "--ext=ts", text]),
};

/** The address of the page where there is none. */
const BASE = "http://127.0.0.1:4242/";
const ODD = `/tmp/it's "$HOME" \`id\` \\ 日本🙂\n.txt`;

const CASES = [
  {
    call: {
      ...{ method: "POST", path: "/api/filesystem/write", fields: { path: ODD, overwrite: true } },
      ...{ omitted: ["content"], desk: undefined },
    },
    asked: ["POST", "/api/filesystem/write"],
    body: { path: ODD, overwrite: true, content: "..." },
  },
  {
    call: {
      ...{ method: "GET", path: "/api/bash/process/{pid}/output", omitted: [] },
      ...{ fields: { pid: 7, offset: 3 }, desk: "alice" },
    },
    asked: ["GET", "/api/bash/process/7/output?offset=3&desk=alice"],
  },
  {
    call: {
      ...{ method: "GET", path: "/api/filesystem/info/{path}", fields: { path: "/a b/c'd" } },
      ...{ omitted: [], desk: undefined },
    },
    asked: ["GET", "/api/filesystem/info/%2Fa%20b%2Fc'd"],
  },
  {
    call: {
      ...{ method: "DELETE", path: "/api/bash/process/{pid}", fields: { pid: 7 } },
      ...{ omitted: [], desk: undefined },
    },
    asked: ["DELETE", "/api/bash/process/7"],
  },
];

for (const language of LANGUAGES) {
  Deno.test({
    name: `what is copied as ${language} makes the same call again`,
    ignore,
    async fn() {
      const seen: unknown[] = [];
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        async (request) => {
          const { pathname, search } = new URL(request.url);
          const body = await request.text();
          const type = request.headers.get("content-type");
          seen.push({
            asked: [request.method, pathname + search],
            ...body !== "" && { body: JSON.parse(body), type },
          });
          return new Response("{}");
        },
      );
      for (const { call } of CASES) {
        const text = snippet(language, call);
        await RUN[language](text.replaceAll(BASE, `http://127.0.0.1:${server.addr.port}/`));
      }
      expect(seen).toEqual(CASES.map(({ asked, body }) => ({
        asked,
        ...body && { body, type: "application/json" },
      })));
    },
  });
}
