/** Types for the part of the untyped `x11` package that the service uses, and numbers of its protocol. */

import x11 from "x11";
import type { Buffer } from "node:buffer";
import { connectLocally } from "./local_stream.ts";

/** The package's convention; returning `true` for an error means "handled". */
export type Callback<T> = (error: XError | null, result: T) => unknown;

/** An error packet of the X server (X protocol, chapter 4). */
export interface XError extends Error {
  readonly error?: number;
}

/** Whether the server has refused a request, for example about a window that has gone. */
export function isXError(error: unknown): boolean {
  return typeof (error as XError | undefined)?.error === "number";
}

interface Visual {
  readonly red_mask: number;
  readonly green_mask: number;
  readonly blue_mask: number;
}

/** The server's description of itself in the connection setup. */
export interface XSetup {
  readonly screen: readonly XScreen[];
  /** Depth -> the layout of its pictures. */
  readonly format: Readonly<
    Record<number, { readonly bits_per_pixel: number; readonly scanline_pad: number }>
  >;
  /** 0: least significant byte first, 1: most significant byte first. */
  readonly image_byte_order: number;
  readonly resource_mask: number; // the bits by which a client tells its own ids apart
  readonly min_keycode: number;
  readonly max_keycode: number;
  readonly client: XClient;
  /** Whether the server is on this computer, reached through a Unix socket. */
  readonly isLocalSocket: boolean;
}

export interface XScreen {
  readonly root: number;
  readonly pixel_width: number;
  readonly pixel_height: number;
  readonly root_depth: number;
  readonly root_visual: number;
  /** Depth -> visual id -> visual. */
  readonly depths: Readonly<Record<number, Readonly<Record<number, Visual>>>>;
}

export interface XEvent {
  readonly name?: string;
  readonly type: number;
  readonly seq: number;
  // deno-lint-ignore no-explicit-any -- every event has fields of its own
  readonly [field: string]: any;
}

export interface XClient {
  readonly display: XSetup;
  /** Name -> atom on this server: see {@link createClient}. */
  atoms: Readonly<Record<string, number>>;
  readonly pack_stream: {
    put(packet: Buffer): void;
    submit(expectsReply?: boolean): boolean;
    /** Packets put so far. */
    readonly stats: { readonly packets: number };
    flush(): boolean;
  };
  seq_num: number;
  replies: Record<number, [unpack: (body: Buffer, byte1: number) => unknown, callback: unknown]>;
  readonly stream: { on(event: "close", listener: () => void): void; destroy(): void };
  on(event: string, listener: (value: never) => void): void;
  terminate(): void;
  require(extension: string, callback: Callback<never>): void;
  AllocID(): number;
  ChangeWindowAttributes(window: number, values: { eventMask: number }): void;
  CreateWindow(
    window: number,
    parent: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
    depth: number,
    windowClass: number,
    visual: number,
    values: Record<string, number>,
  ): void;
  DestroyWindow(window: number): void;
  GetInputFocus(callback: Callback<{ focus: number }>): void;
  /** @param revertTo 1: to the window under the cursor */
  SetInputFocus(window: number, revertTo: number): void;
  /** `destX` and `destY` are the point as `to` counts it, `child` the child of `to` there. */
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    callback: Callback<{ child: number; destX: number; destY: number }>,
  ): void;
  QueryPointer(
    window: number,
    callback: Callback<{ rootX: number; rootY: number; child: number; keyMask: number }>,
  ): void;
  /** 0: it was granted, 1: another client has it. */
  GrabPointer(
    window: number,
    ownerEvents: 0 | 1,
    mask: number,
    pointerMode: number,
    keyboardMode: number,
    confineTo: number,
    cursor: number,
    time: number,
    callback: Callback<number>,
  ): void;
  GrabKeyboard(
    window: number,
    ownerEvents: 0 | 1,
    time: number,
    pointerMode: number,
    keyboardMode: number,
    callback: Callback<number>,
  ): void;
  /** `klass` 1: it can show something. */
  GetWindowAttributes(
    window: number,
    callback: Callback<
      { klass: number; mapState: number; overrideRedirect: number; allEventMasks: number }
    >,
  ): void;
  /** As the server draws it, in pixels relative to its parent. */
  GetGeometry(
    drawable: number,
    callback: Callback<{ width: number; height: number; borderWidth: number }>,
  ): void;
  /** @param values `stackMode` 0: on top */
  ConfigureWindow(
    window: number,
    values: { x?: number; y?: number; width?: number; height?: number; stackMode?: number },
  ): void;
  /** The children from the bottom to the top. */
  QueryTree(window: number, callback: Callback<{ parent: number; children: number[] }>): void;
  QueryKeymap(callback: Callback<Uint8Array>): void;
  InternAtom(onlyIfExists: boolean, name: string, callback: Callback<number>): void;
  GetProperty(
    del: 0 | 1,
    window: number,
    name: number,
    type: number,
    offset: number,
    length: number,
    callback: Callback<{ type: number; bytesAfter: number; data: Buffer<ArrayBuffer> }>,
  ): void;
  ChangeProperty(
    mode: number,
    window: number,
    name: number,
    type: number,
    units: number,
    data: readonly number[] | Buffer,
  ): void;
  DeleteProperty(window: number, name: number): void;
  /** An owner of 0 takes it from whoever has it. */
  SetSelectionOwner(owner: number, selection: number, time: number): void;
  GetSelectionOwner(selection: number, callback: Callback<number>): void;
  ConvertSelection(
    requestor: number,
    selection: number,
    target: number,
    property: number,
    time: number,
  ): void;
  /** Lets the programs of a host or a user connect. */
  ChangeHosts(mode: number, family: number, address: Uint8Array): void;
  ListProperties(window: number, callback: Callback<number[]>): void;
  GetAtomName(atom: number, callback: Callback<string>): void;
  /** `event` is a packet of 32 bytes, or the fields of an {@link XEvent}. */
  SendEvent(
    destination: number,
    propagate: boolean,
    eventMask: number,
    event: Buffer | Readonly<Record<string, number | string>>,
  ): void;
  SendClientMessage(
    destination: number,
    window: number,
    type: number,
    format: number,
    data: readonly number[],
    eventMask: number,
  ): void;
  GetImage(
    format: number,
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planes: number,
    callback: Callback<{ depth: number; data: Buffer }>,
  ): void;
}

/** What a request that has an answer takes, by its name, and what it answers. */
export type RequestArguments<Name extends keyof XClient> = XClient[Name] extends
  (...all: infer All) => void
  ? All extends [...infer Arguments, Callback<never>] ? Arguments : never
  : never;
export type RequestAnswer<Name extends keyof XClient> = XClient[Name] extends
  (...all: infer All) => void ? All extends [...unknown[], Callback<infer Answer>] ? Answer : never
  : never;

/** XTEST, version 2.2. */
export interface XTest {
  readonly KeyPress: number;
  readonly KeyRelease: number;
  readonly ButtonPress: number;
  readonly ButtonRelease: number;
  readonly MotionNotify: number;
  FakeInput(type: number, detail: number, time: number, root: number, x: number, y: number): void;
  GrabControl(impervious: boolean): void;
}

/** The parts of the X Keyboard Extension that the package implements. */
export interface Xkb {
  readonly majorOpcode: number;
  readonly UseCoreKbd: number;
  readonly EventType: Readonly<Record<string, number>>;
  GetState(device: number, callback: Callback<XkbState>): void;
  LatchLockState(
    device: number,
    affectModLocks: number,
    modLocks: number,
    lockGroup: boolean,
    group: number,
    affectModLatches: number,
    modLatches: number,
    latchGroup: boolean,
    groupLatch: number,
  ): void;
  SelectEvents(
    device: number,
    affectWhich: number,
    clear: number,
    selectAll: number,
    affectMap: number,
    map: number,
    details?: Record<string, readonly [number, number]>,
  ): void;
}

export interface XkbState {
  /** Modifiers that are physically down. */
  readonly baseMods: number;
  readonly lockedMods: number;
  readonly latchedMods: number;
  /** The effective group, from 0. */
  readonly group: number;
}

/** Opens a connection; the package calls `callback` once, with the setup or an error. */
export function createClient(
  options: {
    readonly display: string;
    readonly bufferRequests: true | { readonly flushOnReply: boolean };
    /** Without it the package looks the cookie up itself. */
    readonly auth?: { readonly name: string; readonly data: string } | undefined;
  },
  callback: (error: Error | undefined, setup: XSetup) => void,
): XClient {
  const stream = connectLocally(options.display);
  // without a cookie the package looks for one, as it does for streams of its own
  const all = { auth: undefined, shm: false, ...options, stream };
  return x11.createClient(all, (error: Error | undefined, setup: XSetup) => {
    // the package keeps the atoms of all connections in one table, but atoms differ between servers
    if (setup) setup.client.atoms = { ...setup.client.atoms };
    if (setup && stream) Object.assign(setup, { isLocalSocket: true });
    callback(error, setup);
  });
}

/** Parses a display name such as `:1.0`. @throws Error when it is no display name. */
export function parseDisplayName(
  name: string,
): { host: string; displayNum: number; screenNum: number } {
  const { host, displayNum, screenNum } = x11.parseDisplay(name);
  return { host: host ?? "", displayNum: Number(displayNum), screenNum: Number(screenNum) };
}

/** Masks of the events that can be selected (X protocol, SETofEVENT). */
export const EVENT_MASK = {
  structureNotify: 1 << 17,
  substructureNotify: 1 << 19,
  substructureRedirect: 1 << 20,
  propertyChange: 1 << 22,
} as const;

// Numbers of the X protocol that requests and answers carry.

/** No window, and no atom: also the type of a property that is not there. */
export const NONE = 0;
/** The focus follows the cursor. Windows have greater ids than this and `NONE`. */
export const POINTER_ROOT = 1;
/** A time: when the server reads the request. */
export const CURRENT_TIME = 0;

/** The class of a window that is never drawn, and the state of one that can be seen. */
export const INPUT_ONLY = 2;
export const VIEWABLE = 2;

/** What happens to the content that a property has, and that a change gave it a new one. */
export const REPLACE = 0;
export const APPEND = 2;
export const NEW_VALUE = 0;

/** The type of a property: any. */
export const ANY_TYPE = 0;

/** Atoms that every server has under the same number. */
export const PREDEFINED = {
  ATOM: 4,
  CARDINAL: 6,
  INTEGER: 19,
  STRING: 31,
  WM_HINTS: 35,
  WM_CLIENT_MACHINE: 36,
  WM_NAME: 39,
  WM_CLASS: 67,
} as const;
