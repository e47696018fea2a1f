/** Writes to the input of a process. */

import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";

export interface ProcessInput {
  readonly pid: number;
  readonly text: string;
  readonly eof: boolean;
}

export function writeProcessInput({ session }: Context, { pid, text, eof }: ProcessInput): void {
  const process = session.shell.find(pid);
  if (process.status === "completed") {
    throw new ServiceError("conflict", `Cannot write to process ${pid}: it has ended`);
  }
  if (process.input === undefined) {
    throw new ServiceError(
      "conflict",
      `Cannot write to process ${pid}: it has no input; start it with "stdin_open": true`,
    );
  }
  if (text !== "") process.input.write(text);
  if (eof) process.input.close();
}
