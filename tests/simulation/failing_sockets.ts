/**
 * A service whose connection to a real server ends at one of its messages, the first, the second and so on: whatever
 * it does with that, it says what its documentation allows, connects again, and leaves nothing pressed.
 */

import type { Cut, CuttingProxy } from "../support/cutting_proxy.ts";
import { isDocumented } from "../support/documented.ts";
import type { Service } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

/** What cuts the connections, as {@link CuttingProxy} does. */
export type Cutter = Pick<CuttingProxy, "arm" | "disarm" | "accepted"> & {
  hangUp(): void | Promise<void>;
};

/** A service that reaches its server through the proxy. */
export interface CutService {
  readonly proxy: Cutter;
  readonly service: Service;
  /** An operation that succeeds once there is a connection. */
  readonly probe: Pick<CutOperation, "path" | "body">;
  /** What is down on the server, as it says itself, past the proxy. */
  pressed(): Promise<readonly string[]>;
}

export interface CutOperation {
  /** Below `/api/`; by GET unless there is a body. */
  readonly path: string;
  /** Made for each call, before messages count. */
  readonly body?: () => object | Promise<object>;
  /** What comes before, while nothing is cut. */
  readonly prepare?: () => unknown;
  /** What comes once messages count, before the operation. */
  readonly first?: () => unknown;
  /** What comes after its answer, when nothing is cut any more; it throws what is wrong. */
  readonly afterwards?: (answer: Answer) => unknown;
  /** Whether it leaves something pressed where it succeeds. */
  readonly holds?: boolean;
  /** Whether what is down is only released with the next connection, because that is cut, too. */
  readonly isReleasedLater?: boolean;
}

/**
 * The operation again and again, until it has all its messages handed on.
 * @returns how many times the connection was cut
 * @throws Error which message was cut, and what was wrong then
 */
export async function cutEachMessage(
  target: CutService,
  operation: CutOperation,
  { cut, most = Infinity }: { readonly cut: Cut; readonly most?: number },
): Promise<number> {
  const { proxy } = target;
  for (let nth = 1; nth <= most; nth++) {
    await operation.prepare?.();
    const body = await operation.body?.();
    proxy.arm({ nth, cut });
    await operation.first?.();
    const answer = await call(target.service, operation.path, body);
    const wasCut = proxy.disarm();
    try {
      await operation.afterwards?.(answer);
      await check(target, { operation, answer, wasCut });
    } catch (error) {
      const where = wasCut ? `cut ${cut} message ${nth}` : `of ${nth - 1} messages none was cut`;
      const what = `${operation.path}, ${where}: ${(error as Error).message}`;
      throw new Error(`${what} (it had answered ${answer.status}: ${answer.text})`, {
        cause: error,
      });
    }
    if (!wasCut) return nth - 1;
  }
  return most;
}

export interface Answer {
  readonly status: number;
  /** Its beginning. */
  readonly text: string;
}

async function call(service: Service, path: string, body?: object): Promise<Answer> {
  const response = await service.send(`/api/${path}`, body);
  return { status: response.status, text: (await response.text()).slice(0, 300) };
}

async function check(
  target: CutService,
  { operation, answer: { status }, wasCut }: {
    readonly operation: CutOperation;
    readonly answer: Answer;
    readonly wasCut: boolean;
  },
): Promise<void> {
  const { service, probe } = target;
  const { path, body, holds = false, isReleasedLater = false } = operation;
  const method = body === undefined ? "get" : "post";
  if (status === 500 || !isDocumented(path, method, status)) {
    throw new Error(`the status ${status} is not documented`);
  }
  if (!wasCut && status >= 300) throw new Error(`the status is ${status}`);
  const mayHold = holds && status < 300;
  if (!mayHold && !isReleasedLater) {
    await waitFor(async () => (await target.pressed()).length === 0, {
      what: `the release of ${await target.pressed()} without any other call`,
    });
  }
  if ((await service.send("/healthz")).status !== 200) throw new Error("the service is ill");
  await waitFor(async () => (await call(service, probe.path, await probe.body?.())).status < 300, {
    what: "a new connection",
  });
  if (!mayHold) await expectReleased(target, "the new connection");
  await succeed(service, "system/release-all", {});
  await expectReleased(target, "release-all");
  await succeed(service, path, await body?.());
  if (!holds) await expectReleased(target, "the next call");
  await succeed(service, "system/release-all", {});
  await expectReleased(target, "the last release-all");
}

/** Ends the connections, and waits until the service makes another one by itself, to release what was down. */
export async function awaitReconnection(proxy: Cutter): Promise<void> {
  const before = proxy.accepted;
  await proxy.hangUp();
  await waitFor(() => proxy.accepted > before, { what: "a new connection", everyMs: 0 });
}

async function expectReleased({ pressed }: CutService, after: string): Promise<void> {
  const left = await pressed();
  if (left.length > 0) throw new Error(`after ${after}, ${left.join(" and ")} stay pressed`);
}

async function succeed(service: Service, path: string, body?: object): Promise<void> {
  const { status, text } = await call(service, path, body);
  if (status >= 300) throw new Error(`then ${path} is answered ${status}: ${text}`);
}
