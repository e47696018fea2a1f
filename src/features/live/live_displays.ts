/** The displays that somebody watches: each has one thread for all its viewers. */

import { hasCode, ServiceError } from "../../core/errors.ts";
import { pause } from "../../core/deadline.ts";
import type { Display, Displays, Region, WindowId } from "../../platform/types/mod.ts";
import { overlap } from "../../imaging/boxes.ts";
import { requireCapability } from "../../platform/capability.ts";
import { closedWindow } from "../../platform/listed_windows.ts";
import { addressOf } from "../recording/recording.ts";
import { Recordings } from "../recording/recordings.ts";
import type { Session } from "../session.ts";
import { LiveScreen, type LiveViewer } from "./live_screen.ts";
import type { LiveMessage } from "./message.ts";

export type { Photograph } from "./encoder.ts";
export type { LiveMessage } from "./message.ts";
export type { LiveViewer } from "./live_screen.ts";

/** Of all displays. */
const MAX_VIEWERS = 100;

interface WatchOptions {
  readonly display_num: number;
  /** The id of the one window that is shown; what covers it is seen too. */
  readonly window?: string | undefined;
  /** The process that it must be of: the window of another one can have got its id. */
  readonly pid?: number | null | undefined;
}

export class LiveDisplays implements AsyncDisposable {
  readonly #screens = new Map<number, LiveScreen>();
  readonly #end = new AbortController();

  private constructor(
    private readonly displays: Displays,
    private readonly recordings: Recordings,
  ) {}

  static openIn(session: Session): LiveDisplays {
    return new LiveDisplays(session.platform.displays, session.use(Recordings));
  }

  /**
   * Begins to send what a display shows, at first its size and all of it, until the result is
   * disposed of. Whether the caller may see it is checked by who calls this.
   * @throws ServiceError `unavailable`: there is no such display now, or 100 watch already;
   * `not_found`: there is no such window; `unsupported`: this display, or this system's windows,
   * cannot be watched
   */
  async watch(
    { display_num, window, pid }: WatchOptions,
    send: (message: LiveMessage) => void,
  ): Promise<LiveViewer> {
    this.#checkRoom();
    const { signal } = this.#end;
    const display = await this.displays.open(display_num);
    addressOf(display, "watched");
    const wanted = window === undefined ? undefined : { id: window, pid };
    const seen = wanted && await findWindowView(display, wanted, signal);
    signal.throwIfAborted();
    this.#checkRoom(); // others can have come meanwhile
    const view = seen?.view ?? "all";
    const viewer = this.#screenOf(display_num).add({ send, view });
    if (seen === undefined || wanted === undefined) return viewer;
    if (view === "hidden") viewer.deliver({ kind: "gone", reason: seen.reason });
    const onChange: Parameters<typeof followWindow>[0]["onChange"] = (now) =>
      viewer.show(now.view, now.reason);
    const followed = { displays: this.displays, displayNum: display_num, window: wanted, onChange };
    void followWindow(followed, viewer.left);
    return viewer;
  }

  /** A display that somebody watches now; without a number, the first one. */
  watched(displayNum?: number): Pick<LiveScreen, "photograph"> | undefined {
    const found = this.#screens.entries().find(([number, { viewers }]) =>
      viewers > 0 && (displayNum ?? number) === number
    );
    return found?.[1];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new ServiceError("unavailable", "The service is stopping"));
    const screens = [...this.#screens.values()];
    this.#screens.clear();
    await Promise.all(screens.map((screen) => screen[Symbol.asyncDispose]()));
  }

  #checkRoom(): void {
    const viewers = [...this.#screens.values()].reduce((sum, screen) => sum + screen.viewers, 0);
    if (viewers < MAX_VIEWERS) return;
    const text = `${MAX_VIEWERS} viewers are already watching, which is the maximum`;
    throw new ServiceError("unavailable", text);
  }

  #screenOf(displayNum: number): LiveScreen {
    const known = this.#screens.get(displayNum);
    if (known !== undefined) return known;
    const screen: LiveScreen = new LiveScreen({
      displays: this.displays,
      displayNum,
      masksOf: (display) => this.recordings.masksOf(display),
      onIdle: () => {
        void screen[Symbol.asyncDispose]();
        this.#screens.delete(displayNum);
      },
    });
    this.#screens.set(displayNum, screen);
    return screen;
  }
}

// Follows one window for a viewer that sees nothing else of the display.

/** A window that is dragged is followed so often. */
const MOVE_INTERVAL_MS = 50;
/** A display that is gone is looked for so often. */
const RETRY_MS = 500;

interface WindowView {
  readonly view: Region | "hidden";
  /** Why nothing of it can be seen. */
  readonly reason: string;
}

interface WantedWindow {
  readonly id: WindowId;
  /** The process that it must be of, where it matters and is known. */
  readonly pid: number | null | undefined;
}

/** @throws ServiceError `not_found`: it is closed; `unsupported`: its place is not known here */
export async function findWindowView(
  { windows, size }: Display,
  { id, pid }: WantedWindow,
  signal: AbortSignal,
): Promise<WindowView> {
  const found = await requireCapability(windows).find(id, signal);
  if (typeof pid === "number" && found.pid !== pid) throw closedWindow(id);
  const { frame, states } = found;
  if (frame === null) {
    const message = "This system does not report the positions of its windows";
    throw new ServiceError("unsupported", message);
  }
  const state = (["minimized", "hidden"] as const).find((each) => states.includes(each));
  if (state !== undefined) return { view: "hidden", reason: `The window is ${state}` };
  const view = overlap(frame, { x: 0, y: 0, ...size });
  return view === undefined
    ? { view: "hidden", reason: "The window is off the screen" }
    : { view, reason: "" };
}

interface Followed {
  readonly displays: Displays;
  readonly displayNum: number;
  readonly window: WantedWindow;
  readonly onChange: (now: WindowView) => void;
}

/** Until the window is closed, or the signal aborts. Never rejects. */
async function followWindow(followed: Followed, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOn(followed, signal);
    } catch (error) {
      if (signal.aborted) return;
      followed.onChange({ view: "hidden", reason: describe(error) });
      if (hasCode(error, "not_found")) return; // no other window gets its id
    }
    await pause(RETRY_MS, signal).catch(() => {}); // the loop ends then
  }
}

async function followOn(
  { displays, displayNum, window, onChange }: Followed,
  signal: AbortSignal,
): Promise<never> {
  const display = await displays.open(displayNum);
  while (true) {
    const changed = requireCapability(display.windows).changed(signal);
    changed.catch(() => {}); // the place may not be found before
    onChange(await findWindowView(display, window, signal));
    await changed;
    await pause(MOVE_INTERVAL_MS, signal);
  }
}

function describe(error: unknown): string {
  if (hasCode(error, "not_found")) return "The window is closed";
  return error instanceof ServiceError ? error.message : "The window cannot be found";
}
