/** A desk of its own for a test, the elements on it, and waits for what it should show. */

import { type CallOptions, Connection, type ConnectOptions, type Method } from "./connection.ts";
import type { ComputerControlError } from "./errors.ts";
import { DESK_PATHS } from "./generated/desk_paths.gen.ts";
import { Browser, Operations } from "./generated/operations.gen.ts";
import type * as Types from "./generated/types.gen.ts";
import type { Picture } from "./picture.ts";

/** What an element must be: fields of `accessibility/find`. */
export type Criteria = Pick<
  Types.FindElementsRequest,
  "name" | "role" | "text" | "states" | "exact"
>;
type Until = NonNullable<Types.WaitForDisplayRequest["until"]>;
export type Element = Types.FindElementsResponse["elements"][number];

export interface WaitOptions {
  /** The maximum time to wait, in milliseconds. */
  readonly timeout_ms?: number;
}

const TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;
/** Characters of what was there instead. */
const MAX_SHOWN = 4_000;

/** The operations of a service, each on this desk: `desk.mouse.leftClick({ x: 10, y: 20 })`. */
export class Desk extends Operations {
  /** By which operations name it. */
  readonly name: string;
  /** The home of its programs, on the computer of the service. */
  readonly folder: string;

  constructor(options: ConnectOptions, { name, folder }: Types.CreateDeskResponse) {
    super(new DeskConnection(options, name));
    this.name = name;
    this.folder = folder;
  }

  /** Starts a program, and waits for its window. */
  open(program: string, ...args: string[]): Promise<Types.OpenWindowResponse> {
    return this.window.open({ program, args });
  }

  screenshot(input?: Omit<Types.TakeScreenshotParameters, "since">): Promise<Picture> {
    return this.display.screenshot(input);
  }

  /** The visible elements with a name, or that match; each use looks for them anew. */
  find(criteria: string | Criteria): Elements {
    return new Elements(this, typeof criteria === "string" ? { name: criteria } : criteria);
  }

  /** A file of the service's computer; a relative path is one in the folder of the desk. */
  async readFile(path: string): Promise<Uint8Array> {
    const absolute = path.startsWith("/") ? path : `${this.folder}/${path}`;
    const answer = await this.connection.request("GET", "/v1/files/{path}", { path: absolute });
    return new Uint8Array(await answer.arrayBuffer());
  }
}

/** Names the desk in each operation that can run on one. */
class DeskConnection extends Connection {
  constructor(options: ConnectOptions, private readonly desk: string) {
    super(options);
  }

  override request(method: Method, path: string, fields: object, options?: CallOptions) {
    const named = DESK_PATHS.has(`${method} ${path}`) ? { desk: this.desk, ...fields } : fields;
    return super.request(method, path, named, options);
  }
}

/** The elements of a desk that match, those with exactly this name first. */
export class Elements {
  constructor(readonly desk: Operations, readonly criteria: Criteria) {}

  /** Those that are there now, without waiting. */
  async all({ include_hidden = false } = {}): Promise<readonly Element[]> {
    const fields = { ...this.criteria, window: "all", include_hidden };
    return (await this.desk.accessibility.find(fields)).elements;
  }

  /** Waits for the first one, which has a `ref`. */
  async get(options?: WaitOptions): Promise<Element> {
    await expectDesk(this).toBeVisible(options);
    const [element] = await this.all();
    if (element === undefined) throw new Error(`The ${this} was visible, and is gone again`);
    return element;
  }

  /** Waits for the first one, and clicks it. */
  async click(): Promise<void> {
    await this.desk.mouse.leftClick({ ref: (await this.get()).ref });
  }

  toString(): string {
    return `element ${quote(this.criteria)}`;
  }
}

/**
 * What should be so of a desk, of `desk.find(...)`, or of the page in `desk.browser`. Each method
 * waits for it, and throws an error that says what was there instead. Titles and texts of a desk are
 * parts, ignoring case.
 */
export function expectDesk(target: Elements): ReturnType<typeof expectElements>;
export function expectDesk(target: Browser): ReturnType<typeof expectPage>;
export function expectDesk(target: Operations): ReturnType<typeof expectOperations>;
export function expectDesk(target: Elements | Browser | Operations) {
  if (target instanceof Elements) return expectElements(target);
  return target instanceof Browser ? expectPage(target) : expectOperations(target);
}

function expectOperations(desk: Operations) {
  const wait = (until: Until, expected: string, options: WaitOptions = {}) =>
    waitOnDesk(desk, until, { ...options, expected, describe: () => describeDesk(desk) });
  return {
    /** A visible element has it in its name, value or description. */
    toShowText: (text: string, options?: WaitOptions) =>
      wait({ text }, `the text ${quote(text)}`, options),
    notToShowText: (text: string, options?: WaitOptions) =>
      wait({ gone: { text } }, `no text ${quote(text)}`, options),
    toHaveWindow: (title: string, options?: WaitOptions) =>
      wait({ window: { title } }, `a window ${quote(title)}`, options),
    notToHaveWindow: (title: string, options?: WaitOptions) =>
      wait({ gone: { window: { title } } }, `no window ${quote(title)}`, options),
  };
}

function expectElements(elements: Elements) {
  const { desk, criteria: element } = elements;
  const describe = () => describeElements(elements);
  const wait = (until: Until, expected: string, options: WaitOptions = {}) =>
    waitOnDesk(desk, until, { ...options, expected: `${elements} ${expected}`, describe });
  return {
    /** One of them is visible. */
    toBeVisible: (options?: WaitOptions) => wait({ element }, "to be visible", options),
    /** None of them is visible. */
    notToBeVisible: (options?: WaitOptions) =>
      wait({ gone: { element } }, "not to be visible", options),
    /** The first of them has this value, or one in which the pattern is found. */
    async toHaveValue(value: string | RegExp, { timeout_ms = TIMEOUT_MS }: WaitOptions = {}) {
      const expected = `${elements} to have the value ${quote(String(value))}`;
      const end = performance.now() + timeout_ms;
      while (!matches(await readValue(elements), value)) {
        if (performance.now() >= end) throw await failure({ expected, timeout_ms, describe });
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    },
  };
}

function expectPage(browser: Browser) {
  const wait = async (until: Types.WaitForPageRequest, { timeout_ms = TIMEOUT_MS } = {}) => {
    const { status } = await browser.wait({ ...until, timeout_ms });
    if (status !== "timeout") return;
    const describe = async () => {
      const { tab, text } = await browser.text({ max_characters: MAX_SHOWN });
      return `${quote(tab.title)} at ${tab.url}\n${text}`;
    };
    throw await failure({ expected: `a page with ${quote(until)}`, timeout_ms, describe });
  };
  return {
    toShowText: (text: string, options?: WaitOptions) => wait({ text }, options),
    notToShowText: (text: string, options?: WaitOptions) => wait({ text_gone: text }, options),
    /** Its address has this part. */
    toHaveUrl: (url: string, options?: WaitOptions) => wait({ url }, options),
  };
}

interface Expected extends WaitOptions {
  readonly expected: string;
  /** What is there now. */
  readonly describe: () => Promise<string>;
}

async function waitOnDesk(desk: Operations, until: Until, wanted: Expected): Promise<void> {
  const { timeout_ms = TIMEOUT_MS } = wanted;
  const { status } = await desk.display.wait({ until, timeout_ms });
  if (status === "timeout") throw await failure({ ...wanted, timeout_ms });
}

async function failure({ expected, timeout_ms, describe }: Expected): Promise<Error> {
  const there = await describe().catch((error: unknown) => `(it cannot be read: ${error})`);
  return new Error(`Expected ${expected} within ${timeout_ms} ms. There was instead: ${there}`);
}

async function describeDesk({ window, accessibility }: Operations): Promise<string> {
  const titles = (await window.list()).map(({ title }) => quote(title)).join(", ");
  const { text } = await accessibility.snapshot({ window: "all", max_chars: MAX_SHOWN });
  return `windows: ${titles || "none"}; elements:\n${text || "none"}`;
}

async function describeElements(elements: Elements): Promise<string> {
  const [element] = await elements.all();
  const { role, name, value, within } = element ?? {};
  if (element !== undefined) return quote({ role, name, value, within });
  const hidden = await elements.all({ include_hidden: true });
  return (hidden.length > 0 ? "it, but not visible; " : "") + await describeDesk(elements.desk);
}

/** `undefined`: it has no value, or there is no such element. */
async function readValue(elements: Elements): Promise<string | undefined> {
  const [element] = await elements.all();
  if (element === undefined) return undefined;
  try {
    const { value } = await elements.desk.accessibility.value({ ref: element.ref });
    return value ?? undefined;
  } catch (error) {
    if ((error as ComputerControlError).code === "conflict") return undefined; // it has gone
    throw error;
  }
}

function matches(found: string | undefined, wanted: string | RegExp): boolean {
  if (typeof wanted === "string" || found === undefined) return found === wanted;
  return found.search(wanted) >= 0; // `test` of a global pattern would begin where it has ended
}

function quote(value: unknown): string {
  return JSON.stringify(value);
}
