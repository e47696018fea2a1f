/** A session whose programs tell what they show, and the service as its users have it, asked for elements. */

import { type RunningCommand, startCommand } from "../../../support/command.ts";
import { waitFor } from "../../../support/wait.ts";
import {
  type AccessibleSession,
  startAccessibleSession,
} from "../../support/accessible_session.ts";
import type { Rectangle } from "../../support/xwindow.ts";

/** An element as `accessibility/snapshot` gives it in JSON. */
export interface ElementNode {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly label?: string;
  readonly value?: string;
  readonly states: readonly string[];
  readonly abilities: readonly string[];
  readonly bounds?: Rectangle;
  readonly window?: string;
  readonly children?: readonly ElementNode[];
}

/** What `accessibility/act` answers. */
export interface Acted {
  readonly result: "confirmed" | "unverified";
  readonly by: "program" | "input";
  readonly reason: string;
  readonly value?: string;
  readonly states?: readonly string[];
}

export type Body = Readonly<Record<string, unknown>>;

export interface Wanted {
  readonly role?: string;
  /** The whole name, or a pattern of it. */
  readonly name?: string | RegExp;
  /** Tells an editor's text from its other fields. */
  readonly minHeight?: number;
}

/** What is asked of a service. */
export interface ElementCalls {
  /** Calls an operation that must succeed; gives its JSON. */
  call<T = unknown>(operation: string, body?: Body): Promise<T>;
  /** Calls an operation that must fail with this status; gives what it says. */
  refused(status: number, operation: string, body: Body): Promise<string>;
  /** All elements in the order of a snapshot, parents first. */
  elements(more?: Body): Promise<ElementNode[]>;
  act(ref: string, action: string, more?: Body): Promise<Acted>;
  /** Waits for the only element that is like this. */
  element(wanted: Wanted, more?: Body): Promise<ElementNode>;
}

export interface ElementDesktop extends ElementCalls, AsyncDisposable {
  readonly session: AccessibleSession;
  readonly display: string;
  readonly service: RunningCommand;
}

export async function openElementDesktop(): Promise<ElementDesktop> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await startAccessibleSession());
  const { display, env } = session;
  const service = opening.use(await startCommand(["--display", `1=${display}`], env));
  const open = opening.move();
  return {
    session,
    display,
    service,
    ...elementCalls(service),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Asks a service for elements. */
export function elementCalls(service: Pick<RunningCommand, "post">): ElementCalls {
  const answer = async (operation: string, body: Body) => {
    const response = await service.post(`/api/${operation}`, body);
    return { status: response.status, text: await response.text() };
  };
  const call = async <T>(operation: string, body: Body = {}) => {
    const { status, text } = await answer(operation, body);
    if (status >= 300) throw new Error(`${operation} answered ${status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  const elements = async (more: Body = {}) => {
    const fields = { format: "json", window: "all", max_chars: 1_000_000, ...more };
    const { elements } = await call<{ elements: ElementNode[] }>("accessibility/snapshot", fields);
    return elements.flatMap(flatten);
  };
  return {
    call,
    elements,
    act: (ref, action, more = {}) => call("accessibility/act", { ref, action, ...more }),
    async refused(status, operation, body) {
      const said = await answer(operation, body);
      if (said.status === status) return said.text;
      throw new Error(`${operation} answered ${said.status}, not ${status}: ${said.text}`);
    },
    async element(wanted, more) {
      let seen: ElementNode[] = [];
      return await waitFor(async () => {
        seen = await elements(more);
        const found = seen.filter((each) => isLike(each, wanted));
        return found.length === 1 && found[0];
      }, { what: `the only ${JSON.stringify(wanted)} ${wanted.name}` }).catch((cause) => {
        throw new Error(`${cause.message} among\n${seen.map(describe).join("\n")}`, { cause });
      });
    },
  };
}

function isLike(element: ElementNode, { role, name, minHeight = 0 }: Wanted): boolean {
  if (role !== undefined && element.role !== role) return false;
  if ((element.bounds?.height ?? 0) < minHeight) return false;
  if (name === undefined) return true;
  return typeof name === "string" ? element.name === name : name.test(element.name);
}

function flatten(element: ElementNode): ElementNode[] {
  return [element, ...(element.children ?? []).flatMap(flatten)];
}

function describe({ role, name, value, states }: ElementNode): string {
  return `${role} "${name}" [${states}] ${value ?? ""}`;
}
