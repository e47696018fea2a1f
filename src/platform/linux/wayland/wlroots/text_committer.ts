/**
 * Text as an input method commits it, for characters that some programs cannot take from a key:
 * Chromium cuts the characters of keys to 16 bits.
 */

import { pause, within } from "../../../../core/deadline.ts";
import type { WaylandClient } from "../client.ts";
import type { WaylandObject } from "../protocols/types.ts";
import type { Seat } from "../seat.ts";

/** How long a program has to report the field that has the focus. */
const ACTIVATE_MS = 500;
/** Rest before and after committed text: programs may take keys and text by two ways. */
const REST_MS = 5;
/** `zwp_text_input_v3.content_purpose.terminal` */
const TERMINAL = 13;
/** `zwp_text_input_v3.change_cause.input_method`, which is also what is reported for none. */
const NO_CAUSE = 0;
const UNICODE_KEYSYM = 0x1000000;
const LAST_OF_16_BITS = 0xffff;

/** Whether a keysym stands for a character beyond 16 bits. */
export function isBeyond16Bits(keysym: number): boolean {
  return keysym > UNICODE_KEYSYM + LAST_OF_16_BITS;
}

/** An input method for the time of one text. */
export class TextCommitter implements Disposable {
  readonly #method: WaylandObject<"zwp_input_method_v2">;
  readonly #activated = Promise.withResolvers<void>();
  /** The state as it is reported, until `done` makes it valid. */
  #pending = { isActive: false, takesKeys: false };
  #isReady = false;
  /** The number of states, which a commit refers to. */
  #serial = 0;

  private constructor(private readonly client: WaylandClient, seat: Seat) {
    const manager = client.bind("zwp_input_method_manager_v2", 1);
    this.#method = manager.send("get_input_method", seat.object);
    manager.send("destroy");
    this.#method.on("activate", () => this.#pending = { isActive: true, takesKeys: false });
    this.#method.on("deactivate", () => this.#pending.isActive = false);
    this.#method.on("text_change_cause", (cause) => {
      if (cause !== NO_CAUSE) this.#pending.takesKeys = true;
    });
    this.#method.on("content_type", (_hint, purpose) => {
      if (purpose === TERMINAL) this.#pending.takesKeys = true;
    });
    this.#method.on("done", () => this.#apply());
    this.#method.on("unavailable", () => this.#activated.resolve()); // the user has one
  }

  /** `undefined` where the compositor has no input methods. */
  static async open(client: WaylandClient, seat: Seat): Promise<TextCommitter | undefined> {
    if (client.globals.find("zwp_input_method_manager_v2") === undefined) return undefined;
    const committer = new TextCommitter(client, seat);
    await within(committer.#activated.promise, ACTIVATE_MS);
    return committer;
  }

  /**
   * Whether the focused program needs committed text. GTK does not, and would put it before keys that
   * came earlier; it is known by the cause that it reports when a field gets the focus. Terminals do
   * not, and foot ignores what is committed while its own state changes.
   */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Sends text to the focused field. */
  async commit(keysyms: readonly number[], signal?: AbortSignal): Promise<void> {
    await pause(REST_MS, signal);
    const text = String.fromCodePoint(...keysyms.map((keysym) => keysym - UNICODE_KEYSYM));
    this.#method.send("commit_string", text);
    this.#method.send("commit", this.#serial);
    await this.client.roundtrip();
    await pause(REST_MS, signal);
  }

  [Symbol.dispose](): void {
    this.#method.send("destroy");
  }

  #apply(): void {
    this.#serial++;
    this.#isReady = this.#pending.isActive && !this.#pending.takesKeys;
    if (this.#pending.isActive) this.#activated.resolve();
  }
}
