/** Makes ports of what may be missing on this computer, and requires them. */

import { ServiceError } from "../core/errors.ts";
import type { Available, Port } from "./types/mod.ts";

/**
 * Opens a library of which a function, or all of it, may be missing.
 * @param otherwise what does not work without the port: half a sentence, before `open`'s error
 */
export function openPort<T>(open: () => T, otherwise: string): Port<T> {
  try {
    return { ready: true, use: open() };
  } catch (error) {
    return { ready: false, reason: `${otherwise}: ${(error as Error).message}` };
  }
}

/**
 * Ports that open at their first use: a library is not loaded for a call that nobody makes.
 * @param open how to open each port
 */
export function lazyPorts<T extends Readonly<Record<string, () => unknown>>>(
  open: T,
  otherwise: string,
): LazyPorts<T> {
  const ports = {};
  for (const [name, openOne] of Object.entries(open)) {
    let port: Port<unknown> | undefined;
    const get = () => port ??= openPort(openOne, otherwise);
    Object.defineProperty(ports, name, { get, enumerable: true });
  }
  return ports as LazyPorts<T>;
}

type LazyPorts<T extends Readonly<Record<string, () => unknown>>> = {
  readonly [Name in keyof T]: Port<ReturnType<T[Name]>>;
};

export function available<T>(use: T): Available<T> {
  return { ready: true, use };
}

export function missing(reason: string): { readonly ready: false; readonly reason: string } {
  return { ready: false, reason };
}

/** @throws ServiceError `unsupported`, with the reason why the system lacks it. */
export function requirePort<T>(port: Port<T>): T {
  if (!port.ready) throw new ServiceError("unsupported", port.reason);
  return port.use;
}
