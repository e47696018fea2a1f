/** A cluster as the test that runs inside of it has it: kubectl, its pods, and requests to them. */

import { waitFor } from "../../support/wait.ts";

// deno-lint-ignore no-explicit-any -- what Kubernetes answers has no types here
export type Answered = any;

/** Generous: the computer may be busy with other tests. */
export const PATIENCE_MS = 15 * 60_000;
export const PORT = 4242;

/** @throws Error with what it said, when it fails */
export async function kubectl(...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await tryKubectl(...args);
  if (success) return stdout;
  throw new Error(`"kubectl ${args.join(" ")}": ${stderr}${stdout}`);
}

export async function tryKubectl(...args: readonly string[]) {
  const io = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const ended = await new Deno.Command("kubectl", { args: [...args], ...io }).output();
  const [stdout, stderr] = [ended.stdout, ended.stderr].map((part) =>
    new TextDecoder().decode(part).trim()
  );
  return { success: ended.success, stdout: stdout!, stderr: stderr! };
}

export async function get(...what: readonly string[]): Promise<Answered> {
  return JSON.parse(await kubectl("get", ...what, "-o", "json"));
}

/** Waits until what `kubectl get` gives is as it should be. */
export async function until(
  what: readonly string[],
  isSo: (found: Answered) => boolean,
): Promise<Answered> {
  return await waitFor(async () => {
    const { success, stdout } = await tryKubectl("get", ...what, "-o", "json");
    const found = success ? JSON.parse(stdout) : undefined;
    return found !== undefined && isSo(found) && found;
  }, { what: what.join(" "), timeoutMs: PATIENCE_MS, everyMs: 250 });
}

/** The files of a folder, so that secrets can be written beside them. */
export async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, target] = [new URL(name, from), `${to}/${name}`];
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), target);
    else await Deno.copyFile(source, target);
  }
}

/** Requests to the service of one pod, each by a connection of its own. */
export class Desktop {
  static readonly #client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });

  constructor(
    readonly address: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  static async ofPod(name: string, token: string): Promise<Desktop> {
    const { status } = await get("pod", name);
    if (status.podIP === undefined) throw new Error(`"${name}" has no address yet`);
    const headers = { authorization: `Bearer ${token}` };
    return new Desktop(`http://${status.podIP}:${PORT}`, headers);
  }

  /** As it is answered: an error too. */
  async send(path: string, body?: unknown): Promise<Response> {
    const json = { "content-type": "application/json" };
    return await fetch(this.address + path, {
      client: Desktop.#client,
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: { ...this.headers, ...(body !== undefined && json) },
    });
  }

  async status(path: string, body?: unknown): Promise<number> {
    const response = await this.send(path, body);
    await response.body?.cancel();
    return response.status;
  }

  async command(command: string, seconds = 60): Promise<string> {
    const response = await this.send("/api/bash/command", { command, timeout: seconds });
    const text = await response.text();
    if (!response.ok) throw new Error(`${command}: ${response.status} ${text}`);
    return JSON.parse(text).output;
  }
}
