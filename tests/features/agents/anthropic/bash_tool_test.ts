/** Anthropic's bash tool: a shell that keeps its state, whatever it is given. */

import { expect } from "expect";
import {
  blindTurn,
  errorOf,
  startWithoutDisplay,
  textOf,
  use,
} from "../../../support/anthropic.ts";
import type { Service } from "../../../support/service.ts";
import { testApp } from "../../../support/client.ts";
import { waitFor } from "../../../support/wait.ts";

const ignore = Deno.build.os === "windows"; // there is no shell that keeps its state

/** Runs a command that must not be an error. */
function run(service: Service, command: string, more = {}): Promise<string> {
  return textOf(service, use("bash", { command }), more);
}

Deno.test({
  name: "bash keeps its folder, variables, functions and background jobs between turns",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    expect(await run(service, "cd /tmp; X='a b'; f() { echo \"<$1>\"; }")).toBe("(no output)");
    expect(await run(service, 'pwd; echo "$X"; f 1')).toBe("/tmp\na b\n<1>");
    expect(await run(service, "sleep 1000 & echo $! > /dev/null; jobs -p | wc -l")).toBe("1");
    expect(await run(service, "kill %1; wait $! 2>/dev/null; kill -0 $! 2>/dev/null || echo gone"))
      .toBe("gone");
    expect(await run(service, "echo out; echo err >&2; false")).toBe("out\nerr\n[exit code 1]");
    expect(await run(service, "echo $X", { shell: "other" })).toBe("(no output)");
    expect(await run(service, "echo $X")).toBe("a b");
  },
});

Deno.test({
  name: "bash survives odd commands, and keeps its state",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    await run(service, "KEPT=yes");
    const odd = [
      "echo 'unbalanced",
      'echo "unbalanced',
      "if",
      "}",
      "cat <<END\nhere",
      "break; continue; return 3",
      "read line; echo got:$line",
      "exec 9>&-",
      "set -x; :; set +x",
      "set -v; :; set +v",
      "printf '\\036 0\\036'",
      "trap 'echo trapped' DEBUG; :; trap - DEBUG",
      "cat",
      "x".repeat(130_000),
      "printf() { echo no; }; unset -f printf",
    ];
    for (const command of odd) {
      const text = await run(service, command);
      const shown = command.slice(0, 40);
      expect([shown, text.includes("The shell has ended")]).toEqual([shown, false]);
      expect([shown, await run(service, "echo $KEPT")]).toEqual([shown, "yes"]);
    }
    expect(await run(service, "exec >/dev/null; echo lost")).toBe("(no output)");
    expect(await run(service, "exec >&2; echo $KEPT")).toBe("yes");
  },
});

Deno.test({
  name: "bash says that its shell has ended, and begins a new one with the next command",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    for (
      const [command, code] of [
        ["echo bye; exit 3", 3],
        ["echo bye; exec false", 1],
        ["set -e; echo bye; false; echo never", 1],
        ["echo bye; kill -9 $$", 137],
        ["set -u; echo bye; echo $NONE", 1],
      ] as const
    ) {
      await run(service, "X=gone");
      const text = await run(service, command);
      expect(text).toContain("bye");
      expect(text).not.toContain("never");
      expect(text).toContain(`[The shell has ended with exit code ${code}`);
      expect(await run(service, "echo new$X")).toBe("new");
    }
  },
});

Deno.test({
  name: "bash shows the beginning and the end of megabytes, and no character in halves",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    const long = await run(service, "seq 1 1000000; echo 'é日本🙂'");
    expect(long.length).toBeLessThan(70_000);
    expect(long.startsWith("1\n2\n3\n")).toBe(true);
    expect(long.endsWith("\n999999\n1000000\né日本🙂")).toBe(true);
    expect(long).toMatch(/\[\d+ characters omitted\]/);
    const one = await run(service, "head -c 20000000 /dev/zero | tr '\\0' a");
    expect(one).toMatch(/^a{32000}\n\[\d+ characters omitted\]\na{32000}$/);
  },
});

Deno.test({
  name: "bash ends a command that takes too long, with its shell and what it has written",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    for (
      const command of ["echo begun; sleep 1000", "echo begun; trap '' TERM; while :; do :; done"]
    ) {
      await run(service, "true"); // the shell is there: only the command takes its time
      const text = await errorOf(service, use("bash", { command }), { bash_timeout: 0.5 });
      expect(text).toContain("took more than 0.5 s");
      expect(text).toContain("begun");
      expect(await run(service, "echo ok")).toBe("ok");
    }
  },
});

Deno.test({
  name: "bash restart ends the shell at once, also while a command of another turn runs in it",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    await run(service, "X=1");
    const waiting = run(service, "echo started; sleep 1000");
    await waitFor(async () => {
      const processes = await service.call("/api/bash/processes/managed") as { output: string }[];
      return processes.some(({ output }) => output.includes("started"));
    }, { what: "the command" });
    expect(await textOf(service, use("bash", { restart: true }))).toBe("The shell was restarted.");
    expect(await waiting).toContain("The shell has ended");
    expect(await run(service, "echo new$X")).toBe("new");
    expect(await textOf(service, use("bash", { restart: true, command: "echo both$X" })))
      .toBe("both");
  },
});

Deno.test({
  name: "bash ends the command of a client that leaves",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    const folder = await Deno.makeTempDir();
    const leaving = new AbortController();
    const command = `echo $$ > ${folder}/pid; sleep 1000; echo late > ${folder}/late`;
    const sent = service.send(
      "/api/agents/anthropic",
      { content: [use("bash", { command })] },
      leaving.signal,
    );
    const pid = await waitFor(async () => {
      const text = await Deno.readTextFile(`${folder}/pid`).catch(() => "");
      return text.endsWith("\n") ? Number(text) : undefined;
    }, { what: "the shell" });
    leaving.abort();
    await (await sent).body?.cancel();
    await waitFor(() => !isAlive(pid!), { what: "the end of the shell" });
    expect(await run(service, "echo ok")).toBe("ok");
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test({
  name: "bash is answered with an error where it is used wrongly or switched off",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    const wrong: [unknown, string][] = [
      [{}, "Give either command or restart: true"],
      [{ restart: false }, "Give either command or restart: true"],
      [{ command: 5 }, "command: Input should be a valid string"],
      [{ command: "ls", cwd: "/" }, 'cwd: Unknown field: bash takes "command", "restart"'],
      [{ command: "a\0b" }, "NUL"],
      [{ command: "é".repeat(70_000) }, "128 KiB"],
      ["ls", "Input should be a valid dictionary"],
    ];
    for (const [input, text] of wrong) {
      expect(await errorOf(service, use("bash", input))).toContain(text);
    }
    const app = testApp({ config: { disabled: new Set(["bash"]) } });
    const { json } = await app.post("/api/agents/anthropic", {
      content: [use("bash", { command: "ls" })],
    });
    expect(json.content[0]).toMatchObject({
      is_error: true,
      content: [{ text: 'The group "bash" is disabled by --disable' }],
    });
  },
});

Deno.test({
  name: "bash calls of several turns run one after the other in one shell",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    await run(service, "N=0");
    const all = Array.from({ length: 10 }, () => run(service, "N=$((N+1)); sleep 0.01; echo $N"));
    expect((await Promise.all(all)).map(Number).toSorted((a, b) => a - b))
      .toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    for (const shell of names) await run(service, "X=1", { shell });
    await waitFor(async () => {
      const managed = await service.call("/api/bash/processes/managed") as unknown[];
      return managed.length <= 16;
    }, { what: "the end of the shells that were unused for longest" });
    await blindTurn(service, [use("bash", { restart: true })]);
  },
});

function isAlive(pid: number): boolean {
  try {
    Deno.statSync(`/proc/${pid}`);
    return true;
  } catch {
    return false;
  }
}
