/**
 * The picture jobs, which run in a worker, or in this thread for a screen that only this thread can
 * read.
 */

import { decodeImage } from "../../imaging/decode.ts";
import type { ImageFile } from "../../imaging/header.ts";
import { match } from "../../imaging/match/match.ts";
import type { Match } from "../../imaging/match/places.ts";
import { scaleDown } from "../../imaging/scale/scale.ts";
import type { Scaling } from "../../imaging/scale/shares.ts";
import { openScreen } from "../../platform/screens.ts";
import type { Reading, Region, Screen, ScreenAddress } from "../../platform/types/mod.ts";
import { type CompareJob, Comparer } from "./compare_job.ts";
import { render, type Rendered, type RenderJob } from "./render.ts";

/** Each job's name, its input and its output; all of them can be sent to another thread. */
export interface Jobs {
  render: { readonly in: RenderJob; readonly out: Rendered };
  /** Remembers what a region shows, or reports whether that has changed. */
  compare: { readonly in: CompareJob; readonly out: boolean };
  /** Forgets what a region showed; needs no screen, because that may be gone. */
  forget: { readonly in: { readonly name: string }; readonly out: boolean };
  locate: { readonly in: LocateJob; readonly out: readonly Match[] };
}

export type JobName = keyof Jobs;

export class JobRunner {
  readonly #screens = new Map<string, Promise<Screen>>();
  readonly #readable = new Map<string, Screen>();
  readonly #comparer = new Comparer();

  async run<N extends JobName>(
    name: N,
    on: ScreenAddress | Screen,
    job: Jobs[N]["in"],
  ): Promise<Jobs[N]["out"]> {
    const screen = () => "capture" in on ? Promise.resolve(on) : this.#open(on);
    const work: { [K in JobName]: (input: Jobs[K]["in"]) => Promise<Jobs[K]["out"]> } = {
      render: async (input) => render(await screen(), input),
      compare: async (input) => this.#comparer.run(await screen(), input),
      forget: ({ name }) => Promise.resolve(this.#comparer.forget(name)),
      locate: async (input) => locate(await screen(), input),
    };
    return await work[name](job);
  }

  /** How the screen at an address was last read; `undefined` before the first read. */
  lastReading({ backend, name }: ScreenAddress): Reading | undefined {
    return this.#readable.get(`${backend} ${name}`)?.reading;
  }

  /** Screens of windows serve one picture, and windows come and go. */
  #forgetClosed(): void {
    for (const [key, screen] of this.#readable) {
      if (screen.connected) continue;
      screen.close();
      this.#readable.delete(key);
      this.#screens.delete(key);
    }
  }

  async #open(address: ScreenAddress): Promise<Screen> {
    this.#forgetClosed();
    const key = `${address.backend} ${address.name}`;
    const known = this.#screens.get(key);
    const screen = await known?.catch(() => undefined);
    if (screen?.connected) return screen;
    if (this.#screens.get(key) === known) {
      screen?.close();
      this.#screens.set(key, openScreen(address));
    }
    const opened = await this.#screens.get(key)!;
    this.#readable.set(key, opened);
    return opened;
  }
}

// Searches the screen for an image.

interface LocateJob {
  readonly image: ImageFile;
  readonly region: Region;
  readonly confidence: number;
  readonly all: boolean;
  /**
   * Set when the image has the scale of a picture: the region, which is the scaling's source, is
   * scaled the same way.
   */
  readonly scaling?: Scaling | undefined;
  /** The field that named the image, for errors. */
  readonly field: string | readonly string[];
}

/** The matches in pixels of the screen; with a scaling, in pixels of its window. */
async function locate(screen: Screen, job: LocateJob): Promise<readonly Match[]> {
  const { region, confidence, all, scaling } = job;
  const template = await decodeImage(job.image, job.field);
  const found = await screen.capture(region, { cursor: "hidden" }, (picture) => {
    const seen = scaling === undefined ? picture : scaleDown(picture, scaling);
    return match(seen, template, { confidence, all });
  });
  if (scaling !== undefined) return found;
  return found.map((one) => ({ ...one, x: one.x + region.x, y: one.y + region.y }));
}
