/**
 * Compares pictures of a macOS display at its current place; after a move or a change of scale it
 * counts as another screen.
 */

import { ServiceError } from "../../core/errors.ts";
import type { Look, Looker } from "../comparing/compared_changes.ts";
import type { CursorState, ScreenAddress, Size } from "../types/mod.ts";
import { WorkerLooker } from "../comparing/worker_looker.ts";
import { screenAddress } from "./open_screen.ts";
import { MacosScreen, type ScreenSource } from "./screen.ts";

/** The worker that follows the screen of one address. */
interface Opened {
  readonly name: string;
  readonly worker: WorkerLooker;
  /** Whether the worker has a picture to compare with. */
  hasLooked: boolean;
}

export class MacosLooker implements Looker, AsyncDisposable {
  #opened: Opened | undefined;
  /** The size of the screen at the last look, if any. */
  #seen: Size | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #ended = false;

  /** @param locate returns the place of the display, as macOS recently reported it */
  constructor(private readonly locate: () => Promise<ScreenSource>) {}

  get connected(): boolean {
    return !this.#ended;
  }

  /** Do not call it while another look is under way. */
  look(): Promise<Look> {
    const look = this.#look();
    this.#looking = look.catch(() => {});
    return look;
  }

  async cursor(): Promise<CursorState> {
    return new MacosScreen(await this.locate()).cursor();
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    this.#close();
  }

  /** Waits for a look that is under way, which removes its picture file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#looking;
    this[Symbol.dispose]();
  }

  async #look(): Promise<Look> {
    const opened = this.#open(screenAddress(await this.locate()));
    try {
      const { size, areas } = await opened.worker.look();
      const isOther = !opened.hasLooked && this.#seen !== undefined;
      opened.hasLooked = true;
      this.#seen = size;
      return { size, areas: isOther ? [{ x: 0, y: 0, ...size }] : areas };
    } catch (error) {
      // the size has just changed and macOS has not reported it yet: all of it has changed
      const size = this.#seen;
      const resized = error instanceof ServiceError && error.code === "conflict";
      if (!resized || size === undefined) throw error;
      this.#close();
      return { size, areas: [{ x: 0, y: 0, ...size }] };
    }
  }

  #open(address: ScreenAddress<"screencapture">): Opened {
    if (this.#ended) {
      throw new ServiceError("unavailable", "The display is not followed any more");
    }
    const known = this.#opened;
    if (known?.name === address.name && known.worker.connected) return known;
    known?.worker[Symbol.dispose]();
    return this.#opened = {
      name: address.name,
      worker: new WorkerLooker(address),
      hasLooked: false,
    };
  }

  #close(): void {
    this.#opened?.worker[Symbol.dispose]();
    this.#opened = undefined;
  }
}
