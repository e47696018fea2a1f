/** The windows of KWin, by scripts that it runs: its interfaces for taskbars tell fewer programs less. */

import { unlessAborted } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { SharedRun } from "../../../../core/shared_run.ts";
import type { Point, Window, WindowChange, WindowId, Windows } from "../../../types/mod.ts";
import type { WaylandClient } from "../client.ts";
import { WindowChanges } from "../window_changes.ts";
import { closedWindow, findAt, type OutputPlace, toUnits } from "../window_place.ts";
import { KwinScript, type ScriptHost } from "./script.ts";
import { type KwinWindows, readWindows } from "./window_list.ts";
import { changeScript, FOLLOW, LIST } from "./window_scripts.ts";

const FAILURE = "Cannot list windows";

/** What all outputs of a session share. */
export class WindowScripts implements AsyncDisposable {
  readonly #list: KwinScript;
  /** One run for all who ask at the same time. */
  readonly #lists = new SharedRun(() => this.#list.run());
  readonly #follow: KwinScript;
  readonly #news = new WindowChanges();
  #following: Promise<void> | undefined;

  /** @param client of the same KWin, whose end ends every wait */
  constructor(private readonly host: ScriptHost, private readonly client: WaylandClient) {
    this.#list = new KwinScript(host, { source: LIST, failure: FAILURE });
    this.#follow = new KwinScript(host, { source: FOLLOW, failure: "Cannot follow windows" });
    client.closed.then(() => this.#news.tell());
  }

  async list(place: OutputPlace): Promise<KwinWindows> {
    const [json] = await this.#lists.run();
    if (typeof json === "string") return readWindows(json, place);
    throw new ServiceError("unsupported", `${FAILURE}: KWin tells no text`);
  }

  /** Whether the window was there. */
  async change(id: WindowId, change: WindowChange): Promise<boolean> {
    const source = changeScript(id, change);
    await using script = new KwinScript(this.host, { source, failure: "Cannot change windows" });
    const [found] = await script.run();
    return found === true;
  }

  async changed(signal: AbortSignal): Promise<void> {
    if (!this.client.connected) return; // the next look says so
    const next = this.#news.next(signal);
    next.catch(() => {});
    if (this.#following === undefined) {
      this.#following = this.#follow.start(() => this.#news.tell());
      this.#following.catch(() => this.#following = undefined);
    }
    await unlessAborted(this.#following, signal);
    await next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#list, this.#follow].map((each) => each[Symbol.asyncDispose]()));
  }
}

export class KdeWindows implements Windows {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(
    ["focus", "minimize", "maximize", "restore", "close", "move", "resize"] as const,
  );

  /** @param place of the output whose pixels count */
  constructor(
    private readonly scripts: WindowScripts,
    private readonly place: () => OutputPlace,
  ) {}

  async list(): Promise<readonly Window[]> {
    return (await this.scripts.list(this.place())).listed;
  }

  async active(): Promise<Window | null> {
    return (await this.list()).find(({ states }) => states.includes("active")) ?? null;
  }

  async find(id: WindowId): Promise<Window> {
    const found = (await this.list()).find((window) => window.id === id);
    if (found) return found;
    throw closedWindow(id);
  }

  async change(id: WindowId, change: WindowChange): Promise<void> {
    await this.find(id);
    if (!await this.scripts.change(id, this.#inUnits(change))) throw closedWindow(id);
  }

  async at(point: Point): Promise<WindowId | undefined> {
    return findAt((await this.scripts.list(this.place())).all, point);
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.scripts.changed(signal);
  }

  #inUnits(change: WindowChange): WindowChange {
    const place = this.place();
    const units = (pixels: number) => toUnits(pixels, place);
    if (change.kind === "move") {
      const { x, y } = change.to;
      return { kind: "move", to: { x: units(x) + place.x, y: units(y) + place.y } };
    }
    if (change.kind !== "resize") return change;
    return { kind: "resize", width: units(change.width), height: units(change.height) };
  }
}
