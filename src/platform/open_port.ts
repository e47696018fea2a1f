/** Opens a port whose library, or a function of it, may be missing on this computer. */

import type { Port } from "./types/mod.ts";

/** @param otherwise what does not work without the port: half a sentence, before `open`'s error */
export function openPort<T>(open: () => T, otherwise: string): Port<T> {
  try {
    return { ready: true, use: open() };
  } catch (error) {
    return { ready: false, reason: `${otherwise}: ${(error as Error).message}` };
  }
}

export function missing(reason: string): { readonly ready: false; readonly reason: string } {
  return { ready: false, reason };
}
