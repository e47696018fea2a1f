/** Measures calls and commands by the clock, and the memory of a process. */

/** Milliseconds until the whole answer is there. */
export async function timePost(port: number, path: string, body: unknown): Promise<number> {
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  for await (const _chunk of response.body ?? []);
  return performance.now() - start;
}

/** Milliseconds from start to end of a program; its output is thrown away. */
export async function timeCommand(program: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const { success } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn().status;
  if (!success) throw new Error(`${program} failed`);
  return performance.now() - start;
}

/** How many MiB the process had more at its peak than before. */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<string> {
  await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5"); // begins a new peak
  const before = await statusKiB(pid, "VmRSS");
  await work();
  return ((await statusKiB(pid, "VmHWM") - before) / 1024).toFixed(1);
}

async function statusKiB(pid: number, field: string): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(status.match(new RegExp(`^${field}:\\s*(\\d+) kB`, "m"))?.[1]);
}

/** Runs `job` again and again until `work` has ended. */
export async function repeatWhile<T>(
  job: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let over = false;
  const repeated = (async () => {
    while (!over) await job();
  })();
  try {
    return await work();
  } finally {
    over = true;
    await repeated;
  }
}
