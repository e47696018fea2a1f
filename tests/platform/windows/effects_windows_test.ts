/** What is known on Windows of the effect of input, and of processes and files that are waited for. */

import { expect } from "expect";
import { startService } from "../../support/service.ts";

const ignore = Deno.build.os !== "windows";

Deno.test({
  name: "effect confirms where the cursor is, and says that nothing else is told",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    expect(await service.call("/api/mouse/move", { x: 12, y: 34, effect: true })).toEqual({
      ...{ effect: "confirmed", by: "server", reason: "The cursor is at 12, 34." },
    });
    const reason = "Windows does not report which program receives the input.";
    for (
      const [operation, body] of [["mouse/left-click", {}], ["keyboard/key", { key: "a" }]] as const
    ) {
      expect(await service.call(`/api/${operation}`, { ...body, effect: true }))
        .toEqual({ effect: "unverified", reason });
    }
  },
});

Deno.test({
  name: "wait for a process answers when it has ended, and for a file when it exists",
  ignore,
  fn: async () => {
    await using service = await startService({ displays: [] });
    const wait = async (until: unknown, timeout_ms = 30_000) =>
      (await service.call("/api/display/wait", { until, timeout_ms }) as { status: string }).status;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "await Deno.stdin.readable.pipeTo(new WritableStream())"],
      stdin: "piped",
    }).spawn();
    const { pid } = child;
    expect(await wait({ process: { pid } }, 200)).toBe("timeout");
    const name = Deno.execPath().split("\\").at(-1)!;
    for (const each of [name, name.toUpperCase(), name.replace(/\.exe$/i, "")]) {
      expect(await wait({ process: { name: each } })).toBe("found");
    }
    expect(await wait({ process: { name: "no such program.exe" } }, 200)).toBe("timeout");
    expect(await wait({ gone: { process: { name: "no such program.exe" } } })).toBe("gone");
    const waiting = wait({ process: { pid } });
    await child.stdin.close();
    expect(await waiting).toBe("ended");
    await child.status;
    expect(await wait({ process: { pid } })).toBe("ended");

    const folder = await Deno.makeTempDir();
    const file = { path: `${folder}\\new\\log.txt`, contains: "é漢😀" };
    expect(await wait({ file }, 100)).toBe("timeout");
    const found = wait({ file });
    await Deno.mkdir(`${folder}\\new`);
    await Deno.writeTextFile(file.path, "before é漢😀 after");
    expect(await found).toBe("found");
    await Deno.remove(folder, { recursive: true });
    expect(await wait({ file: { path: file.path, state: "gone" } })).toBe("gone");
  },
});
