/**
 * Asks the server, right after a press, whether a client has it: the client that gets the press of
 * a button holds the pointer until the release (an "implicit grab"), whichever protocol it uses.
 * Asking is a request for a grab by a window that is never shown, which the server refuses for
 * either reason without any effect.
 */

import type { Callback, XClient, XTest } from "./client.ts";
import type { X11Connection } from "./connection.ts";

/** Requests that nothing else needs. */
interface Grabbing extends XClient {
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
}

const INPUT_ONLY = 2;
const ASYNCHRONOUS = 1;
const ALREADY_GRABBED = 1;
const RELATIVE = 1;
/** A window manager that gets a press first has this long to hand it on, in milliseconds. */
const HAND_ON_MS = 60;
/** Presses that are asked about: the others of one operation fare alike. */
const MAX_PROBES = 3;

/** What the server says about one press. */
export interface ProbeAnswer {
  readonly kind: "button" | "key";
  /** Whether another client holds the pointer, or the keyboard. */
  readonly isHeld: boolean;
  /** The child of the root under the cursor, and the window with the keyboard focus. */
  readonly frame: number;
  readonly focus: number;
}

/** Creates the window by which a server is asked; it is never shown. */
export function createProbeWindow({ client, root }: X11Connection): number {
  const window = client.AllocID();
  client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, { overrideRedirect: 1 });
  return window;
}

export class PressProbe {
  readonly answers: Promise<ProbeAnswer>[] = [];

  constructor(
    private readonly connection: X11Connection,
    private readonly xtest: XTest,
    private readonly window: number,
  ) {}

  /** Sent between the press and the release; the server itself waits in between. */
  afterButton(): void {
    if (this.answers.length >= MAX_PROBES) return;
    // a motion by nothing, for its delay
    this.xtest.FakeInput(this.xtest.MotionNotify, RELATIVE, HAND_ON_MS, 0, 0, 0);
    this.#ask("button", { isPatient: true });
  }

  afterKey(): void {
    if (this.answers.length < MAX_PROBES) this.#ask("key", { isPatient: true });
  }

  /** Asks now. */
  look(kind: ProbeAnswer["kind"]): Promise<ProbeAnswer> {
    return this.#query(kind, { isPatient: false });
  }

  #ask(kind: ProbeAnswer["kind"], how: { readonly isPatient: boolean }): void {
    const answer = this.#query(kind, how);
    answer.catch(() => {}); // reported to those who wait for it
    this.answers.push(answer);
  }

  async #query(
    kind: ProbeAnswer["kind"],
    how: { readonly isPatient: boolean },
  ): Promise<ProbeAnswer> {
    const { connection, window } = this;
    const { root } = connection;
    const client = connection.client as Grabbing;
    const [status, { child }, { focus }] = await Promise.all([
      connection.call<number>(
        (done) =>
          kind === "button"
            ? client.GrabPointer(window, 0, 0, ASYNCHRONOUS, ASYNCHRONOUS, 0, 0, 0, done)
            : client.GrabKeyboard(window, 0, 0, ASYNCHRONOUS, ASYNCHRONOUS, done),
        how,
      ),
      connection.call<{ child: number }>((done) => client.QueryPointer(root, done as never), how),
      connection.call<{ focus: number }>((done) => client.GetInputFocus(done), how),
    ]);
    return { kind, isHeld: status === ALREADY_GRABBED, frame: child, focus };
  }
}
