/**
 * Programs that a test makes and starts. Another process writes them: what this one has open for writing, whatever
 * another test starts meanwhile inherits for a moment, and Linux does not start a program that anybody has open for
 * writing ("Text file busy").
 */

import { fileURLToPath } from "node:url";

/** @throws Error when it cannot be written */
export async function writeProgram(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (Deno.build.os === "windows") return await Deno.writeFile(path, bytes);
  const child = new Deno.Command("sh", {
    args: ["-c", 'cat >"$1" && chmod 755 "$1"', "sh", path],
    stdin: "piped",
    stderr: "piped",
  }).spawn();
  await new Blob([Uint8Array.from(bytes)]).stream().pipeTo(child.stdin).catch(() => {});
  await expectWritten(child);
}

/** @throws Error when it cannot be copied */
export async function copyProgram(from: string | URL, path: string): Promise<void> {
  if (Deno.build.os === "windows") return await Deno.copyFile(from, path);
  const source = from instanceof URL ? fileURLToPath(from) : from;
  const args = ["-c", 'cp -- "$1" "$2" && chmod 755 "$2"', "sh", source, path];
  await expectWritten(new Deno.Command("sh", { args, stdout: "null", stderr: "piped" }).spawn());
}

async function expectWritten(child: Deno.ChildProcess): Promise<void> {
  const [{ code }, said] = await Promise.all([child.status, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`The program was not written: ${said}`);
}
