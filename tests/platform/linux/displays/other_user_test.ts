/** The service as a plain user: `/proc` shows its private process to root alone, and sometimes hides it. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { linkDeno, type RunningCommand, startCommand } from "../../../support/command.ts";
import { testFolder } from "../../../support/folder.ts";
import { ownPlaces } from "../../../support/own_places.ts";
import { childrenOf, isRunning, membersOf } from "../../../support/processes.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const USER = 65_534;

const AS_USER = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", "--"];
/** Deno's modules may lie below the home of root, which nobody else may enter. */
const SHOW_MODULES =
  'mkdir -p "$HOME/deno" && mount --bind "$DENO_DIR" "$HOME/deno" && export DENO_DIR="$HOME/deno"';
/** Where users do not see processes of others, nor private ones of their own. */
const HIDE = "mount -t proc -o hidepid=2 proc /proc";

const PROCS = [
  { name: "an ordinary /proc", through: asUserAfter(SHOW_MODULES) },
  { name: "a /proc with hidepid", through: asUserAfter(`${SHOW_MODULES} && ${HIDE}`) },
];

for (const { name, through } of PROCS) {
  const test = testIf(
    Deno.build.os === "linux" && Deno.uid() === 0 && await canRead(through),
    "needs Linux, root, `setpriv`, the right to mount, and a checkout that others may read",
  );

  test(`on ${name} another user's service runs and follows every kind of command`, async () => {
    await using folder = await folderOfUser();
    await using service = await startCommand(
      ["--display", ":4095", "--no-setup"],
      { HOME: folder.path },
      through,
    );
    const run = (body: Record<string, unknown>) => post(service, "/api/bash/command", body);
    const ways = [
      { command: "id -u; pwd" }, // in a shell of its own, then in a spare one
      { command: "id -u; pwd" },
      { command: "id -u; pwd", cwd: folder.path },
      { command: "id -u; cat", stdin: `${folder.path}\n` },
      { command: 'id -u; echo "$A"', env: { A: folder.path, "x-y": "" } },
    ];
    for (const way of ways) {
      const output = `${USER}\n${folder.path}\n`;
      expect({ way, ...await run(way) }).toMatchObject({ way, output, exit_code: 0 });
    }

    const { process_id: pid } = await run({ command: "cat", stdin_open: true, timeout: 0 });
    await post(service, `/api/bash/process/${pid}/input`, { text: "hello", eof: true });
    const read = async () => {
      const answer = await fetch(`${service.address}/api/bash/process/${pid}/output`);
      const { status, output, exit_code } = await answer.json();
      return status === "completed" && { output, exit_code };
    };
    expect(await waitFor(read)).toEqual({ output: "hello", exit_code: 0 });

    const { process_id: left } = await run({ command: "sleep 1000 & sleep 1000", timeout: 0 });
    await waitFor(() => membersOf(left).length === 3, { what: "the group" });
    await fetch(`${service.address}/api/bash/process/${left}`, { method: "DELETE" });
    expect(membersOf(left)).toEqual([]);
  });

  test(`on ${name} kill -9 of another user's service leaves no command running`, async () => {
    await using folder = await folderOfUser();
    await using service = await startCommand(
      ["--display", ":4095", "--no-setup"],
      { HOME: folder.path },
      through,
    );
    const pids: number[] = [];
    for (const more of [{}, {}, { cwd: "/" }, { stdin_open: true }]) {
      const body = { command: "sleep 1000 & sleep 1000", timeout: 0, ...more };
      const { process_id: pid } = await post(service, "/api/bash/command", body);
      await waitFor(() => membersOf(pid).length === 3, { what: "the group" });
      pids.push(pid);
    }
    const children = childrenOf(service.pid);
    expect(children.length).toBeGreaterThan(pids.length); // the spare shell and the watcher, too
    service.signal("SIGKILL");
    await service.ended;
    const left = () => [...pids.flatMap(membersOf), ...children.filter(isRunning)];
    await waitFor(() => left().length === 0, { what: "the end of all commands" });
  });

  test(`on ${name} another user's service has its screen, files and keychain`, async () => {
    await using xvfb = await startXvfb();
    await using folder = await folderOfUser();
    await using closed = await testFolder(); // as npm's cache in the home of root
    const deno = await linkDeno(closed.path);
    await using service = await startCommand(
      ["--display", xvfb.display, "--no-setup", "--keychain", "file"],
      { HOME: folder.path },
      through,
      deno,
    );
    const picture = await fetch(`${service.address}/api/display/screenshot`);
    expect({ status: picture.status, bytes: (await picture.arrayBuffer()).byteLength > 100 })
      .toEqual({ status: 200, bytes: true });

    const path = `${folder.path}/new`;
    await post(service, "/api/filesystem/write", { path, content: "text" });
    const { uid } = await Deno.stat(path);
    expect({ text: await Deno.readTextFile(path), uid }).toEqual({ text: "text", uid: USER });

    await post(service, "/api/keychain/set-item", { service: "one", item: { password: "word" } });
    const services = await fetch(`${service.address}/api/keychain/list-services`);
    expect(await services.text()).toContain("one");
  });
}

async function folderOfUser() {
  const folder = await testFolder();
  await Deno.chown(folder.path, USER, USER);
  return folder;
}

async function post(service: RunningCommand, path: string, body: unknown) {
  const answer = await fetch(service.address + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** What starts the program that follows, in a view of the file system that ends with it. */
function asUserAfter(script: string): readonly string[] {
  return ["unshare", "--mount", "sh", "-c", `${script} && exec "$@"`, "sh", ...AS_USER];
}

async function canRead(through: readonly string[]): Promise<boolean> {
  await using places = await ownPlaces();
  const main = new URL("../../../../main.ts", import.meta.url);
  const [program, ...args] = [...through, "test", "-r", fileURLToPath(main)];
  const { env } = places;
  try {
    await Deno.chown(places.path, USER, USER);
    return (await new Deno.Command(program!, { args, env, stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}
