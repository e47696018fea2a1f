/** Interrupts long work on the main thread, so that requests get their turns. */

/** Longest time that other work waits, in milliseconds. */
const MAX_BLOCK_MS = 5;

/**
 * Needed even for steps that await file operations: the runtime polls the network only after many
 * of them, or when it is idle.
 */
export class EventLoopYielder {
  #since = performance.now();

  /** Call it between two steps; it waits only when other work is due. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < MAX_BLOCK_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

const waiting: (() => void)[] = [];

/**
 * In each turn of the event loop one caller goes on: many at once would hold up other work together. Work in one piece
 * that takes milliseconds, as the start of a program does, waits for its turn first.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setTimeout(wakeOne);
  return promise;
}

function wakeOne(): void {
  waiting.shift()!();
  if (waiting.length > 0) setTimeout(wakeOne);
}
