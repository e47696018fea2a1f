/** One who watches a display, as the thread that answers requests knows it. */

import type { Size } from "../../platform/types/mod.ts";
import type { View } from "./live_picture.ts";
import type { LiveMessage } from "./message.ts";

export interface LiveViewer extends Disposable {
  /**
   * Tells that a message with pixels is on the viewer's screen, and all before it. One that does not
   * tell gets nothing more after two of them; other numbers count for nothing.
   */
  acknowledge(id: number): void;
  /** Of what it sees, as it was last told. */
  readonly size: Size;
}

export interface ViewerOptions {
  readonly send: (message: LiveMessage) => void;
  readonly isLossless: boolean;
  readonly view: View;
  readonly size: Size;
}

interface ViewerEvents {
  onAcknowledge(id: number): void;
  /** It sees something else. */
  onView(): void;
  onLeave(): void;
}

export class Viewer implements LiveViewer {
  #size: Size;
  #view: View;
  #sent = 0;
  #acknowledged = 0;
  readonly #left = new AbortController();
  /** Aborts when it leaves. */
  readonly left = this.#left.signal;

  constructor(private readonly options: ViewerOptions, private readonly events: ViewerEvents) {
    this.#size = options.size;
    this.#view = options.view;
  }

  get size(): Size {
    return this.#size;
  }

  get view(): View {
    return this.#view;
  }

  get isLossless(): boolean {
    return this.options.isLossless;
  }

  deliver(message: LiveMessage): void {
    if (this.left.aborted) return;
    if (message instanceof ArrayBuffer) this.#count(new DataView(message).getUint32(0, true));
    else if (message.kind === "size") {
      this.#size = { width: message.width, height: message.height };
    }
    try {
      this.options.send(message);
    } catch {
      this[Symbol.dispose](); // its connection has ended
    }
  }

  /** Passes on no more than it was sent, whatever a client sends. */
  acknowledge(id: number): void {
    if (this.left.aborted || !Number.isInteger(id)) return;
    if (id <= this.#acknowledged || id > this.#sent) return;
    this.#acknowledged = id;
    this.events.onAcknowledge(id);
  }

  /** @param reason why it sees nothing, for `hidden` */
  show(view: View, reason: string): void {
    if (this.left.aborted || JSON.stringify(view) === JSON.stringify(this.#view)) return;
    const was = this.#view;
    this.#view = view;
    if (view === "hidden") this.deliver({ kind: "gone", reason });
    else if (was === "hidden") this.deliver({ kind: "back" });
    this.events.onView();
  }

  [Symbol.dispose](): void {
    if (this.left.aborted) return;
    this.#left.abort();
    this.events.onLeave();
  }

  /** A new thread begins to count anew. */
  #count(id: number): void {
    this.#sent = id;
    this.#acknowledged = Math.min(this.#acknowledged, id - 1);
  }
}
