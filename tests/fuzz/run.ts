/** Sends the requests to a service and judges every answer, and what is left when all have been answered. */

import fc from "fast-check";
import type { Jail } from "./jail.ts";
import { type Answer, Judge } from "./judge.ts";
import { stallsOf } from "../support/watchdog.ts";
import { waitFor } from "../support/wait.ts";
import { DESK, type FuzzRequest, operationsOf, requestsOf } from "./requests.ts";

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Only operations whose id contains this. */
  readonly only?: string;
}

export interface FuzzResult {
  /** One line for each wrong answer, and for what is left. */
  readonly faults: readonly string[];
  readonly statuses: ReadonlyMap<number, number>;
  /** What is resident at the end. */
  readonly memoryMiB: number;
}

const AT_ONCE = 8;
const BATCH = 400;
const ANSWER_MS = 20_000;
/** More is a leak outside of the heaps, which have a limit of their own. */
const MAX_MEMORY_MIB = 700;
const MAX_FAULTS = 30;
/** Of what a service wrote before it ended. */
const MAX_LINES = 20;

/** After these all others would be refused, or wait for a person. */
const KEEPS_OTHERS_OUT: ReadonlySet<string> = new Set(["pauseControl", "takeLease", "requestHelp"]);

export async function fuzz(
  jail: Jail,
  { seed, requests, only = "" }: FuzzOptions,
): Promise<FuzzResult> {
  const document = await (await fetch(`${jail.url}/openapi.json`)).json();
  const { schemas } = document.components;
  await (await postTo(jail, "/api/desk/create", { name: DESK })).body?.cancel();
  const operations = operationsOf(document)
    .filter(({ id }) => id.includes(only) && !KEEPS_OTHERS_OUT.has(id));
  const all = fc.oneof(...operations.map((operation) => requestsOf(operation, schemas)));
  const judge = new Judge(schemas);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  for (let done = 0; done < requests && faults.length < MAX_FAULTS; done += BATCH) {
    const numRuns = Math.min(BATCH, requests - done);
    const batch = fc.sample(all, { seed: seed + done, numRuns });
    await inParallel(batch, async (request) => {
      const answer = await send(jail, request);

      const fault = typeof answer === "string" ? answer : judge.faultOf(request, answer);
      if (typeof answer !== "string") {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      if (fault !== undefined) faults.push(described(fault, request, answer));
    });
    if (!jail.running()) break;
  }
  if (!jail.running()) {
    const last = jail.errors.seen.slice(-MAX_LINES).join("\n");
    return { faults: [...faults, `the service has ended: ${last}`], statuses, memoryMiB: 0 };
  }
  faults.push(...await leftOver(jail));
  faults.push(...stallsOf(jail.errors.seen));
  faults.push(...jail.errors.seen.filter((line) => line.includes(" error undeclared error ")));
  const memoryMiB = memoryOf(jail.pid);
  if (memoryMiB > MAX_MEMORY_MIB) faults.push(`${memoryMiB} MiB of memory are resident`);
  return { faults, statuses, memoryMiB };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  }));
}

async function send(jail: Jail, request: FuzzRequest): Promise<Answer | string> {
  const { method, target, headers, body } = request;
  try {
    const response = await fetch(`${jail.url}${target}`, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
    });
    const contentType = response.headers.get("content-type");
    if (contentType?.startsWith("text/event-stream")) {
      await response.body?.cancel(); // it has no end
      return { status: response.status, contentType, text: "" };
    }
    return { status: response.status, contentType, text: await response.text() };
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  }
}

function postTo(jail: Jail, path: string, body: object): Promise<Response> {
  return fetch(`${jail.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** What is wrong after everything has been released and ended. */
async function leftOver(jail: Jail): Promise<string[]> {
  const faults: string[] = [];
  const post = (path: string, body = {}) => postTo(jail, path, body);
  const desks = await (await fetch(`${jail.url}/api/desk/list`)).json() as { name: string }[];
  for (const { name } of desks) {
    const answer = await post("/api/desk/delete", { name });
    if (answer.status !== 204) faults.push(`desk/delete answers ${answer.status}`);
    await answer.body?.cancel();
  }
  for (const path of ["/api/system/release-all", "/api/bash/restart"]) {
    const answer = await post(path);
    if (answer.status !== 204) faults.push(`${path} answers ${answer.status}`);
    await answer.body?.cancel();
  }
  const held = await (await fetch(`${jail.url}/api/keyboard/held`)).json();
  if (held.length > 0) faults.push(`keys are held down: ${held}`);
  const health = await fetch(`${jail.url}/healthz`);
  if (health.status !== 200) faults.push(`/healthz answers ${health.status}`);
  await health.body?.cancel();
  const strangers = () => childrenOf(jail.pid).filter((name) => !OWN_CHILDREN.has(name));
  // what opens an address ends by itself
  await waitFor(() => strangers().length === 0, { what: "the end of programs" }).catch(() => {
    faults.push(`children are left: ${strangers().join(", ")}`);
  });
  return faults;
}

/** The display, its window manager and buses, and what the next command starts with. */
const OWN_CHILDREN = new Set([
  "Xvfb",
  "openbox",
  "dbus-daemon",
  "at-spi-bus-laun",
  "at-spi2-registr",
  "sh",
  "bash",
]);

function childrenOf(pid: number): string[] {
  return Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).split(" ")
    .filter((child) => child !== "")
    .flatMap((child) => {
      try {
        return [Deno.readTextFileSync(`/proc/${child}/comm`).trim()];
      } catch {
        return []; // it has ended meanwhile
      }
    });
}

function memoryOf(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024);
}

function described(fault: string, request: FuzzRequest, answer: Answer | string): string {
  const { kind, operation, method, target, body } = request;
  const sent = body instanceof Uint8Array ? `${body.byteLength} bytes` : body?.slice(0, 300) ?? "";
  const got = typeof answer === "string" ? "" : `${answer.status} ${answer.text.slice(0, 300)}`;
  return `${fault}: ${kind} ${operation.id}: ${method} ${target.slice(0, 200)} ${sent} -> ${got}`;
}
