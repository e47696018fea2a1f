/** Somebody at the mouse of a display that is not there. */

import type { RealInput, RealInputWatch } from "../../src/platform/types/mod.ts";

interface FakeWatch extends RealInputWatch {
  connected: boolean;
  readonly used: () => void;
}

export class FakePerson implements RealInput {
  /** Those who watch now. */
  readonly watches = new Set<FakeWatch>();
  /** Why it cannot be watched now. */
  failure: Error | undefined;

  watch(used: () => void): Promise<RealInputWatch> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const watch: FakeWatch = {
      connected: true,
      used,
      [Symbol.dispose]: () => void this.watches.delete(watch),
    };
    this.watches.add(watch);
    return Promise.resolve(watch);
  }

  moveMouse(): void {
    for (const { used } of this.watches) used();
  }

  /** The server of the display goes. */
  lose(): void {
    for (const watch of this.watches) watch.connected = false;
    this.watches.clear();
  }
}
