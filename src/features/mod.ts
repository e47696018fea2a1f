/**
 * All operations, from which every interface (HTTP, OpenAPI, ...) is made. The modules of a group are
 * loaded, and its schemas made, when one of its operations is first requested; the wait, which needs
 * much that no other display operation does, is a part of its own.
 */

import type { Limits } from "../config/limits.ts";
import { pause } from "../core/deadline.ts";
import { importModules } from "../core/errors.ts";
import type { Group } from "../core/groups.ts";
import { withDesk } from "./on_desk.ts";
import type { Operation } from "./operation.ts";

/** What is loaded at once: a group, or the wait, which is of the group display. */
export type Part = Group | "wait";
type Load = (limits: Limits) => Promise<readonly Operation[]>;

/** In the order in which documents list them. */
const LOADS: Readonly<Record<Part, Load>> = {
  display: async () => (await import("./display/operations.ts")).displayOperations(),
  wait: async (limits) => (await import("./waiting/operations.ts")).waitingOperations(limits),
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
  desk: async () => (await import("./desks/operations.ts")).deskOperations(),
  control: async () => [
    ...(await import("./control/operations.ts")).controlOperations(),
    ...(await import("./links/operations.ts")).linkOperations(),
  ],
  trail: async () => [
    ...(await import("./trail/operations.ts")).trailOperations(),
    ...(await import("./trail/trajectory/operations.ts")).trajectoryOperations(),
  ],
  system: async () => (await import("./system/operations.ts")).systemOperations(),
};

/** What parts load first, each in a turn of its own: a part with all that it needs would take 20 to 50 ms. */
const FIRST: Readonly<Partial<Record<Part, readonly (() => Promise<unknown>)[]>>> = {
  display: [() => import("./display/fields.ts")],
  wait: [() => import("./waiting/conditions.ts")],
  agents: [
    () => import("./agents/anthropic/operation.ts"),
    () => import("./agents/openai/operation.ts"),
  ],
  trail: [
    () => import("./accessibility/fields.ts"),
    () => import("./accessibility/snapshot.ts"),
    () => import("./recording/recordings.ts"),
    () => import("./browser/page_operations.ts"),
    () => import("./trail/operations.ts"),
  ],
};

const PARTS = Object.keys(LOADS) as Part[];

/** Whose operations a part calls by name. */
const CALLED: Readonly<Partial<Record<Part, readonly Part[]>>> = {
  accessibility: ["mouse", "keyboard"],
  batch: PARTS,
  agents: PARTS,
  desk: ["window", "browser"],
};

/** Paths outside of `/api/<group>`. */
const OTHER_PATHS: Readonly<Record<string, Group>> = {
  "/healthz": "system",
  "/metrics": "system",
  "/readyz": "system",
};
const API = "/api/";
const WAIT_PATH = "/api/display/wait";
const EVENTS_PATH = "/api/events";

/** The part whose operation can have a path; called for every request, so that no pattern is used. */
export function partOf(path: string): Part | undefined {
  if (!path.startsWith(API)) return OTHER_PATHS[path];
  if (path === WAIT_PATH) return "wait";
  if (path === EVENTS_PATH) return "trail";
  const end = path.indexOf("/", API.length);
  const name = path.slice(API.length, end === -1 ? undefined : end);
  return Object.hasOwn(LOADS, name) ? name as Part : undefined;
}

/** The operations of one service, with its limits. */
export class OperationGroups {
  readonly #loaded = new Map<Part, Promise<readonly Operation[]>>();
  /** Parts are loaded one after the other, with other work in between: some take 15 ms. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: Limits) {}

  /** The operations of one part. */
  load(part: Part): Promise<readonly Operation[]> {
    return this.#loaded.getOrInsertComputed(part, () => {
      const loading = this.#last.then(() => this.#loadInTurns(part));
      this.#last = loading.then(() => pause(0), () => this.#loaded.delete(part)); // the next request tries again
      return loading;
    });
  }

  async #loadInTurns(part: Part): Promise<readonly Operation[]> {
    for (const first of FIRST[part] ?? []) {
      await importModules(first);
      await pause(0);
    }
    const operations = await importModules(() => LOADS[part](this.limits));
    return operations.map(withDesk);
  }

  /** Those that the operations of a part call by name. */
  async loadCalled(part: Part): Promise<readonly Operation[]> {
    return (await Promise.all((CALLED[part] ?? []).map((each) => this.load(each)))).flat();
  }

  async all(): Promise<readonly Operation[]> {
    return (await Promise.all(PARTS.map((part) => this.load(part)))).flat();
  }
}

/** All operations, with these limits. */
export function allOperations(limits: Limits): Promise<readonly Operation[]> {
  return new OperationGroups(limits).all();
}
