/** A hand of mouse, keyboard, pictures and elements of the desktop: it knows no `browser/*`. */

import { setTimeout as wait } from "node:timers/promises";
import type { Service } from "../../support/service.ts";
import { type Hand, isLine, type Line, type Point, readPng, type Target } from "./hand.ts";

interface Page extends Point {
  readonly ref: string;
  readonly width: number;
  readonly height: number;
}

/** How long a program may take to report a page that it shows, in milliseconds. */
const REPORT_MS = 60_000;
const AGAIN_MS = 50;
/** No window has the keyboard yet; the page has been left meanwhile; the browser is busy. */
const AGAIN: readonly number[] = [404, 409, 504];

async function soon<Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> {
  for (const end = performance.now() + REPORT_MS;; await wait(AGAIN_MS)) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`The display does not show ${what}`);
  }
}

/** An element of a snapshot. */
interface Node {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly states: readonly string[];
  readonly bounds?: Omit<Page, "ref">;
  readonly children?: readonly Node[];
}

/** In the process of the test, or beside it. */
export type DesktopService = Pick<Service, "call" | "send">;

export function desktopHand(service: DesktopService): Hand {
  const call = (path: string, body: object) => service.call(`/api/${path}`, body);
  /** None where a caller would ask again. */
  async function read(operation: string, input: object): Promise<readonly Node[]> {
    const response = await service.send(`/api/accessibility/${operation}`, input);
    const answer = await response.json() as { readonly elements: readonly Node[] };
    if (response.ok) return answer.elements;
    if (AGAIN.includes(response.status)) return [];
    throw new Error(`${operation} answered ${response.status}: ${JSON.stringify(answer)}`);
  }

  /** Where the window shows the page; it stays there. */
  let page: Page | undefined;

  async function findPage(): Promise<Page> {
    const document = await soon("a document", async () => {
      const found = await read("find", { role: "document" });
      return found.find(({ bounds }) => bounds !== undefined);
    });
    page = { ref: document.ref, ...document.bounds! };
    return page;
  }

  async function toPosition(target: Target): Promise<{ readonly ref: string } | Point> {
    if (isLine(target)) {
      if (target.ref === undefined) throw new Error(`A text has no ref: ${target.name}`);
      return { ref: target.ref };
    }
    const { x, y } = page ?? await findPage();
    return { x: Math.round(x + target.x), y: Math.round(y + target.y) };
  }

  /** Where a browser was too busy to say where an element is, nothing was done: it is asked again. */
  async function act(action: string, body: object): Promise<void> {
    const path = `/api/mouse/${action}`;
    for (const end = performance.now() + REPORT_MS;; await wait(AGAIN_MS)) {
      const response = await service.send(path, body);
      const text = await response.text();
      if (response.ok) return;
      if (response.status === 504 && performance.now() < end) continue;
      throw new Error(`${path} answered ${response.status}: ${text}`);
    }
  }

  const mouse = (action: string, more = {}) => async (target: Target) =>
    await act(action, { ...await toPosition(target), ...more });
  const key = async (name: string, repeat = 1) =>
    void await call("keyboard/key", { key: name, repeat });
  const click: Hand["click"] = async (target, { times = 1, modifiers = [] } = {}) =>
    await act("click", {
      ...await toPosition(target),
      click_count: times,
      modifiers,
    });
  return {
    async lines() {
      const document = await soon("a page with content", async () => {
        const { ref } = await findPage();
        // as JSON: that has refs of texts, too
        const input = { ref, include_hidden: true, max_chars: 500_000, format: "json" };
        const [element] = await read("snapshot", input);
        return element?.children && element;
      });
      return toLines([document], undefined).flatMap(withInside);
    },
    async picture(part) {
      const { x, y, ...size } = page ?? await findPage();
      const { width, height } = part ?? size;
      const corner = { x: x + (part?.x ?? 0), y: y + (part?.y ?? 0) };
      const query = new URLSearchParams(
        Object.entries({ ...corner, width, height }).map(([name, value]) => [name, String(value)]),
      );
      const response = await service.send(`/api/display/screenshot?${query}`);
      return readPng(new Uint8Array(await response.arrayBuffer()));
    },
    click,
    move: mouse("move"),
    down: mouse("down"),
    up: mouse("up"),
    async drag(path) {
      const points = await Promise.all(path.map((point) => toPosition(point)));
      await call("mouse/drag", {
        from: points[0],
        path: points.slice(1, -1),
        ...points.at(-1),
      });
    },
    scroll: (target, clicks) => mouse("scroll", { clicks })(target),
    async type(text) {
      await call("keyboard/type", { text, typing_delay: 0 });
    },
    key,
    async fill(field, value) {
      if (/combobox|listbox/.test(field.role)) {
        await call("accessibility/act", { ref: field.ref, action: "set_value", value });
        return;
      }
      await click(field);
      await key("ctrl+a");
      await call("keyboard/type", { text: value, clear: value === "", typing_delay: 0 });
    },
  };
}

function toLines(nodes: readonly Node[], parent: Line | undefined): Line[] {
  return nodes.map(({ ref, role, name, value = "", states, children = [] }) => {
    const inside: Line[] = [];
    const text = role === "text" ? name || value : name;
    const line = { ref, role, name: text, value, states, parent, inside };
    inside.push(...toLines(children, line));
    return line;
  });
}

function withInside(line: Line): readonly Line[] {
  return [line, ...line.inside.flatMap(withInside)];
}
