/** The executable as a user gets it: alone in an empty folder, without network, without the repository. */

import { expect } from "expect";
import {
  bareEnvironment,
  builtExecutable,
  isolation,
  REPOSITORY,
  runBare,
} from "../support/executable.ts";
import { testFolder } from "../support/folder.ts";
import { lineReader } from "../support/lines.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";
import { copyProgram } from "../support/written_program.ts";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The first bytes, as Latin letters. */
  readonly start: string;
}

/** Asks from inside the network of a process, which this process does not see. */
const ASK = `
const [url, body] = Deno.args;
const response = await fetch(url, body === undefined ? {} : {
  method: "POST", headers: { "content-type": "application/json" }, body,
});
const bytes = new Uint8Array(await response.arrayBuffer());
console.log(JSON.stringify({
  status: response.status,
  type: response.headers.get("content-type") ?? "",
  text: new TextDecoder().decode(bytes),
  start: String.fromCharCode(...bytes.subarray(0, 12)),
}));`;

interface Started extends AsyncDisposable {
  readonly pid: number;
  readonly status: Promise<Deno.CommandStatus>;
  ask(path: string, body?: unknown): Promise<Answer>;
  end(): Promise<Deno.CommandStatus>;
}

async function startAlone(args: readonly string[], home: string): Promise<Started> {
  const executable = `${home}-program`;
  await copyProgram(await builtExecutable(), executable);
  const hidden = [REPOSITORY, Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`]
    .filter((folder) => isFolder(folder));
  const alone = await isolation(hidden);
  const [program, ...rest] = [...alone ?? [], executable, "--port", "0", ...args];
  const child = new Deno.Command(program!, {
    args: rest,
    ...{ cwd: home, env: bareEnvironment(home), clearEnv: true },
    ...{ stdin: "null", stdout: "piped", stderr: "inherit" } as const,
  }).spawn();
  const lines = lineReader(child.stdout);
  const [, address] = await lines.until(/^Address +(http:\S+)/);
  await lines.until(/^Found/);
  const inside = alone === undefined ? [] : insideOf(child.pid);
  const end = async () => {
    try {
      child.kill("SIGTERM");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
    await lines.rest();
    return await child.status;
  };
  return {
    pid: child.pid,
    status: child.status,
    end,
    async ask(path, body) {
      const given = body === undefined ? [] : [JSON.stringify(body)];
      const [client, ...clientArgs] = [
        ...inside,
        ...[Deno.execPath(), "eval", "--no-config", ASK, address + path, ...given],
      ];
      const { stdout, stderr } = await new Deno.Command(client!, { args: clientArgs }).output();
      const text = new TextDecoder().decode(stdout);
      if (text === "") throw new Error(`${path}: ${new TextDecoder().decode(stderr)}`);
      return JSON.parse(text);
    },
    async [Symbol.asyncDispose]() {
      await end();
      await Deno.remove(executable);
    },
  };
}

function insideOf(pid: number): string[] {
  return ["nsenter", "-t", String(pid), ...(Deno.uid() === 0 ? [] : ["-U"]), "-n"];
}

Deno.test("the executable works alone, without network, repository and anything in the home", async () => {
  await using folder = await testFolder();
  const home = `${folder.path}/home`;
  await Deno.mkdir(home);
  await using xvfb = await startXvfb({ size: "640x480" });
  await using service = await startAlone(["--display", xvfb.display], home);

  // the shell has become the program: same process, so that signals arrive
  expect(await Deno.readLink(`/proc/${service.pid}/exe`)).toMatch(/\/computer-control\/.*\/deno$/);

  const docs = await service.ask("/docs");
  expect([docs.status, docs.type]).toEqual([200, "text/html; charset=utf-8"]);
  const script = await service.ask("/docs/swagger-ui-bundle.js");
  expect(script.text.length).toBeGreaterThan(1_000_000);
  expect((await service.ask("/docs/swagger-ui.css")).text).toContain(".swagger-ui");
  expect(JSON.parse((await service.ask("/openapi.json")).text).openapi).toBe("3.1.0");

  expect((await service.ask("/api/mouse/move", { x: 123, y: 45 })).status).toBe(204);
  const where = new Deno.Command("xdotool", {
    args: ["getmouselocation"],
    env: { DISPLAY: xvfb.display },
  });
  const { stdout } = await where.output();
  expect(new TextDecoder().decode(stdout)).toContain("x:123 y:45");

  await Deno.writeTextFile(`${home}/needle.txt`, "");
  const found = await service.ask("/api/filesystem/search", {
    root_path: home,
    pattern: "needle*",
  });
  expect([found.status, found.text]).toEqual([200, expect.stringContaining("needle.txt")]);

  const pictures = { png: "\x89PNG", jpeg: "\xff\xd8\xff", webp: "RIFF" };
  for (const [format, magic] of Object.entries(pictures)) {
    const picture = await service.ask(`/api/display/screenshot?format=${format}`);
    expect([format, picture.status, picture.type]).toEqual([format, 200, `image/${format}`]);
    expect(picture.start.startsWith(magic)).toBe(true);
  }

  const shell = await service.ask("/api/bash/command", { command: "env" });
  expect(shell.text).toContain("PATH=");
  expect(shell.text).not.toMatch(/COMPUTER_CONTROL_|DENO_/);

  expect((await service.end()).code).toBe(0);
});

Deno.test("the executable removes old versions, ends on SIGTERM and lets its displays go", async () => {
  await using folder = await testFolder();
  const home = `${folder.path}/home`;
  await Deno.mkdir(home);
  const old = `${home}/.cache/computer-control/0.0.1-0123456789abcdef`;
  await Deno.mkdir(old, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(`${old}/.used`, "\n");
  await Deno.utime(`${old}/.used`, 0, 0);
  await using service = await startAlone(["--virtual-display", "640x480"], home);
  await waitFor(() => !isThere(old), { what: "the end of the old version" });
  const { text } = await service.ask("/api/system/info");
  const [, display] = text.match(/display 1 is \\":(\d+)\\"/)!;
  const socket = `/tmp/.X11-unix/X${display}`;
  expect(isThere(socket)).toBe(true);
  expect((await service.end()).code).toBe(0);
  await waitFor(() => !isThere(socket), { what: "the end of the virtual display" });
});

Deno.test("the executable passes the check that the workflows make on every system", async () => {
  await using folder = await testFolder();
  const env = { ...bareEnvironment(folder.path), PORT: String(freePort()) };
  const script = [`.github/check_executable.sh`, await builtExecutable(), "self-extracting"];
  const { code, stdout } = await runBare(["bash", ...script], env, REPOSITORY);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ works\n$/)]);
});

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  return isThere(path) && Deno.statSync(path).isDirectory;
}
