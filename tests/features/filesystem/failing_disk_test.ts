/**
 * Each call to the kernel that concerns files fails once in its thread, the first, the second and so on, while an
 * operation runs: the answer is documented, a file is the old or the new one, and the next operation works.
 */

import { expect } from "expect";
import { type RunningCommand, startCommand } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { lineReader } from "../../support/lines.ts";
import { succeeds, unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

/** Not `read` and `write`: those serve connections and wake threads, too. */
const CALLS = "openat,?openat2,?statx,newfstatat,fstat,fsync,fdatasync,ftruncate,rename,renameat," +
  "renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,getdents64,fchmod,fchmodat,fchown,fchownat," +
  "copy_file_range,flock,utimensat,pread64,pwrite64";
const ERRORS = ["EIO", "ENOSPC"];
const OLD = "First line\nSecond line\n";
const LARGE = OLD.padEnd(200_000, "x\n");

interface Case {
  readonly path: string;
  /** With `DIR` for the folder of the round. */
  readonly body: object;
  /** What the folder has then, by name; before, it has `a.txt` and `large.txt`. */
  readonly after: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
  { path: "filesystem/read", body: { path: "DIR/a.txt" }, after: {} },
  { path: "filesystem/list", body: { path: "DIR" }, after: {} },
  { path: "filesystem/search", body: { root_path: "DIR", pattern: "*.txt" }, after: {} },
  { path: "editor/view", body: { path: "DIR/a.txt" }, after: {} },
  {
    path: "filesystem/write",
    body: { path: "DIR/b.txt", content: "new" },
    after: { "b.txt": "new" },
  },
  {
    path: "filesystem/write",
    body: { path: "DIR/a.txt", content: "new", overwrite: true },
    after: { "a.txt": "new" },
  },
  {
    path: "editor/str-replace",
    body: { path: "DIR/a.txt", old_str: "Second", new_str: "2nd" },
    after: { "a.txt": OLD.replace("Second", "2nd") },
  },
  {
    path: "editor/str-replace",
    body: { path: "DIR/large.txt", old_str: "Second", new_str: "2nd" },
    after: { "large.txt": LARGE.replace("Second", "2nd") },
  },
  { path: "editor/create", body: { path: "DIR/b.txt", file_text: "b" }, after: { "b.txt": "b" } },
  {
    path: "filesystem/copy",
    body: { source: "DIR/a.txt", destination: "DIR/b.txt" },
    after: { "b.txt": OLD },
  },
  {
    path: "filesystem/move",
    body: { source: "DIR/a.txt", destination: "DIR/b.txt" },
    after: { "a.txt": "", "b.txt": OLD },
  },
  {
    path: "filesystem/move",
    body: { source: "DIR/a.txt", destination: "DIR/large.txt", overwrite: true },
    after: { "a.txt": "", "large.txt": OLD },
  },
  {
    path: "editor/insert",
    body: { path: "DIR/a.txt", text: "Title\n", insert_line: 1 },
    after: { "a.txt": `Title\n${OLD}` },
  },
  {
    path: "editor/apply-patch",
    body: { path: "DIR/a.txt", diff: "@@\n First line\n-Second line\n+2nd line\n" },
    after: { "a.txt": OLD.replace("Second", "2nd") },
  },
  { path: "filesystem/delete", body: { path: "DIR/a.txt" }, after: { "a.txt": "" } },
];

const ignore = unless(
  Deno.build.os === "linux" && Deno.uid() === 0 && await succeeds("strace", ["true"]),
  "only root follows a service, and only where strace can trace",
);

Deno.test({
  name: "whichever call to the kernel fails, a file is the old or the new one",
  ignore,
  async fn(test) {
    await using folder = await testFolder();
    const args = ["--no-setup", "--display", ":65535", "--state-dir", `${folder.path}/state`];
    let failures = 0;
    {
      await using service = await startCommand(args);
      for (const [at, each] of CASES.entries()) {
        await test.step(`${each.path} ${JSON.stringify(each.body)}`, async () => {
          await runCase(service, each, `${folder.path}/${at}`); // what is loaded later is loaded now
          for (const error of ERRORS) {
            for (let nth = 1;; nth++) {
              const fault = `error=${error}:when=${nth}`;
              const dir = `${folder.path}/${at}-${error}-${nth}`;
              const failed = await runCase(service, each, dir, fault);
              if (failed === 0) break;
              failures += failed;
            }
          }
        });
      }
    }
    expect(failures).toBeGreaterThan(30);
    await test.step("the next start removes what could not be removed", async () => {
      const left = () => Array.from(temporaryFiles(folder.path));
      expect(left().length).toBeGreaterThan(0);
      await using _again = await startCommand(args);
      // where it is not known which file is in place, the other stays beside it
      const whole = new Set([OLD, LARGE, ...CASES.flatMap(({ after }) => Object.values(after))]);
      const isWhole = (file: string) => whole.has(Deno.readTextFileSync(file));
      await waitFor(() => left().every(isWhole), { what: "the end of the temporary files" });
    });
  },
});

function* temporaryFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* temporaryFiles(`${folder}/${name}`);
    else if (name.endsWith(".tmp")) yield `${folder}/${name}`;
  }
}

/** @returns how many calls have failed */
async function runCase(
  service: RunningCommand,
  { path, body, after }: Case,
  dir: string,
  fault?: string,
): Promise<number> {
  await Deno.mkdir(dir);
  const before = { "a.txt": OLD, "large.txt": LARGE };
  for (const [name, text] of Object.entries(before)) {
    await Deno.writeTextFile(`${dir}/${name}`, text);
  }
  const sent = JSON.parse(JSON.stringify(body).replaceAll("DIR", dir));
  const call = async () => {
    const response = await service.post(`/api/${path}`, sent);
    return { status: response.status, text: await response.text() };
  };
  const wanted = sorted(Object.entries({ ...before, ...after }).filter(([, text]) => text !== ""));
  let failed: readonly string[] = [];
  if (fault !== undefined) {
    await using faults = await failCalls(service.pid, fault, `${dir}.log`);
    const { status, text } = await call();
    failed = await faults.end();
    const why = `${fault}: ${failed.join("; ")} -> ${status} ${text}`;
    if (![200, 204, 503].includes(status)) {
      throw new Error(why);
    }
    const now = await contentOf(dir);
    const isNew = JSON.stringify(now) === JSON.stringify(wanted);
    const isOld = JSON.stringify(now) === JSON.stringify(before);
    if (!isOld && !isNew) throw new Error(`${why}: ${Object.keys(now)}`);
    if (status < 300 && !isNew) throw new Error(`${why}: nothing was done`);
    if (isNew && !isOld) return failed.length;
  }
  const { status, text } = await call();
  expect([path, status < 300, text, failed]).toEqual([path, true, text, failed]);
  expect(await contentOf(dir)).toEqual(wanted);
  return failed.length;
}

async function contentOf(dir: string): Promise<Record<string, string>> {
  const names = (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name);
  const kept = names.filter((name) => !name.endsWith(".tmp")); // the journal has the others
  const texts = await Promise.all(kept.map((name) => Deno.readTextFile(`${dir}/${name}`)));
  return sorted(kept.map((name, at) => [name, texts[at]!]));
}

function sorted(files: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(files.toSorted(([one], [other]) => one < other ? -1 : 1));
}

/** From now on calls of the process fail; `end` says which have. */
async function failCalls(pid: number, fault: string, log: string) {
  const child = new Deno.Command("strace", {
    args: ["-f", "-p", String(pid), "-o", log, "-e", `inject=${CALLS}:${fault}`],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const lines = lineReader(child.stderr);
  const first = await lines.next();
  if (!first?.includes("attached")) throw new Error(`strace: ${first}`);
  const stop = async () => {
    try {
      child.kill("SIGINT");
    } catch {
      // it has ended
    }
    await child.status;
  };
  return {
    async end(): Promise<string[]> {
      await stop();
      const text = await Deno.readTextFile(log);
      return text.split("\n").filter((line) => line.includes("INJECTED"))
        .map((line) => line.replace(/^\d+\s+/, "").replace(/ \(INJECTED\)/, ""));
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await lines.rest();
    },
  };
}
