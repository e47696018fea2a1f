/** Every interface that this program speaks, by its name. */

import type { ProtocolTable } from "../wire/encoding.ts";
import * as tables from "./tables.ts";

// The protocol of input-method-unstable-v2.xml, written by hand: no package of Debian 12 has the
// file. Only what an input method without keyboard grab and popup needs.

const input_method = {
  zwp_input_method_v2: {
    version: 1,
    requests: [
      { name: "commit_string", args: ["text:string"] },
      { name: "set_preedit_string", args: ["text:string", "cursor_begin:int", "cursor_end:int"] },
      { name: "delete_surrounding_text", args: ["before_length:uint", "after_length:uint"] },
      { name: "commit", args: ["serial:uint"] },
      { name: "get_input_popup_surface", args: ["id:new_id", "surface:object:wl_surface"] },
      { name: "grab_keyboard", args: ["keyboard:new_id"] },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [
      { name: "activate", args: [] },
      { name: "deactivate", args: [] },
      { name: "surrounding_text", args: ["text:string", "cursor:uint", "anchor:uint"] },
      { name: "text_change_cause", args: ["cause:uint"] },
      { name: "content_type", args: ["hint:uint", "purpose:uint"] },
      { name: "done", args: [] },
      { name: "unavailable", args: [] },
    ],
    errors: { role: 0 },
  },
  zwp_input_method_manager_v2: {
    version: 1,
    requests: [
      {
        name: "get_input_method",
        args: ["seat:object:wl_seat", "input_method:new_id:zwp_input_method_v2"],
      },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
  },
} as const satisfies ProtocolTable;

// The protocol of virtual-keyboard-unstable-v1.xml, written by hand: no package of Debian 12 has the
// file.

const virtual_keyboard = {
  zwp_virtual_keyboard_v1: {
    version: 1,
    requests: [
      { name: "keymap", args: ["format:uint", "fd:fd", "size:uint"] },
      { name: "key", args: ["time:uint", "key:uint", "state:uint"] },
      {
        name: "modifiers",
        args: ["mods_depressed:uint", "mods_latched:uint", "mods_locked:uint", "group:uint"],
      },
      { name: "destroy", destructor: true, args: [] },
    ],
    events: [],
    errors: { no_keymap: 0 },
  },
  zwp_virtual_keyboard_manager_v1: {
    version: 1,
    requests: [
      {
        name: "create_virtual_keyboard",
        args: ["seat:object:wl_seat", "id:new_id:zwp_virtual_keyboard_v1"],
      },
    ],
    events: [],
    errors: { unauthorized: 0 },
  },
} as const satisfies ProtocolTable;

export const INTERFACES = {
  ...tables.wayland,
  ...tables.xdg_output,
  ...tables.wlr_virtual_pointer,
  ...virtual_keyboard,
  ...input_method,
  ...tables.wlr_screencopy,
  ...tables.wlr_data_control,
  ...tables.wlr_foreign_toplevel,
  ...tables.kde_fake_input,
  ...tables.kde_keystate,
} as const;

export type InterfaceName = keyof typeof INTERFACES;

// The types of requests and events, taken from the tables.

type Tables = typeof INTERFACES;
type Request<I extends InterfaceName> = Tables[I]["requests"][number];
type Event<I extends InterfaceName> = Tables[I]["events"][number];

/**
 * An object of the compositor. What is sent to an object that has ended, or after the compositor has
 * gone, has no effect.
 */
export interface WaylandObject<I extends InterfaceName> {
  readonly id: number;
  readonly interface: I;
  /** The version that was bound; requests of later ones must not be sent. */
  readonly version: number;
  /** `false` once it was destroyed. */
  readonly isAlive: boolean;
  /**
   * Sends a request; returns the object that it makes, if it makes one. Requests leave together at
   * the end of the turn, or at once if they pass a descriptor, which the caller may then close.
   */
  send<N extends Request<I>["name"]>(
    request: N,
    ...args: RequestArguments<Extract<Request<I>, { readonly name: N }>["args"]>
  ): NewObject<Extract<Request<I>, { readonly name: N }>["args"]>;
  /** Calls `listener` at each such event; the descriptors in it belong to the listener. */
  on<N extends Event<I>["name"]>(
    event: N,
    listener: (...args: EventArguments<Extract<Event<I>, { readonly name: N }>["args"]>) => void,
  ): void;
}

/** `never` where no table has the interface. */
type Known<I> = I extends InterfaceName ? WaylandObject<I> : never;

type ValueOf<T> = T extends `?${infer Rest}` ? ValueOf<Rest> | undefined
  : T extends "int" | "uint" | "fixed" | "fd" ? number
  : T extends "string" ? string
  : T extends "array" ? Uint8Array
  : T extends `object:${infer I}` | `new_id:${infer I}` ? Known<I>
  : T extends "object" ? number
  : never;

type TypeOf<A> = A extends `${string}:${infer T}` ? T : never;

type RequestArguments<A extends readonly string[]> = A extends
  readonly [infer First, ...infer Rest extends readonly string[]]
  ? TypeOf<First> extends `new_id${string}` ? RequestArguments<Rest>
  : [ValueOf<TypeOf<First>>, ...RequestArguments<Rest>]
  : [];

type EventArguments<A extends readonly string[]> = {
  -readonly [I in keyof A]: ValueOf<TypeOf<A[I]>>;
};

type NewObject<A extends readonly string[]> = TypeOf<A[number]> extends infer T
  ? [Extract<T, `new_id:${string}`>] extends [never] ? void
  : Extract<T, `new_id:${string}`> extends `new_id:${infer I}` ? Known<I>
  : void
  : never;
