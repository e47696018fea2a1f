/** The types of requests and events, taken from the tables. */

import type { InterfaceName, INTERFACES } from "./mod.ts";

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
