/**
 * The audit file and an export, while each call to the file system fails once, or the disk fails from there on: an
 * export is there completely or not at all, and no line is lost, doubled or torn.
 */

import { expect } from "expect";
import { createLog } from "../../src/core/log.ts";
import { isThere } from "../../src/core/files.ts";
import { ANYONE } from "../../src/features/actor.ts";
import { Files } from "../../src/features/filesystem/files.ts";
import { AUDIT_LIMITS, AuditFile } from "../../src/features/trail/audit_file.ts";
import { OperationLog } from "../../src/features/trail/operation_log.ts";
import { type ExportFile, writeExport } from "../../src/features/trail/trajectory/exports.ts";
import { testApp } from "../support/client.ts";
import { waitFor } from "../support/wait.ts";
import { testEach } from "./failing_files.ts";

const PICTURE = new Uint8Array(9_000).fill(7);
const FILES: readonly ExportFile[] = [
  { name: "images/0001-before.jpg", parts: [PICTURE] },
  { name: "images/0001-after.jpg", parts: [new Uint8Array(5)] },
  { name: "trajectory.json", parts: ["{", "}\n"] },
];
const ENTRIES = [
  ...["images", "images/0001-after.jpg", "images/0001-before.jpg", "trajectory.json"],
];

testEach("an export is there completely or not at all", 60, async (folder, failing) => {
  const path = `${folder}/export`;
  await using session = testApp({ config: { stateDir: `${folder}/state` } }).session;
  const { signal } = new AbortController();
  const write = async () => {
    const writing = await session.use(Files).writing();
    await writeExport(path, FILES, { writing, signal });
  };
  const isDone = await failing(write);
  if (await isThere(path)) expect(entriesOf(path)).toEqual(ENTRIES);
  else {
    expect(isDone).toBe(false);
    await write();
  }
  expect(await Deno.readFile(`${path}/images/0001-before.jpg`)).toEqual(PICTURE);
});

testEach("the audit file has each line once", 60, async (folder, failing) => {
  const path = `${folder}/audit.jsonl`;
  const app = testApp({ config: { auditFile: path } });
  await using _session = app.session;
  const operations = app.session.use(OperationLog);
  const note = async (x: number) => {
    const call = { id: "moveMouse", group: "mouse", method: "POST", readOnly: false } as const;
    app.session.noteCall!({ ...call, path: "/api/mouse/move" }, { x }, { actor: ANYONE })!.end();
    await operations.flush();
  };
  const written = () =>
    entriesOf(folder).reverse() // audit.jsonl.2, audit.jsonl.1, audit.jsonl
      .flatMap((name) => Deno.readTextFileSync(`${folder}/${name}`).split("\n").slice(0, -1))
      .map((line) => JSON.parse(line).fields?.x);
  const limits = { ...AUDIT_LIMITS, maxBytes: 600, retryMs: 1 };
  {
    await using audit = new AuditFile(app.session, path, limits, createLog(() => {}));
    await failing(async () => {
      for (let x = 1; x <= 6; x++) {
        await note(x);
        await waitFor(() => written().includes(x) || !audit.state.ready, { everyMs: 0 });
      }
    });
    await note(7);
    await waitFor(() => audit.state.ready);
  }
  expect(written()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

/** The paths of all that is in a folder, and nothing hidden. */
function entriesOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => [
    name,
    ...isDirectory ? entriesOf(`${folder}/${name}`).map((each) => `${name}/${each}`) : [],
  ]).sort();
}
