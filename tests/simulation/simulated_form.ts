/** A window with a row for each element, whose program obeys soon, late or never, and what was so when. */

import { unlessAborted } from "../../src/core/deadline.ts";
import { ServiceError } from "../../src/core/errors.ts";
import type {
  Accessibility,
  ElementAction,
  ElementState,
  Point,
  Region,
  WindowChange,
  WindowId,
  Windows,
} from "../../src/platform/types/mod.ts";
import { FakeAccessibility, type FakeElement, setState } from "../support/fake_accessibility.ts";
import type { FakeInput } from "../support/fake_input.ts";
import { FakeWindows } from "../support/fake_windows.ts";
import type { World } from "./world.ts";

const BOUNDS = { x: 100, y: 100, width: 400, height: 300 };
export const PASSWORD = "hunter2-of-a-person";
export const ROLES = ["button", "checkbox", "textbox", "option", "treeitem", "textbox"] as const;
/** The last field holds a password. */
const PROTECTED = ROLES.length - 1;

/** An element as a caller knows it by a ref. */
export interface Known {
  readonly ref: string;
  readonly id: string;
  readonly name: string;
}

/** An element as it was for some time. */
export interface Seen {
  readonly id: string;
  readonly role: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly states: readonly ElementState[];
  readonly isHidden: boolean;
  readonly bounds: Region;
}

/** What is there until the next change. */
interface Moment {
  readonly ms: number;
  readonly isHanging: boolean;
  /** Whether another window is in front. */
  readonly isCovered: boolean;
  readonly elements: readonly Seen[];
}

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

export class SimulatedForm {
  readonly port: Accessibility;
  readonly windows: Windows;
  readonly #fake = new FakeAccessibility();
  readonly #desk = new FakeWindows();
  readonly #history: Moment[] = [];
  readonly #clicks: { readonly ms: number; readonly at: Point }[] = [];
  readonly #texts: { readonly ms: number; readonly id: string | undefined; text: string }[] = [];
  /** When a person, a program or another window has moved the focus. */
  readonly #focusMoves: number[] = [];
  #isHanging = false;
  #names = 0;

  constructor(private readonly world: World, private readonly input: FakeInput) {
    this.windows = this.#open();
    const fake = this.#fake;
    const ask = <T>(what: string, value: () => Promise<T>, signal?: AbortSignal) => {
      const answer = world.answer(what, () => this.#isHanging, "program").then((isHanging) => {
        if (!isHanging) return value();
        throw new ServiceError("timed_out", "The program of the element did not respond");
      });
      return signal ? unlessAborted(answer, signal) : answer;
    };
    this.port = {
      read: async (reading) => {
        const { signal } = reading;
        const isHanging = await unlessAborted(
          world.answer("a reading", () => this.#isHanging, "program"),
          signal,
        );
        if (isHanging) return { roots: [], truncated: [], unresponsive: ["form"] };
        return await fake.read(reading);
      },
      refresh: (ids, signal) => ask("an element", () => fake.refresh(ids), signal),
      perform: (id, action, signal) => ask("an action", () => this.#perform(id, action), signal),
      elementAt: (point, near, signal) => ask("a point", () => fake.elementAt(point, near), signal),
      contains: (outer, inner, signal) => ask("a part", () => fake.contains(outer, inner), signal),
      changed: (signal) => fake.changed(signal),
    };
    this.#takeInput();
    this.#note();
  }

  get pressed(): readonly string[] {
    return [...this.input.mouse.down, ...this.input.keyboard.down];
  }

  /** Not every change is reported. */
  change(run: () => void): void {
    run();
    this.#note();
    if (this.world.random() < 0.7) this.#fake.waiters.notify();
  }

  rename(): void {
    const element = this.world.pick(this.#rows);
    element.name = `${element.role} ${++this.#names}`;
  }

  swap(): void {
    const [one, other] = [this.world.pick(this.#rows), this.world.pick(this.#rows)];
    [one.bounds, other.bounds] = [other.bounds!, one.bounds!];
  }

  toggle(): void {
    const element = this.world.pick(this.#rows);
    element.hidden = !element.hidden;
  }

  usePerson(): void {
    this.#focusMoves.push(this.world.time.now);
    this.#fake.focus(this.world.pick(this.#rows).id);
  }

  hang(): void {
    this.#isHanging = !this.#isHanging;
  }

  cover(): void {
    this.#focusMoves.push(this.world.time.now);
    const isCovered = this.#desk.shown.length > 1;
    if (isCovered) this.#desk.close("w2");
    else this.#desk.open({ id: "w2", bounds: BOUNDS });
  }

  /** Whether the elements were so at a time between two. */
  was(period: Period, isSo: (elements: readonly Seen[]) => boolean): boolean {
    return this.#times(period).some(({ elements }) => isSo(elements));
  }

  wasVisible(period: Period, isSo: (elements: readonly Seen[]) => boolean): boolean {
    return this.#times(period).some(({ elements }) =>
      isSo(elements.filter(({ isHidden }) => !isHidden))
    );
  }

  wasHanging(period: Period): boolean {
    return this.#times(period).some(({ isHanging }) => isHanging);
  }

  /**
   * Whether something was clicked where it was, and no other window in front all the time; either can have changed in the
   * last moment.
   */
  gotClick({ id, name }: Known, period: Period): boolean {
    const moments = this.#times(period);
    if (moments.every(({ isCovered }) => isCovered)) return false;
    return this.#clicks.some((click) =>
      isIn(click, period) &&
      this.wasVisible(period, (elements) =>
        elements.some((each) =>
          each.id === id && each.name === name && contains(each.bounds, click.at)
        ))
    );
  }

  /** All of it, unless the focus was moved meanwhile. */
  gotText({ id }: Known, text: string, { fromMs, toMs }: Period): boolean {
    if (this.#focusMoves.some((ms) => ms >= fromMs && ms <= toMs)) return true;
    const own = this.#texts.filter((each) => each.id === id && isIn(each, { fromMs, toMs }));
    return own.map((each) => each.text).join("").includes(text);
  }

  get #rows(): readonly FakeElement[] {
    return this.#fake.roots[0]!.children!;
  }

  #times({ fromMs, toMs }: Period): readonly Moment[] {
    return this.#history.filter(({ ms }, index) =>
      ms <= toMs && (this.#history[index + 1]?.ms ?? Infinity) >= fromMs
    );
  }

  #open(): Windows {
    this.#desk.show({ id: "w1", title: "Form", pid: 7, bounds: BOUNDS });
    const rows = ROLES.map((role, row): FakeElement => ({
      id: `e${row}`,
      role,
      name: `${role} ${++this.#names}`,
      pid: 7,
      bounds: { x: 110, y: 110 + 30 * row, width: 100, height: 20 },
      abilities: ["click", "focus", "scroll to", ...ABILITIES[role] ?? []],
      states: row === PROTECTED ? ["editable", "protected"] : [...STATES[role] ?? []],
      ...role === "textbox" && { value: row === PROTECTED ? PASSWORD : "" },
    }));
    this.#fake.roots = [{
      ...{ id: "top", role: "window", name: "Form", window: "w1", bounds: BOUNDS, pid: 7 },
      children: rows,
    }];
    const desk = this.#desk;
    const ask = async <T>(value: () => Promise<T>) =>
      await this.world.answer("the windows", value, "windows");
    return {
      changes: desk.changes,
      list: () => ask(() => desk.list()),
      active: () => ask(() => desk.active()),
      find: (id) => ask(() => desk.find(id)),
      change: (id, change) => ask(() => this.#obey(id, change)),
      at: (point) => ask(() => desk.at(point)),
      changed: (signal) => desk.changed(signal),
    };
  }

  #obey(id: WindowId, change: WindowChange): Promise<void> {
    if (this.world.random() < 0.1) return Promise.resolve(); // and does nothing
    return this.#desk.change(id, change);
  }

  /** What mouse and keyboard send comes to what is there at that moment. */
  #takeInput(): void {
    const { world, input: { mouse, keyboard } } = this;
    const press = mouse.press.bind(mouse);
    mouse.press = (button) => {
      press(button);
      const at = { ...mouse.cursor };
      this.change(() => this.#click(at));
    };
    const plan = keyboard.plan.bind(keyboard);
    keyboard.plan = async (text) => {
      const planned = await plan(text);
      return {
        ...planned,
        send: (from, to) => {
          planned.send(from, to);
          this.change(() => this.#type([...text].slice(from, to).join("")));
        },
        [Symbol.asyncDispose]: () => planned[Symbol.asyncDispose](),
      };
    };
    const pressKey = keyboard.press.bind(keyboard);
    keyboard.press = (key) => {
      pressKey(key);
      if (/^(delete|backspace)$/i.test(key.name)) this.change(() => this.#clear());
    };
    keyboard.prepare = () => world.answer("the keyboard", () => {}, "display");
    this.input.port.confirm = () => world.answer("a confirmation", () => {}, "display");
  }

  #click(at: Point): void {
    this.#clicks.push({ ms: this.world.time.now, at });
    if (this.#desk.shown[0]?.id !== "w1") return;
    const element = this.#rows.find(({ bounds, hidden }) => !hidden && contains(bounds!, at));
    if (element?.role === "textbox") this.#fake.focus(element.id);
    else if (element) this.#react(element);
  }

  #type(text: string): void {
    const element = this.#rows.find(({ states }) => states?.includes("focused"));
    const isActive = this.#desk.shown.some(({ id, states }) =>
      id === "w1" && states.includes("active")
    );
    const id = isActive ? element?.id : undefined;
    this.#texts.push({ ms: this.world.time.now, id, text });
    if (id && element!.role === "textbox") element!.value = `${element!.value}${text}`;
  }

  #clear(): void {
    const element = this.#rows.find(({ states }) => states?.includes("focused"));
    if (element?.role === "textbox") element.value = "";
  }

  /** Soon or late, as it is asked; or it says that it has, and does nothing; or it refuses. */
  #perform(id: string, action: ElementAction): Promise<boolean | undefined> {
    const { world } = this;
    const element = this.#fake.find(id);
    if (!element) return Promise.reject(new ServiceError("conflict", "It is gone"));
    const kind = world.pick(["soon", "soon", "late", "lies", "refuses"] as const);
    if (kind === "refuses") return Promise.resolve(false);
    const perform = () =>
      this.change(() => {
        if (action.kind === "focus") this.#focusMoves.push(world.time.now);
        if (action.kind === "click") this.#react(element);
        else this.#fake.perform(id, action).catch(() => {}); // it does not take that
        if (action.kind === "expand") setState(element, "collapsed", !action.expanded);
      });
    if (kind === "soon") perform();
    if (kind === "late") setTimeout(perform, world.below(3_000));
    return Promise.resolve(kind === "late" && world.random() < 0.3 ? undefined : true);
  }

  #react(element: FakeElement): void {
    const { role, states = [] } = element;
    if (role === "checkbox") setState(element, "checked", !states.includes("checked"));
    if (role === "option") setState(element, "selected", true);
    if (role !== "treeitem") return;
    const isOpen = states.includes("expanded");
    setState(element, "expanded", !isOpen);
    setState(element, "collapsed", isOpen);
  }

  #note(): void {
    const elements = this.#rows.map((
      { id, role, name = "", value, states = [], hidden: isHidden = false, bounds },
    ) => ({ id, role, name, value, states: [...states], isHidden, bounds: bounds! }));
    this.#history.push({
      ms: this.world.time.now,
      isHanging: this.#isHanging,
      isCovered: this.#desk.shown[0]?.id !== "w1",
      elements,
    });
  }
}

function contains({ x, y, width, height }: Region, at: Point): boolean {
  return at.x >= x && at.y >= y && at.x < x + width && at.y < y + height;
}

function isIn({ ms }: { readonly ms: number }, { fromMs, toMs }: Period): boolean {
  return ms >= fromMs && ms <= toMs;
}

const ABILITIES: Readonly<Record<string, FakeElement["abilities"]>> = {
  textbox: ["set value"],
  option: ["select"],
  treeitem: ["expand"],
};

const STATES: Readonly<Record<string, FakeElement["states"]>> = {
  textbox: ["editable", "focusable"],
  treeitem: ["collapsed"],
};
