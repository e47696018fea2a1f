/**
 * The windows of a compositor by `zwlr_foreign_toplevel_manager_v1`: titles, programs, states and
 * changes of these. It reports neither where windows are nor which is above.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { Waiters } from "../../../../core/shared_run.ts";
import type { Window, WindowChange, WindowId, Windows, WindowState } from "../../../types/mod.ts";
import { closedWindow, ListedWindows } from "../../../listed_windows.ts";
import type { WaylandClient } from "../client.ts";
import type { WaylandObject } from "../protocols/mod.ts";

const MANAGER = "zwlr_foreign_toplevel_manager_v1";
const MANAGER_VERSION = 3;
/** `zwlr_foreign_toplevel_handle_v1.state` */
const STATES: readonly WindowState[] = ["maximized", "minimized", "active", "fullscreen"];
const SINCE_FULLSCREEN = 2;

type Handle = WaylandObject<"zwlr_foreign_toplevel_handle_v1">;

interface Toplevel {
  readonly handle: Handle;
  title: string;
  app: string | null;
  states: readonly WindowState[];
  /** Whether the compositor has described it completely. */
  isDescribed: boolean;
}

export class ToplevelWindows extends ListedWindows implements Windows {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(
    ["focus", "minimize", "maximize", "restore", "close"] as const,
  );
  readonly #toplevels = new Map<WindowId, Toplevel>();
  readonly #news = new Waiters();
  #last = 0;

  private constructor(
    private readonly client: WaylandClient,
    private readonly seat: WaylandObject<"wl_seat">,
  ) {
    super();
    client.bind(MANAGER, MANAGER_VERSION).on("toplevel", (handle) => this.#follow(handle));
    client.closed.then(() => this.#news.notify());
  }

  /** @throws ServiceError `unsupported`: the compositor has no such protocol */
  static async open(client: WaylandClient): Promise<ToplevelWindows> {
    const windows = new ToplevelWindows(client, client.bind("wl_seat", 1));
    await client.roundtrip();
    return windows;
  }

  async list(): Promise<readonly Window[]> {
    await this.client.roundtrip(); // what has just changed is known now
    const all = [...this.#toplevels].filter(([, { isDescribed }]) => isDescribed).map(describe);
    const isActive = ({ states }: Window) => states.includes("active");
    return [...all.filter(isActive), ...all.filter((window) => !isActive(window))];
  }

  async change(id: WindowId, change: WindowChange): Promise<void> {
    await this.client.roundtrip();
    const toplevel = this.#toplevels.get(id);
    if (toplevel === undefined) throw closedWindow(id);
    this.#request(toplevel, change);
    await this.client.roundtrip();
  }

  at(): Promise<undefined> {
    return Promise.resolve(undefined); // nothing reports where windows are
  }

  changed(signal: AbortSignal): Promise<void> {
    if (!this.client.connected) return Promise.resolve(); // the next call says so
    return this.#news.wait(signal);
  }

  #request({ handle, states }: Toplevel, { kind }: WindowChange): void {
    switch (kind) {
      case "focus":
        if (states.includes("minimized")) handle.send("unset_minimized");
        return handle.send("activate", this.seat);
      case "minimize":
        return handle.send("set_minimized");
      case "maximize":
        return handle.send("set_maximized");
      case "restore":
        if (states.includes("minimized")) return handle.send("unset_minimized");
        handle.send("unset_maximized");
        if (handle.version >= SINCE_FULLSCREEN) handle.send("unset_fullscreen");
        return;
      case "close":
        return handle.send("close");
      default:
        throw new ServiceError(
          "unsupported",
          "No protocol of this Wayland compositor moves windows: move and resize them with the mouse",
        );
    }
  }

  #follow(handle: Handle): void {
    const id = `toplevel-${++this.#last}`;
    const toplevel: Toplevel = { handle, title: "", app: null, states: [], isDescribed: false };
    this.#toplevels.set(id, toplevel);
    handle.on("title", (title) => toplevel.title = title);
    handle.on("app_id", (app) => toplevel.app = app || null);
    handle.on("state", (states) => toplevel.states = readStates(states));
    handle.on("done", () => {
      toplevel.isDescribed = true;
      this.#news.notify();
    });
    handle.on("closed", () => {
      this.#toplevels.delete(id);
      handle.send("destroy");
      this.#news.notify();
    });
  }
}

function describe([id, { title, app, states }]: [WindowId, Toplevel]): Window {
  return { id, title, app, states, pid: null, bounds: null, frame: null, desktop: null };
}

function readStates(bytes: Uint8Array): WindowState[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = Array.from(
    { length: bytes.length >> 2 },
    (_, at) => view.getUint32(4 * at, true),
  );
  return numbers.flatMap((number) => STATES[number] ?? []);
}
