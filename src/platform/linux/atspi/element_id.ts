/** Names of elements: the run of the bus, the program on it, and the path of the object. */

import { ServiceError } from "../../../core/errors.ts";
import type { ElementId } from "../../types/mod.ts";
import type { Address } from "./client.ts";

/** @param guid of the bus: another one gives its names to other programs */
export function elementId(guid: string, { bus, path }: Address): ElementId {
  return guid + bus + path;
}

/** @throws ServiceError `conflict`: it belongs to a bus that has ended */
export function parseElementId(guid: string, id: ElementId): Address {
  const [, run, bus, path] = /^([0-9a-f]*)(:[^/]+)(\/.*)$/.exec(id) ?? [];
  if (run === guid && bus !== undefined && path !== undefined) return { bus, path };
  throw new ServiceError("conflict", "The element is gone: its accessibility bus has ended");
}
