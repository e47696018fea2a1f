/** What a display shows at a moment, for a trajectory: a picture, and the elements of a window or a page. */

import type { Point } from "../../../core/geometry.ts";
import { pause, unlessAborted, within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import type { Display, Region, Window } from "../../../platform/types/mod.ts";
import { overlap } from "../../../imaging/boxes.ts";
import { takeSnapshot } from "../../accessibility/snapshot.ts";
import { snapshotPage } from "../../browser/page_operations.ts";
import type { Context } from "../../context.ts";
import { Curtain } from "../../curtain.ts";
import { isCompared, readSituation } from "../../display/fields.ts";
import { Pictures } from "../../display/pictures.ts";
import { followChanges } from "../../display/view.ts";
import {
  type Field,
  LARGEST,
  LONGEST_DRAWING_MS,
  type MaskWatcher,
  type RedactionMask,
  rowOf,
  type ScreenMasks,
  waitUntilDrawn,
} from "../../recording/masks.ts";
import { Recordings } from "../../recording/recordings.ts";
import { toEntries } from "../../window/window_answer.ts";
import type { Session } from "../../session.ts";
import { pageNodes, type TreeNode } from "../locator.ts";
import { OperationLog } from "../operation_log.ts";
import type { Seen, StartInput, TrailWindow } from "./step.ts";

const QUALITY = 80;
/** Of one tree. */
const MAX_ELEMENTS = 3_000;
const MAX_CHARS = 400_000;
/** How long a program may take to report its elements, in milliseconds. */
const TREE_TIMEOUT_MS = 3_000;
/** How long a picture waits for the end of a value that is filled in. */
const FILLING_TIMEOUT_MS = 2_000;

/** Where it is looked: a window by its id, the one with the keyboard, or a page. */
export type Where = { readonly window: string } | { readonly page: string | undefined };

export const FOCUSED: Where = { window: "focused" };

/** How a window is known. */
type WindowPlace = Point | { readonly id: string } | "active";

/** What was seen, with the elements as they were read, to find targets in. */
export interface Look extends Seen {
  readonly nodes?: readonly TreeNode[] | undefined;
}

export class Looker implements Disposable {
  #last: { readonly key: string; readonly picture: Uint8Array } | undefined;
  readonly #masks: ScreenMasks;
  readonly #using = new DisposableStack();
  readonly #began = performance.now();

  constructor(
    private readonly context: Context,
    display: Display,
    private readonly options: StartInput,
  ) {
    this.#masks = context.session.use(Recordings).masksOf(display);
    if (!options.pictures) return;
    // from now on fields that are filled in are hidden exactly, as for a display that is recorded
    const drawn = this.#using.use(new DrawnText(context, display, this.#began));
    this.#using.use(this.#masks.watch(drawn));
  }

  get session(): Session {
    return this.context.session;
  }

  /** Never rejects: what cannot be seen, or not before `late` aborts, is absent. */
  async look(where: Where, late?: AbortSignal): Promise<Look> {
    const { pictures, trees } = this.options;
    const curtain = this.context.session.use(Curtain);
    const { isClosed, closings } = curtain;
    if (isClosed) return {};
    const [picture, nodes] = await Promise.all([
      pictures ? unlessAborted(this.#picture(), late).catch(() => undefined) : undefined,
      trees ? unlessAborted(this.#nodes(where), late).catch(() => undefined) : undefined,
    ]);
    if (curtain.closings !== closings) return {}; // a person has control
    return { picture, nodes, tree: nodes && JSON.stringify(nodes) };
  }

  /** Programs have handled what was sent before, such as a click into another field. */
  async awaitInput(): Promise<void> {
    const { delivery } = await this.#display();
    if (!delivery.ready) return;
    const { use } = delivery;
    await Promise.allSettled([use.handled(), use.keysHandled()]); // what a program tells, if it does
  }

  /** The window at a point, or with an id, without what was typed; `undefined` where it is unknown. */
  async window(at: WindowPlace): Promise<TrailWindow | undefined> {
    const found = await this.findWindow(at);
    if (found === undefined) return undefined;
    const [entry] = await toEntries(this.context, [found]);
    const { title, app, bounds } = entry!;
    const shown = this.options.texts ? title : this.session.use(OperationLog).typed.hide(title);
    return { app, title: shown, ...(bounds && { bounds }) };
  }

  async findWindow(at: WindowPlace): Promise<Window | undefined> {
    const { signal } = this.context;
    const { windows } = await this.#display();
    if (!windows.ready) return undefined;
    if (at === "active") return await windows.use.active(signal) ?? undefined;
    const wanted = "id" in at ? at.id : await windows.use.at(at, signal);
    return (await windows.use.list(signal)).find(({ id }) => id === wanted);
  }

  [Symbol.dispose](): void {
    this.#using.dispose();
    this.#last = undefined;
  }

  async #display(): Promise<Display> {
    return await this.context.platform.displays.open(this.options.display_num);
  }

  /** The same one again while nothing has changed: one more for each operation at most. */
  async #picture(): Promise<Uint8Array | undefined> {
    const { session, signal } = this.context;
    const masks = this.#masks;
    if (masks.isOpen && !await within(masks.allClosed(signal), FILLING_TIMEOUT_MS)) {
      return undefined;
    }
    const display = await this.#display();
    const { changes, state, cursor } = await readSituation(display, {
      cursor: true,
      since: undefined,
    });
    if (masks.isOpen) return undefined;
    const black = masks.areas(this.#began);
    const isKnown = changes !== undefined && !isCompared(changes);
    const key = JSON.stringify([state.run, state.count, state.size, cursor?.key, black]);
    if (isKnown && this.#last?.key === key) return this.#last.picture;
    const region = { x: 0, y: 0, ...state.size };
    const job = {
      region,
      size: state.size,
      window: region,
      format: "jpeg",
      quality: QUALITY,
      cursor: "shown",
      maxBytes: undefined,
      masks: black,
    } as const;
    const capture = session.use(Pictures).run("render", display, job, signal);
    masks.noteCapture(capture);
    const { bytes } = await capture;
    this.#last = { key, picture: bytes };
    return bytes;
  }

  async #nodes(where: Where): Promise<readonly TreeNode[]> {
    const nodes = "page" in where ? await this.#page(where.page) : await this.#elements(where);
    if (this.options.texts) return nodes;
    const { typed } = this.context.session.use(OperationLog);
    return await withoutTyped(nodes, (text) => typed.hide(text));
  }

  async #elements({ window }: { readonly window: string }): Promise<readonly TreeNode[]> {
    const answer = await takeSnapshot(this.context, {
      window,
      include_hidden: false,
      max_elements: MAX_ELEMENTS,
      max_depth: 100,
      timeout_ms: TREE_TIMEOUT_MS,
      display_num: this.options.display_num,
      format: "json",
      max_chars: MAX_CHARS,
      screenshot: false,
      boxes: false,
      picture_format: "png",
      quality: QUALITY,
    });
    if (!("elements" in answer) || answer.elements === undefined) {
      throw new ServiceError("unavailable", "There are no elements");
    }
    return answer.elements;
  }

  async #page(tab_id: string | undefined): Promise<readonly TreeNode[]> {
    const { text } = await snapshotPage(this.context, {
      tab_id,
      filter: "all",
      max_depth: 100,
      max_characters: MAX_CHARS,
      timeout_ms: TREE_TIMEOUT_MS,
    });
    return await pageNodes(text);
  }
}

const FIELD = /^(textbox|searchbox|spinbutton|terminal|combobox|document)$/;

/** What is in a field is what was typed; elsewhere programs show words of it again. */
async function withoutTyped(
  nodes: readonly TreeNode[],
  hide: (text: string) => string,
  yielder = new EventLoopYielder(),
): Promise<readonly TreeNode[]> {
  const hidden: TreeNode[] = [];
  for (const node of nodes) {
    await yielder.yieldIfDue();
    const { name, value, label, description, states, children } = node;
    const isField = states.includes("editable") || FIELD.test(node.role);
    hidden.push({
      ...node,
      name: hide(name),
      value: isField ? undefined : value && hide(value),
      label: label && hide(label),
      description: description && hide(description),
      children: children && await withoutTyped(children, hide, yielder),
    });
  }
  return hidden;
}

// Finds where a program has drawn a stored value that was typed: what differs then from what the
// row of the field showed before, or the whole screen, where only the program knows the field.

/** How long the typing of a value waits until what its row shows is remembered. */
const NOTE_TIMEOUT_MS = 1_000;

export class DrawnText implements MaskWatcher, Disposable {
  /** The names of what the rows of fields showed. */
  readonly #noted = new Map<RedactionMask, string>();
  #hasEnded = false;

  constructor(
    private readonly context: Context,
    private readonly display: Display,
    readonly began: number,
  ) {}

  async noteField(mask: RedactionMask): Promise<void> {
    const name = crypto.randomUUID();
    const { size } = this.display;
    const region = overlap(rowOf(mask.field, size), { x: 0, y: 0, ...size });
    if (region === undefined) return;
    const noting = this.#pictures
      .run("remember", this.display, { name, region })
      .then(() => true, () => false); // the display cannot be read now
    if (await within(noting, NOTE_TIMEOUT_MS) && await noting && !this.#hasEnded) {
      this.#noted.set(mask, name);
    } else { // what is remembered too late can show the value
      void noting.then(() => this.#forget(name));
    }
  }

  async findText(field: Field, mask: RedactionMask): Promise<Region | undefined> {
    const { context: { signal }, display } = this;
    const name = this.#noted.get(mask);
    this.#noted.delete(mask);
    try {
      const changes = await followChanges(display);
      const end = performance.now() + LONGEST_DRAWING_MS;
      while (true) {
        if (changes === undefined) await pause(LONGEST_DRAWING_MS, signal);
        else await waitUntilDrawn(changes, signal);
        if (name === undefined) break;
        const box = await this.#pictures.run("findChanges", display, { name }, signal);
        // what shows the value of an unknown field can be a computer far away
        if (box !== undefined || field !== undefined || performance.now() >= end) return box;
      }
    } catch {
      if (signal.aborted) return undefined;
    } finally {
      if (name !== undefined) await this.#forget(name);
    }
    return rowOf(field, LARGEST); // no later picture must show it
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    for (const name of this.#noted.values()) void this.#forget(name);
    this.#noted.clear();
  }

  async #forget(name: string): Promise<void> {
    await this.#pictures.run("forget", this.display, { name }).catch(() => {}); // it is ending
  }

  get #pictures(): Pictures {
    return this.context.session.use(Pictures);
  }
}
