/** Who may act, with virtual time and without a service: persons, programs and operations that enter. */

import { ServiceError } from "../../src/core/errors.ts";
import type { Scope } from "../../src/core/groups.ts";
import { type Actor, ANYONE } from "../../src/features/actor.ts";
import { Control } from "../../src/features/control/control.ts";
import type { ControlledOperation, Passage } from "../../src/features/control/passage.ts";
import { Session } from "../../src/features/session.ts";
import { settle, VirtualTime } from "../simulation/virtual_time.ts";
import { testConfig } from "./client.ts";
import { FakePlatform } from "./fake_platform.ts";

export const ANNA: Actor = { id: "page-1", name: "Anna", kind: "person" };
export const BOB: Actor = { id: "page-2", name: "Bob", kind: "person" };
export const AGENT: Actor = { id: "token-1", name: "agent", kind: "program" };

export function withScopes(...scopes: readonly Scope[]): Actor {
  return { id: "scoped", name: "scoped", kind: "program", scopes: new Set(scopes) };
}

function operation(id: string, group: string, readOnly = false): ControlledOperation {
  return { id, group, readOnly, path: `/api/${group}/${id}` };
}

export const MOVE = operation("moveMouse", "mouse");
export const PICTURE = operation("takeScreenshot", "display", true);
export const READ_FILE = operation("readFile", "filesystem", true);
export const STATE = operation("getControlState", "control", true);
export const INFO = operation("getSystemInfo", "system", true);
export const RELEASE_ALL = operation("releaseAll", "system");

export interface Desk extends AsyncDisposable {
  readonly time: VirtualTime;
  readonly session: Session;
  readonly control: Control;
  /** @throws ServiceError when it is refused */
  enter(operation: ControlledOperation, actor?: Actor): Passage;
  /** For what may wait before it enters. */
  enterLater(operation: ControlledOperation, actor: Actor): Promise<Passage>;
  /** The code of the refusal; `undefined` for what enters, which leaves again. */
  refusal(operation: ControlledOperation, actor?: Actor): string | undefined;
  /** Lets time pass, with all that happens meanwhile. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until `work` is done. */
  done<T>(work: Promise<T>): Promise<T>;
}

export function openDesk(): Desk {
  const time = new VirtualTime();
  const config = testConfig();
  const session = new Session(new FakePlatform(), config.limits, config);
  const control = session.use(Control);
  const { signal } = new AbortController();

  const ask = (operation: ControlledOperation, actor: Actor) =>
    control.enter(operation, { actor, config, session, signal }, {});

  function enter(operation: ControlledOperation, actor: Actor = ANYONE): Passage {
    const passage = ask(operation, actor);
    if (passage instanceof Promise) throw new Error("It waits");
    return passage;
  }

  async function pass(ms: number): Promise<void> {
    let isOver = false;
    setTimeout(() => isOver = true, ms);
    await settle();
    while (!isOver) {
      time.advance();
      await settle();
    }
  }

  return {
    time,
    session,
    control,
    enter,
    enterLater: async (operation, actor) => await ask(operation, actor),
    refusal(operation, actor) {
      try {
        enter(operation, actor)[Symbol.dispose]();
        return undefined;
      } catch (error) {
        if (error instanceof ServiceError) return error.code;
        throw error;
      }
    },
    pass,
    async done(work) {
      let isDone = false;
      const noted = work.finally(() => isDone = true);
      noted.catch(() => {}); // the caller awaits it
      await settle();
      while (!isDone) {
        time.advance();
        await settle();
      }
      return await noted;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      time[Symbol.dispose]();
    },
  };
}
