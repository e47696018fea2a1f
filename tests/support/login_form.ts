/** A real login form in the top left corner of an X display, which tells what was submitted. */

import { fileURLToPath } from "node:url";
import { lineReader } from "./lines.ts";

export interface LoginForm extends AsyncDisposable {
  /** Points inside its fields. */
  readonly username: { readonly x: number; readonly y: number };
  readonly password: { readonly x: number; readonly y: number };
  /** Waits for the next submission. */
  submitted(): Promise<{ username: string; password: string }>;
}

export interface LoginFormOptions {
  /** Whether a window manager has it, and gives it the focus. */
  readonly managed?: boolean;
}

export async function openLoginForm(
  display: string,
  { managed = false }: LoginFormOptions = {},
): Promise<LoginForm> {
  const child = new Deno.Command("/usr/bin/python3", {
    args: [
      fileURLToPath(new URL("./login_form.py", import.meta.url)),
      ...(managed ? ["--managed"] : []),
    ],
    env: { DISPLAY: display },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/^ready$/);
  return {
    username: { x: 100, y: 35 },
    password: { x: 100, y: 95 },
    submitted: async () => JSON.parse((await lines.until(/^\{/)).input!),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await lines.rest();
      await child.status;
    },
  };
}
