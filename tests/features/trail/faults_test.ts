/** A full disk, a folder that is read-only, readers that stop reading, and a service that is killed while it exports. */

import { expect } from "expect";
import { join } from "node:path";
import { createLog } from "../../../src/core/log.ts";
import { AUDIT_LIMITS, AuditFile } from "../../../src/features/trail/audit_file.ts";
import { OperationLog } from "../../../src/features/trail/operation_log.ts";
import { testApp } from "../../support/client.ts";
import { type RunningCommand, startCommand } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { fillBut } from "../../support/full_disk.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { bindReadOnly, cannotMount, mountSmall } from "../filesystem/mounts.ts";

const ignore = await cannotMount();

/** An app whose operations are written to `audit.jsonl` in the folder. */
function openAudited(folder: string) {
  const path = join(folder, "audit.jsonl");
  const app = testApp({ config: { auditFile: path } });
  const logged: string[] = [];
  const audit = new AuditFile(
    app.session,
    path,
    { ...AUDIT_LIMITS, retryMs: 20 },
    createLog((line) => logged.push(line)),
  );
  return {
    app,
    audit,
    logged,
    async move(x: number) {
      expect((await app.post("/api/mouse/move", { x, y: 1 })).status).toBe(204);
      await app.session.use(OperationLog).flush();
    },
    async xs(): Promise<number[]> {
      const texts = [`${path}.old`, path].map((each) => Deno.readTextFile(each).catch(() => ""));
      const lines = (await Promise.all(texts)).join("").split("\n").slice(0, -1);
      return lines.flatMap((line) => JSON.parse(line).fields?.x ?? []);
    },
    async [Symbol.asyncDispose]() {
      await audit[Symbol.asyncDispose]();
      await app.session[Symbol.asyncDispose]();
    },
  };
}

type Audited = ReturnType<typeof openAudited>;

/** While it lasts nothing is held up; afterwards each line is there once. */
async function expectNoneLost(
  { audit, logged, move, xs }: Audited,
  why: RegExp,
  trouble: () => Promise<AsyncDisposable>,
): Promise<void> {
  let last = 0;
  await move(++last);
  await waitFor(async () => (await xs()).length === 1);
  {
    await using _trouble = await trouble();
    await waitFor(async () => {
      await move(++last); // the last page of a file on a full disk still takes some
      return !audit.state.ready;
    });
    expect(audit.state.reason).toMatch(why);
    for (let more = 0; more < 5; more++) await move(++last);
  }
  await waitFor(() => audit.state.ready);
  await move(++last);
  await waitFor(async () => (await xs()).at(-1) === last);
  expect(await xs()).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  expect(logged.filter((line) => line.includes("not written"))).toHaveLength(1);
}

Deno.test({
  name: "the audit file on a full disk is said once, holds up nothing, and loses no line",
  ignore,
  async fn() {
    await using disk = await mountSmall("64k");
    await using audited = openAudited(disk.folder);
    await expectNoneLost(audited, /No space/, () => fillBut(disk.folder, 0));
  },
});

Deno.test({
  name:
    "what another program writes into the audit file stays there when the disk is full, and no line is lost",
  ignore,
  async fn() {
    await using disk = await mountSmall("64k");
    await using audited = openAudited(disk.folder);
    const path = join(disk.folder, "audit.jsonl");
    const note = '{"event":"a note of another program"}\n';
    await expectNoneLost(audited, /No space/, async () => {
      await Deno.writeTextFile(path, note, { append: true });
      return await fillBut(disk.folder, 0);
    });
    expect(await Deno.readTextFile(path)).toContain(note);
  },
});

Deno.test({
  name: "the audit file in a folder that is read-only for a while loses no line",
  ignore,
  async fn() {
    await using folder = await testFolder();
    await using audited = openAudited(folder.path);
    await expectNoneLost(audited, /[Rr]ead-only/, async () => {
      const path = join(folder.path, "audit.jsonl");
      await Deno.rename(path, `${path}.old`); // an open file could be written all the same
      return await bindReadOnly(folder.path);
    });
  },
});

Deno.test({
  name: "an export to a disk with room for each number of pages is there completely or not at all",
  ignore,
  async fn() {
    await using disk = await mountSmall("256k");
    await using state = await testFolder();
    const app = testApp({
      platform: { size: { width: 64, height: 48 } },
      config: { stateDir: state.path },
    });
    await using _session = app.session;
    await app.post("/api/trail/start", { trees: false });
    for (let x = 0; x < 20; x++) await app.post("/api/mouse/move", { x, y: 1 });
    const names = () => [...Deno.readDirSync(disk.folder)].map(({ name }) => name).sort();
    const path = join(disk.folder, "export");
    const statuses = new Set<number>();
    for (let pages = 0; !statuses.has(200); pages++) {
      await using _full = await fillBut(disk.folder, pages);
      const { status, json } = await app.post("/api/trail/export", { format: "atif", path });
      statuses.add(status);
      expect([pages, names()]).toEqual([pages, status === 200 ? ["export", "filler"] : ["filler"]]);
      if (status !== 200) {
        expect([status, json.detail]).toEqual([503, expect.stringMatching(/space/)]);
      }
    }
    expect([...statuses]).toEqual([503, 200]);
    const { steps } = JSON.parse(await Deno.readTextFile(join(path, "trajectory.json")));
    expect(steps.length).toBe(21);
  },
});

Deno.test("a service that is killed while it exports leaves nothing at the place, and the next one tidies up and exports there", async () => {
  await using folder = await testFolder();
  await using server = await startXvfb();
  const path = join(folder.path, "export");
  const flags = ["--display", `1=${server.display}`, "--state-dir", join(folder.path, "state")];
  const names = () =>
    [...Deno.readDirSync(folder.path)].map(({ name }) => name).filter((name) => name !== "state");
  let partial = 0;
  for (let round = 0; round < 3; round++) {
    await using service = await startCommand(flags);
    await record(service);
    const exporting = service.post("/api/trail/export", { format: "atif", path }).catch(() => {});
    await waitFor(() => names().length > 0, { everyMs: 0, what: "the beginning of the export" });
    await service.kill();
    await exporting;
    const left = names();
    partial += left.filter((name) => /^\.export\.\w+\.tmp$/.test(name)).length;
    if (left.includes("export")) {
      expect(stepsIn(path)).toBe(STEPS);
      await Deno.remove(path, { recursive: true });
    }
  }
  expect(partial).toBeGreaterThan(0);
  await using service = await startCommand(flags);
  expect(names()).toEqual([]);
  await record(service);
  const exported = await service.post("/api/trail/export", { format: "atif", path });
  expect([exported.status, await exported.text()]).toEqual([200, expect.anything()]);
  expect(names()).toEqual(["export"]);
  expect(stepsIn(path)).toBe(STEPS);
});

Deno.test("of two services that export to one path at the same time one has it all, and the other is refused", async () => {
  await using folder = await testFolder();
  await using server = await startXvfb();
  const flags = (name: string) => {
    const stateDir = join(folder.path, name);
    return ["--display", `1=${server.display}`, "--state-dir", stateDir];
  };
  await using one = await startCommand(flags("one"));
  await using other = await startCommand(flags("other"));
  for (const service of [one, other]) await record(service);
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(folder.path, `round-${round}`);
    const answers = await Promise.all([one, other].map(async (service) => {
      const answer = await service.post("/api/trail/export", { format: "atif", path });
      const { code = "done" } = await answer.json();
      return code;
    }));
    expect([round, ...answers.sort()]).toEqual([round, "already_exists", "done"]);
    expect(stepsIn(path)).toBe(STEPS);
    const { steps } = JSON.parse(await Deno.readTextFile(join(path, "trajectory.json")));
    const named: readonly string[] = steps.flatMap(
      // deno-lint-ignore no-explicit-any -- JSON
      ({ extra: { trail: { pictures = {} } } }: any) => Object.values(pictures),
    );
    const there = (await namesIn(join(path, "images"))).map((name) => `images/${name}`);
    expect(there.sort()).toEqual([...new Set(named)].sort());
  }
  expect((await namesIn(folder.path)).filter((name) => name.startsWith("."))).toEqual([]);
});

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

const ROUNDS = 10;
const STEPS = 40;

/** Records so many steps, each with another picture: their export takes its time. */
async function record(service: RunningCommand): Promise<void> {
  const call = async (path: string, body: object) => {
    const answer = await service.post(`/api/${path}`, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  };
  await call("trail/start", { trees: false });
  for (let x = 1; x <= STEPS; x++) await call("mouse/move", { x: 10 * x, y: 100 });
}

function stepsIn(path: string): number {
  return JSON.parse(Deno.readTextFileSync(join(path, "trajectory.json"))).steps.length - 1;
}

Deno.test("99 readers that stop reading are cut off, hold up nobody, and the one that reads gets everything", async () => {
  await using server = await startXvfb();
  await using service = await startCommand(["--display", `1=${server.display}`]);
  const { hostname, port } = new URL(service.address);
  const readEvents = async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(encode(`GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`));
    await connection.read(new Uint8Array(64)); // the beginning of the answer, and no more
    return connection;
  };
  await using closing = new AsyncDisposableStack();
  for (let count = 0; count < 99; count++) {
    const connection = await readEvents();
    closing.defer(() => connection.close());
  }
  const reading = await fetch(`${service.address}/api/events?types=operation`);
  expect(reading.status).toBe(200);
  const isFull = async () => {
    const answer = await fetch(`${service.address}/api/events`);
    await answer.body!.cancel();
    return answer.status === 503;
  };
  expect(await isFull()).toBe(true);
  let [seen, sent] = [0, 0];
  const counting = (async () => { // it ends with the service
    let rest = "";
    for await (const text of reading.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split("\n\n");
      rest = events.pop()!;
      seen += events.filter((each) => each.includes('"operation":"filesystem.mkdir"')).length;
    }
  })().catch((error) => console.log(String(error), { seen, sent }));
  await waitFor(async () => {
    await Promise.all(Array.from({ length: 100 }, async () => {
      await (await service.post("/api/filesystem/mkdir", { path: `/dev/null/${"x".repeat(180)}` }))
        .text();
      sent++;
    }));
    return !await isFull();
  }, { timeoutMs: 300_000, what: "the first of those that do not read to be cut off" });
  await waitFor(() => seen === sent, { what: "all events" });
  await service.kill();
  await counting;
});

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
