/** What a display shows at a moment, for a trajectory: a picture, and the elements of a window or a page. */

import type { Point } from "../../../core/geometry.ts";
import { unlessAborted, within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Display, Window } from "../../../platform/types/mod.ts";
import { takeSnapshot } from "../../accessibility/snapshot.ts";
import { snapshotPage } from "../../browser/page_operations.ts";
import type { Context } from "../../context.ts";
import { Curtain } from "../../curtain.ts";
import { isCompared, readSituation } from "../../display/fields.ts";
import { Pictures } from "../../display/pictures.ts";
import type { ScreenMasks } from "../../recording/masks.ts";
import { Recordings } from "../../recording/recordings.ts";
import { toEntries } from "../../window/window_answer.ts";
import { pageNodes, type TreeNode } from "../locator.ts";
import { OperationLog } from "../operation_log.ts";
import { DrawnText } from "./drawn_text.ts";
import type { Seen, TrailWindow } from "./step.ts";

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

/** What was seen, with the elements as they were read, to find targets in. */
export interface Look extends Seen {
  readonly nodes?: readonly TreeNode[] | undefined;
}

export interface LookerOptions {
  readonly displayNum: number;
  readonly pictures: boolean;
  readonly trees: boolean;
  /** Whether what was typed is kept. */
  readonly texts: boolean;
}

export class Looker implements Disposable {
  #last: { readonly key: string; readonly picture: Uint8Array } | undefined;
  /** Those of the display, while it is watched where values are drawn. */
  #masks: ScreenMasks | undefined;
  readonly #using = new DisposableStack();
  readonly #began = performance.now();

  constructor(private readonly context: Context, private readonly options: LookerOptions) {}

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
  async window(at: Point | { readonly id: string } | "active"): Promise<WindowThere | undefined> {
    const { signal, session } = this.context;
    const { windows } = await this.#display();
    if (!windows.ready) return undefined;
    const found = await findWindow(windows.use, at, signal);
    if (found === undefined) return undefined;
    const [entry] = await toEntries(this.context, [found]);
    const { title, app, bounds } = entry!;
    const shown = this.options.texts ? title : session.use(OperationLog).typed.hide(title);
    return { id: found.id, described: { app, title: shown, ...(bounds && { bounds }) } };
  }

  [Symbol.dispose](): void {
    this.#using.dispose();
    this.#last = undefined;
  }

  async #display(): Promise<Display> {
    return await this.context.platform.displays.open(this.options.displayNum);
  }

  /** The same one again while nothing has changed: one more for each operation at most. */
  async #picture(): Promise<Uint8Array | undefined> {
    const { session, signal } = this.context;
    const display = await this.#display();
    const masks = this.#watchMasks(display);
    if (masks.isOpen && !await within(masks.allClosed(signal), FILLING_TIMEOUT_MS)) {
      return undefined;
    }
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

  /** From now on fields that are filled in are hidden exactly, as for a display that is recorded. */
  #watchMasks(display: Display): ScreenMasks {
    if (this.#masks !== undefined) return this.#masks;
    const masks = this.context.session.use(Recordings).masksOf(display);
    const drawn = this.#using.use(new DrawnText(this.context, display, this.#began));
    this.#using.use(masks.watch(drawn));
    return this.#masks = masks;
  }

  async #nodes(where: Where): Promise<readonly TreeNode[]> {
    const nodes = "page" in where ? await this.#page(where.page) : await this.#elements(where);
    if (this.options.texts) return nodes;
    const { typed } = this.context.session.use(OperationLog);
    return nodes.map((node) => withoutTyped(node, (text) => typed.hide(text)));
  }

  async #elements({ window }: { readonly window: string }): Promise<readonly TreeNode[]> {
    const answer = await takeSnapshot(this.context, {
      window,
      include_hidden: false,
      max_elements: MAX_ELEMENTS,
      max_depth: 100,
      timeout_ms: TREE_TIMEOUT_MS,
      display_num: this.options.displayNum,
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
    return pageNodes(text);
  }
}

export interface WindowThere {
  readonly id: string;
  readonly described: TrailWindow;
}

type Finding = Parameters<Looker["window"]>[0];

async function findWindow(
  windows: Extract<Display["windows"], { ready: true }>["use"],
  at: Finding,
  signal: AbortSignal,
): Promise<Window | undefined> {
  if (at === "active") return await windows.active(signal) ?? undefined;
  const id = "id" in at ? at.id : await windows.at(at, signal);
  if (id === undefined) return undefined;
  return (await windows.list(signal)).find((window) => window.id === id);
}

/** What is in a field is what was typed; elsewhere programs show words of it again. */
function withoutTyped(node: TreeNode, hide: (text: string) => string): TreeNode {
  const { value, children, description, label, ...rest } = node;
  const isField = node.states.includes("editable") ||
    /^(textbox|searchbox|spinbutton|terminal|combobox|document)$/.test(node.role);
  return {
    ...rest,
    name: hide(node.name),
    ...(value !== undefined && !isField && { value: hide(value) }),
    ...(description !== undefined && { description: hide(description) }),
    ...(label !== undefined && { label: hide(label) }),
    ...(children !== undefined && {
      children: children.map((child) => withoutTyped(child, hide)),
    }),
  };
}
