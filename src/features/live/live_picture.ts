/** One display in the thread that reads it: its picture, its cursor, and what each viewer has of them. */

import { Buffer } from "node:buffer";
import { pause } from "../../core/deadline.ts";
import { Waiters } from "../../core/shared_run.ts";
import { blackened, boxAround, changedBox, joinAreas, overlap } from "../../imaging/boxes.ts";
import { encodePngWithAlpha } from "../../imaging/png.ts";
import { openScreen } from "../../platform/screens.ts";
import type {
  CursorPicture,
  Point,
  Region,
  Screen,
  ScreenAddress,
  Size,
} from "../../platform/types/mod.ts";
import { Encoder, type Photograph } from "./encoder.ts";
import { type Copy, Frame, type FrameListener } from "./frame.ts";
import { composeMessage, type CursorLook, type LiveMessage, type LiveNote } from "./message.ts";
import { type Due, STILL_MS, ViewerTiles } from "./viewer_tiles.ts";

/** What is seen of a display: a part of it, or nothing now. */
export type View = Region | "all" | "hidden";

export interface FromThread {
  readonly viewer: number;
  readonly message: LiveMessage;
}

type Notify = (news: FromThread, transfer: readonly Transferable[]) => void;

interface OnScreen {
  readonly screen: ScreenAddress;
  readonly size: Size;
  /** What is black, in pixels of the display. */
  readonly masks: readonly Region[];
}

interface ViewerState {
  readonly number: number;
  readonly view: View;
  /** Absent until there is a picture. */
  tiles: ViewerTiles | undefined;
  /** What it has to be told of the cursor. */
  cursorDue: "all" | "position" | undefined;
}

const NOTHING: Region = { x: 0, y: 0, width: 0, height: 0 };
const NEVER = new AbortController().signal;
/** More areas are captured as the box around them; each costs a question to the server. */
const MAX_AREAS = 8;

export class LivePicture implements FrameListener {
  readonly #viewers = new Map<number, ViewerState>();
  #screen: Screen | undefined;
  #address = "";
  #frame: Frame | undefined;
  #cursor: CursorFollower | undefined;
  #refining: ReturnType<typeof setTimeout> | undefined;
  readonly #ready = new Waiters();

  private constructor(
    private readonly notify: Notify,
    private readonly encoder: Encoder,
    private readonly openAt: typeof openScreen,
  ) {}

  /** @param openAt opens the screen at an address; another one in tests */
  static async open(notify: Notify, openAt = openScreen): Promise<LivePicture> {
    return new LivePicture(notify, await Encoder.open(), openAt);
  }

  /** Begins to send to a viewer, or shows it another part. */
  setView({ viewer: number, view }: { readonly viewer: number; readonly view: View }): void {
    const tiles = this.#viewers.get(number)?.tiles;
    const viewer: ViewerState = { number, view, tiles, cursorDue: "all" };
    this.#viewers.set(number, viewer);
    if (this.#frame !== undefined) this.#begin(viewer, this.#frame);
    this.#followCursor();
    this.#send(viewer);
    this.#ready.notify();
  }

  remove({ viewer }: { readonly viewer: number }): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size > 0) return;
    this.#stopCursor();
    clearTimeout(this.#refining);
    this.#refining = undefined;
    this.encoder.forget();
  }

  acknowledge({ viewer: number, id }: { readonly viewer: number; readonly id: number }): void {
    const viewer = this.#viewers.get(number);
    if (!viewer?.tiles?.acknowledge(id)) return;
    this.#send(viewer);
    this.#ready.notify();
  }

  /** Resolves when somebody can take a picture. */
  async wanted(_: undefined): Promise<void> {
    const canTake = ({ view, tiles }: ViewerState) => view !== "hidden" && tiles?.canTake !== false;
    while (![...this.#viewers.values()].some(canTake)) await this.#ready.wait(NEVER);
  }

  /**
   * Takes over what the areas show now, and sends it to all who can take it.
   * @returns whether anything differs, and whether the cursor is part of the picture
   * @throws ServiceError `conflict`: the screen has another size now; `unavailable`: it is gone
   */
  async capture({ screen: address, size, areas, masks }: OnScreen & {
    readonly areas: readonly Region[];
  }): Promise<{ readonly differs: boolean; readonly drawsCursor: boolean }> {
    const screen = await this.#open(address);
    const frame = this.#frameOf(size);
    const drawsCursor = screen.cursorPicture === undefined;
    const cursor = drawsCursor ? "shown" : "hidden";
    let differs = false;
    for (const area of fewer(areas, address)) {
      differs = await screen.capture(area, { cursor }, (picture) =>
        frame.merge(area, blackened(picture, area, masks), this)) || differs;
      frame.isComplete ||= area.width === size.width && area.height === size.height;
    }
    if (differs) this.encoder.beginPicture();
    for (const viewer of this.#viewers.values()) this.#send(viewer);
    return { differs, drawsCursor };
  }

  /** Of what was captured last; `undefined` while there is no picture. */
  photograph(_: undefined): Photograph | undefined {
    return this.#frame?.isComplete ? this.encoder.photograph(this.#frame) : undefined;
  }

  /** The box of what differs from the picture in a row of the screen. */
  async findChanges({ screen: address, size, row, masks }: OnScreen & {
    readonly row: Region;
  }): Promise<Region | undefined> {
    const screen = await this.#open(address);
    const frame = this.#frame;
    const area = overlap(row, { x: 0, y: 0, ...size });
    if (area === undefined || !frame?.isComplete || !isSame(frame, size)) return area;
    return await screen.capture(area, { cursor: "hidden" }, (picture) => {
      const now = blackened(picture, area, masks);
      const before = (line: number) =>
        frame.pixels.subarray((area.y + line) * frame.width + area.x);
      return changedBox(now, before, { area });
    });
  }

  /** Resolves when nothing is read any more. */
  async close(_: undefined): Promise<void> {
    this.#viewers.clear();
    this.#stopCursor();
    clearTimeout(this.#refining);
    this.#screen?.close();
    await pause(0); // what was being read has failed by then, and its memory is given back
  }

  onCopy(copy: Copy): void {
    for (const { tiles } of this.#viewers.values()) tiles?.move(copy);
  }

  onChange(tile: number): void {
    for (const { tiles } of this.#viewers.values()) tiles?.mark(tile);
  }

  async #open(address: ScreenAddress): Promise<Screen> {
    const name = `${address.backend} ${address.name}`;
    if (this.#screen?.connected && this.#address === name) return this.#screen;
    this.#stopCursor();
    this.#screen?.close();
    this.#screen = undefined;
    this.#screen = await this.openAt(address);
    this.#address = name;
    this.#followCursor();
    return this.#screen;
  }

  /** The picture, a new one where the screen has another size. */
  #frameOf(size: Size): Frame {
    if (this.#frame !== undefined && isSame(this.#frame, size)) return this.#frame;
    const frame = this.#frame = new Frame(size);
    for (const viewer of this.#viewers.values()) this.#begin(viewer, frame);
    return frame;
  }

  /** The viewer has nothing of the picture. */
  #begin(viewer: ViewerState, frame: Frame): void {
    const all = { x: 0, y: 0, width: frame.width, height: frame.height };
    const wanted = viewer.view === "all" ? all : viewer.view;
    const view = wanted === "hidden" ? undefined : overlap(wanted, all);
    viewer.tiles = new ViewerTiles(frame.grid, view ?? NOTHING, viewer.tiles);
    viewer.cursorDue = "all";
    if (view !== undefined) this.#tell(viewer, { kind: "size", ...view });
  }

  /** Sends what is due, unless the viewer has not shown yet what it got. */
  #send(viewer: ViewerState): void {
    const { tiles, view } = viewer;
    if (tiles === undefined || !tiles.canTake) return;
    if (!this.#frame?.isComplete || view === "hidden") return;
    if (viewer.cursorDue !== undefined && this.#cursor !== undefined) {
      const withLook = viewer.cursorDue === "all";
      viewer.cursorDue = undefined;
      this.#tell(viewer, this.#cursor.note(tiles.view, { withLook }));
    }
    const due = tiles.take(this.#frame, performance.now());
    if (due !== undefined) this.#sendPixels(viewer, tiles, due);
    if (tiles.isLossy && tiles.canTake) this.#refineSoon();
  }

  #sendPixels(viewer: ViewerState, tiles: ViewerTiles, { copies, regions, isRefined }: Due): void {
    const parts = regions.map((region) => {
      const encoded = this.encoder.encode(this.#frame!, region, { isExact: isRefined });
      tiles.note(region, encoded.isLossy);
      return { ...encoded, ...region };
    });
    this.#tell(viewer, composeMessage({ id: tiles.nextId(), copies, parts }, tiles.view));
  }

  /** One that can take nothing now is asked again when it can. */
  #refineSoon(): void {
    this.#refining ??= setTimeout(() => {
      this.#refining = undefined;
      for (const viewer of this.#viewers.values()) if (viewer.tiles?.isLossy) this.#send(viewer);
    }, STILL_MS / 4);
  }

  #followCursor(): void {
    const screen = this.#screen;
    if (this.#cursor !== undefined || this.#viewers.size === 0 || !screen?.cursorPicture) return;
    this.#cursor = new CursorFollower(() => screen.cursorPicture!(), (what) => {
      for (const viewer of this.#viewers.values()) {
        if (what === "moved") viewer.cursorDue ??= "position";
        else viewer.cursorDue = "all";
        this.#send(viewer);
      }
    });
  }

  #stopCursor(): void {
    this.#cursor?.stop();
    this.#cursor = undefined;
  }

  #tell({ number }: ViewerState, message: LiveMessage): void {
    const transfer = message instanceof ArrayBuffer ? [message] : [];
    this.notify({ viewer: number, message }, transfer);
  }
}

/** Only an X server gives parts of its screen without drawing them anew; those around a hole are one. */
function fewer(areas: readonly Region[], { backend }: ScreenAddress): readonly Region[] {
  const joined = joinAreas(areas);
  return joined.length > MAX_AREAS || backend !== "x11" ? [boxAround(joined)] : joined;
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

// Follows the cursor of a display for its viewers: no system reports that it moves, so it is read.

/** The pause between two reads: while it moves, and while it rests. */
const MOVING_INTERVAL_MS = 33;
const RESTING_INTERVAL_MS = 120;
/** It counts as moving for so long after it has moved. */
const MOVING_MS = 1_000;
/** Larger ones are decoration, and browsers show none. */
const MAX_SIDE = 128;

class CursorFollower {
  #now: CursorPicture | undefined;
  #look: CursorLook | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #movedAt = -Infinity;
  #isStopped = false;

  /**
   * @param read fails while the display is gone, which others report
   * @param onChange called when it has moved or vanished, or looks different
   */
  constructor(
    private readonly read: () => Promise<CursorPicture | undefined>,
    private readonly onChange: (what: "moved" | "looks different") => void,
  ) {
    void this.#follow();
  }

  /** What a viewer is told. @param origin where its view is on the display */
  note(origin: Point, { withLook }: { readonly withLook: boolean }): LiveNote {
    if (this.#now === undefined) return { kind: "cursor", visible: false, x: 0, y: 0 };
    const { x, y } = this.#now.position;
    const place = { kind: "cursor", visible: true, x: x - origin.x, y: y - origin.y } as const;
    return withLook && this.#look ? { ...place, image: this.#look } : place;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #follow(): Promise<void> {
    const found = await this.read().catch(() => undefined);
    if (this.#isStopped) return;
    const fits = found !== undefined && Math.max(found.image.width, found.image.height) <= MAX_SIDE;
    this.#take(fits ? found : undefined);
    const isMoving = performance.now() - this.#movedAt < MOVING_MS;
    const intervalMs = isMoving ? MOVING_INTERVAL_MS : RESTING_INTERVAL_MS;
    this.#timer = setTimeout(() => void this.#follow(), intervalMs);
  }

  #take(now: CursorPicture | undefined): void {
    const before = this.#now;
    this.#now = now;
    const isSame = now?.position.x === before?.position.x && now?.position.y === before?.position.y;
    if (!isSame) this.#movedAt = performance.now();
    if (now !== undefined && (before === undefined || !looksAlike(now, before))) {
      const png = Buffer.from(encodePngWithAlpha(now.image)).toString("base64");
      this.#look = { png, hot_x: now.hotspot.x, hot_y: now.hotspot.y };
      this.onChange("looks different");
    } else if (!isSame) this.onChange("moved");
  }
}

function looksAlike(one: CursorPicture, other: CursorPicture): boolean {
  const [a, b] = [one.image, other.image];
  return a.width === b.width && a.height === b.height && one.hotspot.x === other.hotspot.x &&
    one.hotspot.y === other.hotspot.y && a.pixels.every((pixel, at) => pixel === b.pixels[at]);
}
