/** display/wait for files and processes: real ones, while they come, change, go and are replaced. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { holdingUpNobody } from "../../support/turns.ts";
import { waitFor } from "../../support/wait.ts";
import { LONG_MS, startWorld } from "./waiting_elsewhere.ts";

Deno.test("wait for a file answers when it exists, also below folders that are not there yet", async () => {
  await using world = await startWorld();
  const path = world.path("new/er/file.txt");
  const waiting = world.wait({ file: { path } });
  expect(await world.isOpen(waiting)).toBe(true);
  await Deno.mkdir(world.path("new"));
  await Deno.writeTextFile(world.path("new/er"), "a file in the place of the folder");
  expect(await world.isOpen(waiting)).toBe(true);
  await Deno.remove(world.path("new/er"));
  await Deno.mkdir(world.path("new/er"));
  expect(await world.isOpen(waiting)).toBe(true);
  await Deno.writeTextFile(path, "");
  expect((await waiting).status).toBe("found");
  for (const kind of ["new", "link"]) {
    if (kind === "link") await Deno.symlink("nowhere", world.path("link"));
    expect((await world.wait({ file: { path: world.path(kind) } }, 0)).status).toBe("found");
  }
});

Deno.test("wait for a file that goes answers when nothing has its path", async () => {
  await using world = await startWorld();
  const path = world.path("lock");
  expect((await world.wait({ file: { path, state: "gone" } })).status).toBe("gone");
  await Deno.writeTextFile(path, "");
  const waiting = world.wait({ file: { path, state: "gone" } });
  expect(await world.isOpen(waiting)).toBe(true);
  await Deno.writeTextFile(world.path("other"), "");
  await Deno.rename(world.path("other"), path); // replaced, and never gone
  expect(await world.isOpen(waiting)).toBe(true);
  await Deno.remove(path);
  expect((await waiting).status).toBe("gone");
});

Deno.test("wait for a text sees it appended, written over, and in a file that was made anew", async () => {
  await using world = await startWorld();
  const path = world.path("log");
  const wait = (contains: string, state?: string) =>
    world.wait({ file: { path, contains, state } });
  const appended = wait("Grüße: 漢字 😀");
  await Deno.writeTextFile(path, "Grüße: 漢");
  expect(await world.isOpen(appended)).toBe(true);
  await Deno.writeTextFile(path, "字 😀\n", { append: true });
  expect((await appended).status).toBe("found");

  const over = wait("after!");
  await Deno.writeTextFile(path, "before");
  expect(await world.isOpen(over)).toBe(true);
  await Deno.writeTextFile(path, "after!"); // of the same size
  expect((await over).status).toBe("found");

  const anew = wait("third");
  await Deno.remove(path);
  expect(await world.isOpen(anew)).toBe(true);
  await Deno.writeTextFile(path, "the third");
  expect((await anew).status).toBe("found");

  const gone = wait("third", "gone");
  expect(await world.isOpen(gone)).toBe(true);
  await Deno.writeTextFile(path, "the fourth");
  expect((await gone).status).toBe("gone");
});

Deno.test("wait for a text in an old file searches it once, and again when it changes", async () => {
  await using world = await startWorld();
  const path = world.path("old");
  await Deno.writeTextFile(path, "a".repeat(3 << 20));
  const hour = new Date(Date.now() - 3_600_000);
  await Deno.utime(path, hour, hour);
  const waiting = world.wait({ file: { path, contains: "needle" } });
  expect(await world.isOpen(waiting)).toBe(true);
  await Deno.writeTextFile(path, "needle", { append: true });
  await Deno.utime(path, hour, hour); // hides the change from those who look at the time alone
  expect((await waiting).status).toBe("found");
});

Deno.test("wait for a text refuses what cannot be searched, and blocks nobody", async () => {
  await using world = await startWorld();
  const fifo = world.path("fifo");
  await new Deno.Command("mkfifo", { args: [fifo] }).output();
  const search = (path: string) => ({ file: { path, contains: "x" } });
  expect(await world.refused(400, search(fifo))).toContain("FIFO");
  expect(await world.refused(400, search("/dev/zero"))).toContain("device");
  expect(await world.refused(400, search(world.path(".")))).toContain("folder");
  const huge = world.path("huge");
  await Deno.writeTextFile(huge, "");
  await Deno.truncate(huge, 10 * 2 ** 30);
  expect(await world.refused(413, search(huge))).toContain("more than 67108864 bytes");
  expect((await world.wait({ file: { path: fifo } }, 0)).status).toBe("found");
  expect((await world.wait({ file: { path: "/proc/self/status", contains: "Threads:" } })).status)
    .toBe("found");
  for (const path of ["", "a\0b"]) {
    const detail = await world.refused(422, { file: { path } });
    expect(detail).toContain('["body","until","file","path"]');
  }
  expect(await world.refused(422, { file: { path: "a", state: "there" } }))
    .toContain('["body","until","file","state"]');
  expect(await world.refused(422, { process: { pid: 0 } }))
    .toContain('["body","until","process","pid"]');
});

Deno.test("wait for a text in 60 MB of one letter leaves others their time", async () => {
  await using world = await startWorld();
  const path = world.path("letters");
  await Deno.writeFile(path, new Uint8Array(60_000_000).fill(97));
  const text = `${"a".repeat(999)}b`;
  const wait = () => world.wait({ file: { path, contains: text } }, 1_000);
  expect((await holdingUpNobody(wait)).status).toBe("timeout");
  await Deno.writeTextFile(path, "b", { append: true });
  expect((await world.wait({ file: { path, contains: text } })).status).toBe("found");
});

Deno.test("waits for files and processes end at their time, and with their client", async () => {
  await using world = await startWorld();
  const conditions = [
    { file: { path: world.path("never") } },
    { file: { path: world.path("never"), contains: "x" } },
    { process: { pid: Deno.pid } },
  ];
  for (const until of conditions) {
    for (const timeout of [0, 60]) {
      expect((await world.wait(until, timeout)).status).toBe("timeout");
    }
    const client = new AbortController();
    const answer = fetch(`${world.service.listen()}/api/display/wait`, {
      method: "POST",
      signal: client.signal,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ until, timeout_ms: LONG_MS }),
    });
    const gone = expect(answer).rejects.toThrow();
    client.abort();
    await gone;
  }
  await waitFor(async () => (await world.wait(conditions[0], 0)).status === "timeout");
});

Deno.test("wait for a file needs no display, and the group filesystem", async () => {
  const path = "/proc/self/status";
  const until = { file: { path } };
  const bare = testApp({ platform: { displays: [] } });
  expect((await bare.post("/api/display/wait", { until })).json.status).toBe("found");
  const off = testApp({ config: { disabled: new Set(["filesystem"]) } });
  const refused = await off.post("/api/display/wait", { until });
  expect([refused.status, refused.json.detail])
    .toEqual([403, 'The group "filesystem" is disabled by --disable']);
  const follows = await bare.post("/api/display/wait", { until: { process: { pid: 1 } } });
  expect(follows.status).toBe(501);
});
