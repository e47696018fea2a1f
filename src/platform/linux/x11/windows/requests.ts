/** Requests about windows, of which many share a packet; a window that has closed has no answer. */

import { throwUnless } from "../../../../core/errors.ts";
import { EventLoopYielder } from "../../../../core/event_loop_yielder.ts";
import { RAW_CUT_MARK } from "../../../../core/texts.ts";
import {
  ANY_TYPE,
  type Callback,
  isXError,
  type RequestArguments,
  type XClient,
} from "../client.ts";
import type { X11Connection } from "../connection.ts";
import { readWords } from "../window_queries.ts";

/** Windows whose answers are awaited together: those of more would hold up other requests. */
export const AT_ONCE = 32;
/** Windows that a list has: more than anybody opens, and a program can open any number. */
export const MAX_LISTED = 1_000;
/** Words of four bytes that are read of a property: more windows than any list names. */
const MAX_WORDS = 16_384;
/** The same of a title, a class or a short list: more than any screen shows of it. */
export const TEXT_WORDS = 256;
const LATIN1 = new TextDecoder("latin1");

export interface Property {
  readonly type: number;
  readonly data: Uint8Array;
}

export class WindowRequests {
  constructor(readonly connection: X11Connection) {}

  /** Sends a request with whatever is sent next; {@link flush} sends what waits. */
  ask<Name extends keyof XClient>(name: Name, ...args: RequestArguments<Name>) {
    return this.connection.requestPatiently(name, ...args);
  }

  /** Sends several requests, of which the first error is that of all: one promise for many answers. */
  askAll<T extends readonly unknown[]>(
    requests: { readonly [K in keyof T]: (done: Callback<T[K]>) => void },
  ): Promise<T> {
    const answers: unknown[] = [];
    let left = requests.length;
    return this.connection.call<T>((done) => {
      for (const [index, send] of requests.entries()) {
        send((error, answer) => {
          answers[index] = answer;
          left--;
          if (error !== null) done(error, undefined as never);
          else if (left === 0) done(null, answers as unknown as T);
          return true;
        });
      }
    }, { isPatient: true });
  }

  flush(): void {
    if (this.connection.connected) this.connection.client.pack_stream.flush();
  }

  /** The result of requests about a window; `undefined` when it has closed. */
  async unlessClosed<T>(asked: Promise<T>): Promise<T | undefined> {
    this.flush();
    return await asked.catch(throwUnless((error) => this.isClosed(error)));
  }

  /** Whether a request failed because its window has closed. */
  isClosed(error: unknown): boolean {
    return this.connection.connected && isXError(error);
  }

  property(window: number, name: number, maxWords = MAX_WORDS): Promise<Property> {
    return this.ask("GetProperty", 0, window, name, ANY_TYPE, 0, maxWords);
  }

  /** Several properties, of which none is longer than a text can be. */
  properties<T extends readonly Property[]>(
    window: number,
    names: { readonly [K in keyof T]: number },
  ): Promise<T> {
    const requests = names.map((name) => (done: Callback<Property>) =>
      this.connection.client.GetProperty(0, window, name, ANY_TYPE, 0, TEXT_WORDS, done)
    );
    return this.askAll<readonly Property[]>(requests) as Promise<unknown> as Promise<T>;
  }

  /** The numbers of a property; none if the window does not have it. */
  async words(window: number, name: number): Promise<number[]> {
    return readWords((await this.property(window, name)).data);
  }
}

/** What is answered about windows, of which so many are asked about at once. */
export async function inBatches<T>(
  windows: readonly number[],
  ask: (some: readonly number[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const answers: T[] = [];
  const yielder = new EventLoopYielder();
  for (let at = 0; at < windows.length; at += AT_ONCE) {
    answers.push(...await ask(windows.slice(at, at + AT_ONCE)));
    await yielder.yieldIfDue();
  }
  return answers;
}

/** A text property: UTF-8, or Latin-1 in those of old programs. */
export function readText({ data, type }: Property, utf8: number): string {
  const isCut = data.length === 4 * TEXT_WORDS;
  const text = new TextDecoder().decode(data, { stream: isCut }); // without half a character
  const decoded = type !== utf8 && text.includes("\ufffd") ? LATIN1.decode(data) : text;
  return isCut ? `${decoded}${RAW_CUT_MARK}` : decoded;
}

// The atoms of the Extended Window Manager Hints 1.5 and of ICCCM that describe windows.

export const WINDOW_ATOMS = [
  "UTF8_STRING",
  "WM_STATE",
  "WM_CHANGE_STATE",
  "WM_PROTOCOLS",
  "WM_DELETE_WINDOW",
  "_NET_SUPPORTED",
  "_NET_SUPPORTING_WM_CHECK",
  "_NET_CLIENT_LIST",
  "_NET_CLIENT_LIST_STACKING",
  "_NET_ACTIVE_WINDOW",
  "_NET_CLOSE_WINDOW",
  "_NET_MOVERESIZE_WINDOW",
  "_NET_FRAME_EXTENTS",
  "_GTK_FRAME_EXTENTS",
  "_NET_WM_NAME",
  "_NET_WM_PID",
  "_NET_WM_DESKTOP",
  "_NET_WM_WINDOW_TYPE",
  "_NET_WM_WINDOW_TYPE_SPLASH",
  "_NET_WM_STATE",
  "_NET_WM_STATE_MODAL",
  "_NET_WM_STATE_MAXIMIZED_VERT",
  "_NET_WM_STATE_MAXIMIZED_HORZ",
  "_NET_WM_STATE_SHADED",
  "_NET_WM_STATE_HIDDEN",
  "_NET_WM_STATE_FULLSCREEN",
  "_NET_WM_STATE_ABOVE",
  "_NET_WM_STATE_DEMANDS_ATTENTION",
] as const;

export type WindowAtoms = Readonly<Record<typeof WINDOW_ATOMS[number], number>>;

// What the window manager of a display offers, if there is one that follows EWMH.

export interface Manager {
  /** Whether it takes a request or keeps a property. */
  supports(hint: keyof WindowAtoms): boolean;
}

/** `undefined`: there is none, or one that reports nothing. One that has ended leaves its properties. */
export async function findManager(
  requests: WindowRequests,
  atoms: WindowAtoms,
): Promise<Manager | undefined> {
  const { root } = requests.connection;
  const asked = Promise.all([
    requests.words(root, atoms._NET_SUPPORTING_WM_CHECK),
    requests.words(root, atoms._NET_SUPPORTED),
  ]);
  requests.flush();
  const [[check = 0], supported] = await asked;
  if (check === 0) return undefined;
  const own = await requests.unlessClosed(requests.words(check, atoms._NET_SUPPORTING_WM_CHECK));
  if (own?.[0] !== check) return undefined;
  const hints = new Set(supported);
  return { supports: (hint) => hints.has(atoms[hint]) };
}
