/** One who watches a display, as the thread that answers requests knows it. */

import type { View } from "./live_picture.ts";
import type { LiveMessage } from "./message.ts";

export interface LiveViewer extends Disposable {
  /**
   * Tells that a message with pixels is on the viewer's screen, and all before it. One that does not
   * tell gets nothing more after two of them; other whole numbers count for nothing.
   */
  acknowledge(id: number): void;
}

export interface ViewerOptions {
  readonly send: (message: LiveMessage) => void;
  readonly view: View;
}

interface ViewerEvents {
  onAcknowledge(id: number): void;
  /** It sees something else. */
  onView(): void;
  onLeave(): void;
}

export class Viewer implements LiveViewer {
  #view: View;
  readonly #left = new AbortController();
  /** Aborts when it leaves. */
  readonly left = this.#left.signal;

  constructor(private readonly options: ViewerOptions, private readonly events: ViewerEvents) {
    this.#view = options.view;
  }

  get view(): View {
    return this.#view;
  }

  deliver(message: LiveMessage): void {
    if (this.left.aborted) return;
    try {
      this.options.send(message);
    } catch {
      this[Symbol.dispose](); // its connection has ended
    }
  }

  acknowledge(id: number): void {
    if (!this.left.aborted) this.events.onAcknowledge(id);
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
}
