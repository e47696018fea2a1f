/** What is being done, for the pages of the console: the last operations, and pictures of some of them. */

import type { OperationRecord } from "../features/trail/entry.ts";
import { OperationLog } from "../features/trail/operation_log.ts";
import type { Session } from "../features/session.ts";
import { Pictures } from "./pictures.ts";

export type ActivityEntry = OperationRecord;

type Listener = (entries: readonly ActivityEntry[]) => void;

const KEPT = 1_000;

export class Activity implements Disposable {
  readonly pictures: Pictures;
  readonly #log: OperationLog;
  readonly #using = new DisposableStack();
  #watching = 0;

  constructor({ session }: { readonly session: Session }) {
    const pictures = this.pictures = new Pictures(session);
    this.#log = session.use(OperationLog);
    this.#using.use(this.#log.observe({
      begin: (id, operation, input, { desk }) => {
        const isSeen = this.#watching > 0 && desk === undefined; // those of desks are not kept
        const end = isSeen ? pictures.begin(id, operation, input) : undefined;
        return end && { end };
      },
    }));
  }

  /** The last ones, the oldest first. */
  get kept(): readonly ActivityEntry[] {
    return [...this.#log.kept].slice(-KEPT);
  }

  /** @param listener gets each entry when it has begun and when it has ended, or only once, soon after */
  watch(listener: Listener): Disposable {
    this.#watching++;
    const watching = this.#log.watch(listener, { running: true });
    return {
      [Symbol.dispose]: () => {
        this.#watching--;
        watching[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#using.dispose();
  }
}
