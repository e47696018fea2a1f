/** Other programs that use the clipboard of an X display: xclip and xsel. */

import { run } from "./desktop.ts";

/** Puts bytes there; the program stays in the background until another one replaces them. */
export async function copyWith(
  command: readonly [string, ...string[]],
  display: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const [program, ...args] = command;
  const child = new Deno.Command(program, {
    args,
    env: { DISPLAY: display },
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(bytes);
  await writer.close();
  const { success } = await child.status;
  if (!success) throw new Error(`${program} failed`);
}

/** What a program gets that pastes. */
export async function pasteWith(
  [program, ...args]: readonly [string, ...string[]],
  display: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await run(program, args, { DISPLAY: display }));
}

export const XCLIP = {
  copy: (type?: string) =>
    ["xclip", "-i", "-selection", "clipboard", ...(type ? ["-t", type] : [])] as const,
  paste: (type?: string) =>
    ["xclip", "-o", "-selection", "clipboard", ...(type ? ["-t", type] : [])] as const,
};

export const XSEL = {
  copy: () => ["xsel", "-b", "-i"] as const,
  paste: () => ["xsel", "-b", "-o"] as const,
};
