/**
 * Finds the windows of programs in the server's tree: a window manager puts them into frames of its
 * own, and marks them with WM_STATE (ICCCM 4.1.3.1).
 */

import { Turns } from "../../../../core/turns.ts";
import { MAX_DEPTH, withAncestors } from "../window_queries.ts";
import type { WindowAtoms } from "./atoms.ts";
import { AT_ONCE, MAX_LISTED, type WindowRequests } from "./requests.ts";

/** Frames have their program's window within so many levels. */
const MAX_FRAME_DEPTH = 3;
/** Windows of a frame that are looked at. */
const MAX_LOOKED_AT = 64;
const INPUT_OUTPUT = 1;
const UNMAPPED = 0;
const VIEWABLE = 2;

export class WindowTree {
  constructor(
    private readonly requests: WindowRequests,
    private readonly atoms: WindowAtoms,
  ) {}

  /** The children of the root, topmost first. */
  async topLevels(): Promise<number[]> {
    const asked = this.requests.tree(this.requests.connection.root);
    this.requests.flush();
    return (await asked).children.toReversed();
  }

  /**
   * The window of a program in a child of the root, which can be that child itself.
   * @returns `undefined`: there is none in it, as in a menu
   */
  async programIn(topLevel: number): Promise<number | undefined> {
    let level = [topLevel];
    for (let depth = 0; depth <= MAX_FRAME_DEPTH && level.length > 0; depth++) {
      const marks = await this.#each(level, (one) => this.requests.words(one, this.atoms.WM_STATE));
      const marked = marks.findIndex((words) => (words?.length ?? 0) > 0);
      if (marked >= 0) return level[marked];
      const trees = await this.#each(level, (one) => this.requests.tree(one));
      level = trees.flatMap((tree) => tree?.children ?? []).slice(0, MAX_LOOKED_AT);
    }
    return undefined;
  }

  /** Whether a child of the root is a window by itself, where no window manager marks them. */
  async isProgram(topLevel: number): Promise<boolean> {
    const attributes = await this.requests.unlessClosed(this.requests.attributes(topLevel));
    return attributes !== undefined && attributes.klass === INPUT_OUTPUT &&
      attributes.mapState !== UNMAPPED && attributes.overrideRedirect === 0;
  }

  /** The children of the root that show without asking the window manager, topmost first. */
  async popups(): Promise<number[]> {
    const topLevels = await this.topLevels();
    const attributes = await this.#each(topLevels, (one) => this.requests.attributes(one));
    return topLevels.filter((_, index) => {
      const { klass, mapState, overrideRedirect } = attributes[index] ?? {};
      return klass === INPUT_OUTPUT && mapState === VIEWABLE && overrideRedirect === 1;
    }).slice(0, MAX_LISTED);
  }

  /** The child of the root that contains a window. */
  async topLevelOf(window: number): Promise<number | undefined> {
    let last: number | undefined;
    let depth = 0;
    const walk = async () => {
      for await (const each of withAncestors(this.requests.connection, window)) {
        last = each;
        depth++;
      }
    };
    await this.requests.unlessClosed(walk());
    return depth < MAX_DEPTH ? last : undefined;
  }

  /** The windows of programs where no window manager lists them, topmost first; no more than a list has. */
  async programs(): Promise<number[]> {
    const topLevels = await this.topLevels();
    const found: number[] = [];
    const turns = new Turns();
    for (let at = 0; at < topLevels.length && found.length < MAX_LISTED; at += AT_ONCE) {
      const asked = topLevels.slice(at, at + AT_ONCE).map((one) => this.#programOrSelf(one));
      found.push(...(await Promise.all(asked)).filter((window) => window !== undefined));
      await turns.pass();
    }
    return found;
  }

  /** The topmost child of the root at a point, and 0 if there is none; as pointers see it. */
  async topLevelAt({ x, y }: { readonly x: number; readonly y: number }): Promise<number> {
    const { client, root } = this.requests.connection;
    const { child } = await this.requests.connection.call<{ child: number }>((done) =>
      client.TranslateCoordinates(root, root, x, y, done)
    );
    return child;
  }

  async #programOrSelf(topLevel: number): Promise<number | undefined> {
    return await this.programIn(topLevel) ??
      (await this.isProgram(topLevel) ? topLevel : undefined);
  }

  async #each<T>(
    windows: readonly number[],
    ask: (window: number) => Promise<T>,
  ): Promise<(T | undefined)[]> {
    const answers: (T | undefined)[] = [];
    const turns = new Turns();
    for (let at = 0; at < windows.length; at += AT_ONCE) {
      const some = windows.slice(at, at + AT_ONCE);
      answers.push(
        ...await Promise.all(some.map((window) => this.requests.unlessClosed(ask(window)))),
      );
      await turns.pass();
    }
    return answers;
  }
}
