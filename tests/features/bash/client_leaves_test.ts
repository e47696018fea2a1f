/** Clients that go away while a command runs, waits or is read. */

import { expect } from "expect";
import { serveApp } from "../../support/client.ts";
import { startShell } from "../../support/shell.ts";
import { waitFor } from "../../support/wait.ts";
import { Shell } from "../../../src/features/bash/shell.ts";

function post(url: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/api/bash/command`, {
    ...{ method: "POST", headers, body: JSON.stringify(body), signal },
  }).then((answer) => answer.text()).catch(() => "left");
}

Deno.test("a command whose client leaves goes on in the background", async () => {
  await using shell = startShell();
  await using served = serveApp(shell.app);
  const client = new AbortController();
  const go = await Deno.makeTempFile();
  const command = `echo one; while [ -e ${go} ]; do sleep 0.02; done; echo two`;
  const answer = post(served.url, { command, timeout: 3600 }, client.signal);
  const { pid } = await waitFor(async () => (await shell.list())[0], { what: "the command" });
  client.abort();
  expect(await answer).toBe("left");
  await waitFor(() => shell.app.session.use(Shell).find(pid).remembered, {
    what: "the end to be seen",
  });
  await Deno.remove(go);
  expect(await shell.completed(pid)).toMatchObject({ output: "one\ntwo\n", exit_code: 0 });
});

Deno.test("a command that waits for its place is not started when its client leaves", async () => {
  await using shell = startShell({ limits: { maxCommands: 1 } });
  await using served = serveApp(shell.app);
  const folder = await Deno.makeTempDir();
  const first = await shell.start("sleep 1000");
  const client = new AbortController();
  const left = post(served.url, { command: `touch ${folder}/left` }, client.signal);
  const stays = shell.run(`ls ${folder}; echo stays`);
  await waitFor(() => shell.app.session.use(Shell).waiting === 2, { what: "both to wait" });
  client.abort();
  expect(await left).toBe("left");
  await waitFor(() => shell.app.session.use(Shell).waiting === 1, { what: "one to leave" });
  await shell.terminate(first);
  expect((await stays).output).toBe("stays\n");
  expect(await shell.list("?all=true")).toMatchObject([{ pid: first }]);
});

Deno.test("a long poll ends when its client leaves, and its process goes on", async () => {
  await using shell = startShell();
  const pid = await shell.start("sleep 1000");
  const client = new AbortController();
  const url = `http://localhost/api/bash/process/${pid}/output?wait_ms=60000`;
  const headers = { host: "localhost" };
  const poll = shell.app.fetch(new Request(url, { signal: client.signal, headers }));
  client.abort();
  expect((await poll).status).toBe(499);
  expect(await shell.list()).toMatchObject([{ pid, status: "running" }]);
});
