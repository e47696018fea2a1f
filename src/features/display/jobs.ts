/**
 * The picture jobs, which run in a worker, or in this thread for a screen that only this thread can
 * read.
 */

import { ServiceError } from "../../core/errors.ts";
import { changedBox, joinAreas } from "../../imaging/boxes.ts";
import { decodeImage } from "../../imaging/decode.ts";
import type { ImageFile } from "../../imaging/image_file.ts";
import { match } from "../../imaging/match/match.ts";
import type { Match } from "../../imaging/match/plane.ts";
import { type RegionPicture, RegionPictures, rowAt } from "../../imaging/region_pictures.ts";
import { scaleDown, type Scaling } from "../../imaging/scale.ts";
import { openScreen } from "../../platform/screens.ts";
import type { Reading, Region, Screen, ScreenAddress } from "../../platform/types/mod.ts";
import { render, type Rendered, type RenderJob } from "./render.ts";

/** Each job's name, its input and its output; all of them can be sent to another thread. */
export interface Jobs {
  render: { readonly in: RenderJob; readonly out: Rendered };
  /** Remembers what a region shows. */
  remember: { readonly in: RememberJob; readonly out: void };
  /**
   * Whether any area of what is remembered differs in a way that is not ignored; if so, the new
   * content is remembered instead.
   */
  compare: { readonly in: CompareJob; readonly out: boolean };
  /** The box of what has changed in a remembered region. */
  findChanges: { readonly in: { readonly name: string }; readonly out: Region | undefined };
  /** Forgets what a region showed; needs no screen, because that may be gone. */
  forget: { readonly in: { readonly name: string }; readonly out: boolean };
  locate: { readonly in: LocateJob; readonly out: readonly Match[] };
}

export type JobName = keyof Jobs;

export class JobRunner {
  readonly #screens = new Map<string, Promise<Screen>>();
  readonly #readable = new Map<string, Screen>();
  readonly #comparer = new Comparer();

  /** @param openAt opens the screen at an address, once for all jobs; another one in a simulation */
  constructor(private readonly openAt: (address: ScreenAddress) => Promise<Screen> = openScreen) {}

  async run<N extends JobName>(
    name: N,
    on: ScreenAddress | Screen,
    job: Jobs[N]["in"],
  ): Promise<Jobs[N]["out"]> {
    const screen = () => "capture" in on ? Promise.resolve(on) : this.#open(on);
    const work: { [K in JobName]: (input: Jobs[K]["in"]) => Promise<Jobs[K]["out"]> } = {
      render: async (input) => render(await screen(), input),
      remember: async (input) => this.#comparer.remember(await screen(), input),
      compare: async (input) => this.#comparer.compare(await screen(), input),
      findChanges: async ({ name }) => this.#comparer.findChanges(await screen(), name),
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
      this.#screens.set(key, this.openAt(address));
    }
    const opened = await this.#screens.get(key)!;
    this.#readable.set(key, opened);
    return opened;
  }
}

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

// Compares regions for waiting operations: remembers what they show and reports whether that has
// changed.

interface RememberJob {
  readonly name: string;
  readonly region: Region;
}

interface CompareJob {
  readonly name: string;
  readonly areas: readonly Region[];
  readonly ignored: Ignored;
}

/** Differences that are ignored. */
export interface Ignored {
  /** Changed boxes with fewer pixels than this. */
  readonly pixels: number;
  /** Regions of the screen. */
  readonly regions: readonly Region[];
}

const HIDDEN = { cursor: "hidden" } as const;

class Comparer {
  readonly #pictures = new RegionPictures();

  async remember(screen: Screen, { name, region }: RememberJob): Promise<void> {
    await screen.capture(region, HIDDEN, (picture) => {
      this.#pictures.set(name, region, picture);
    });
  }

  async compare(screen: Screen, { name, areas, ignored }: CompareJob): Promise<boolean> {
    const memory = this.#pictures.get(name);
    if (!memory) return true; // another worker remembered it
    let changed = false;
    for (const area of joinAreas(areas)) {
      if (await this.#differs(screen, memory, { area, ignored })) changed = true;
    }
    return changed;
  }

  /** @throws ServiceError `unavailable`: it is not remembered */
  async findChanges(screen: Screen, name: string): Promise<Region | undefined> {
    const memory = this.#pictures.get(name);
    if (memory === undefined) throw new ServiceError("unavailable", `There is no region "${name}"`);
    const { region: area } = memory;
    return await screen.capture(
      area,
      HIDDEN,
      (now) => changedBox(now, (row) => rowAt(memory, row), { area }),
    );
  }

  forget(name: string): boolean {
    return this.#pictures.delete(name);
  }

  /**
   * An area whose difference is ignored keeps its remembered content: a text cursor then returns to
   * the same picture, and gradual changes add up.
   */
  #differs(
    screen: Screen,
    memory: RegionPicture,
    { area, ignored }: { area: Region; ignored: Ignored },
  ): Promise<boolean> {
    return screen.capture(area, HIDDEN, (now) => {
      const [left, top] = [area.x - memory.region.x, area.y - memory.region.y];
      const before = (row: number) => rowAt(memory, top + row).subarray(left);
      const box = changedBox(now, before, { area, holes: ignored.regions });
      if (!box || box.width * box.height < ignored.pixels) return false;
      this.#pictures.update(memory, area, now);
      return true;
    });
  }
}
