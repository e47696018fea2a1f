/**
 * All operations, from which every interface (HTTP, OpenAPI, ...) is made. The modules of a group are
 * loaded, and its schemas made, when one of its operations is first asked for.
 */

import type { Limits } from "../config/limits.ts";
import { pause } from "../core/deadline.ts";
import { importModules } from "../core/errors.ts";
import { type Group, GROUPS } from "../core/groups.ts";
import type { Operation } from "./operation.ts";

type Load = (limits: Limits) => Promise<readonly Operation[]>;

/** In the order in which documents list them. */
const LOADS: Readonly<Record<Group, Load>> = {
  display: async (limits) => {
    const { displayOperations } = await import("./display/operations.ts");
    await pause(0); // both together take 30 ms
    const { waitingOperations } = await import("./waiting/operations.ts");
    return [...displayOperations(), ...waitingOperations(limits)];
  },
  mouse: async (limits) => (await import("./input/mouse/operations.ts")).mouseOperations(limits),
  keyboard: async (limits) =>
    (await import("./input/keyboard/operations.ts")).keyboardOperations(limits),
  clipboard: async (limits) =>
    (await import("./clipboard/operations.ts")).clipboardOperations(limits),
  accessibility: async (limits) =>
    (await import("./accessibility/operations.ts")).accessibilityOperations(limits),
  window: async (limits) => (await import("./window/operations.ts")).windowOperations(limits),
  recording: async (limits) =>
    (await import("./recording/operations.ts")).recordingOperations(limits),
  keychain: async (limits) => (await import("./keychain/operations.ts")).keychainOperations(limits),
  editor: async (limits) => (await import("./editor/operations.ts")).editorOperations(limits),
  filesystem: async (limits) =>
    (await import("./filesystem/operations.ts")).filesystemOperations(limits),
  bash: async (limits) => (await import("./bash/operations.ts")).bashOperations(limits),
  browser: async (limits) => (await import("./browser/operations.ts")).browserOperations(limits),
  batch: async (limits) => (await import("./batch/operations.ts")).batchOperations(limits),
  agents: async (limits) => (await import("./agents/operations.ts")).agentOperations(limits),
  system: async () => (await import("./system/operations.ts")).systemOperations(),
};

/** Whose operations a group calls by name. */
const CALLED: Readonly<Partial<Record<Group, readonly Group[]>>> = {
  accessibility: ["mouse", "keyboard"],
  batch: GROUPS,
  agents: GROUPS,
};

/** Paths outside of `/api/<group>`. */
const OTHER_PATHS: Readonly<Record<string, Group>> = { "/healthz": "system", "/readyz": "system" };
const API = "/api/";

/** The group whose operation can have a path; every request asks, so that no pattern is used. */
export function groupOf(path: string): Group | undefined {
  if (!path.startsWith(API)) return OTHER_PATHS[path];
  const end = path.indexOf("/", API.length);
  const name = path.slice(API.length, end === -1 ? undefined : end);
  return Object.hasOwn(LOADS, name) ? name as Group : undefined;
}

/** The operations of one service, with its limits. */
export class OperationGroups {
  readonly #loaded = new Map<Group, Promise<readonly Operation[]>>();
  /** Groups are loaded one after the other, with other work in between: some take 20 ms. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: Limits) {}

  /** The operations of one group. */
  load(group: Group): Promise<readonly Operation[]> {
    const known = this.#loaded.get(group);
    if (known !== undefined) return known;
    const loading = this.#last.then(() => importModules(() => LOADS[group](this.limits)));
    this.#loaded.set(group, loading);
    this.#last = loading.then(() => pause(0), () => this.#loaded.delete(group)); // who asks next tries again
    return loading;
  }

  /** Those that the operations of a group call by name. */
  async loadCalled(group: Group): Promise<readonly Operation[]> {
    return (await Promise.all((CALLED[group] ?? []).map((each) => this.load(each)))).flat();
  }

  async all(): Promise<readonly Operation[]> {
    const groups = Object.keys(LOADS) as Group[];
    return (await Promise.all(groups.map((group) => this.load(group)))).flat();
  }
}

/** All operations, with these limits. */
export function allOperations(limits: Limits): Promise<readonly Operation[]> {
  return new OperationGroups(limits).all();
}
