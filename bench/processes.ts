/** One process of xdotool per action, as most peers do it, beside one request. */

import { row, section } from "./report.ts";
import type { Figures } from "./wrk.ts";

const ACTIONS = [
  { path: "/api/mouse/move", command: "xdotool mousemove 300 200" },
  { path: "/api/keyboard/key", command: "xdotool key a" },
] as const;

export async function benchProcesses(
  xDisplay: string,
  requests: ReadonlyMap<string, Figures>,
): Promise<void> {
  section(
    "one action: xdotool process (mean ms) beside one request (p50 ms), and how many times faster",
  );
  for (const { path, command } of ACTIONS) {
    const processMs = await hyperfine(command, xDisplay);
    const requestMs = requests.get(path)!.p50 / 1000;
    row(`${command} / POST ${path}`, [
      processMs.toFixed(2),
      requestMs.toFixed(3),
      `${(processMs / requestMs).toFixed(0)}x`,
    ]);
  }
}

/** Mean run time in milliseconds. */
export async function hyperfine(command: string, xDisplay: string): Promise<number> {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    const { success, stderr } = await new Deno.Command("hyperfine", {
      args: ["--shell=none", "--warmup", "20", "--runs", "200", "--export-json", file, command],
      env: { DISPLAY: xDisplay },
      stdout: "null",
    }).output();
    if (!success) throw new Error(`hyperfine failed: ${new TextDecoder().decode(stderr)}`);
    return JSON.parse(await Deno.readTextFile(file)).results[0].mean * 1000;
  } finally {
    await Deno.remove(file);
  }
}
