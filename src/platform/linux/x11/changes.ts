/** Changes on the screen, as the server itself reports them (DAMAGE extension, version 1.1). */

import { ServiceError } from "../../../core/errors.ts";
import { Waiters } from "../../../core/shared_run.ts";
import type { Changes, ChangeState, CursorState, Region } from "../../types/mod.ts";
import { ChangeLog } from "../../comparing/compared_changes.ts";
import type { XEvent } from "./client.ts";
import {
  type Damage,
  type Fixes,
  ignoreGrabs,
  requireExtension,
  X11Connection,
  type XRectangle,
} from "./connection.ts";
import { cursorState, readCursor } from "./screen.ts";
import { Stillness } from "./stillness.ts";

interface Parts {
  readonly connection: X11Connection;
  readonly damage: Damage;
  readonly fixes: Fixes;
}

export class X11Changes implements Changes, Disposable {
  readonly source = "events";
  readonly #log = new ChangeLog();
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #damage: number;
  readonly #region: number;
  /** The server has reported a change that is not counted yet. */
  #untold = false;
  #stillness: Stillness | undefined;
  #isOpeningStillness = false;
  /** The result of the last look, and the stretch of stillness in which it started. */
  #found: { readonly stretch: number; readonly state: ChangeState } | undefined;
  #running: Promise<ChangeState> | undefined;
  #waiting: Promise<ChangeState> | undefined;
  readonly #waiters = new Waiters();

  private constructor(private readonly parts: Parts) {
    const { connection, damage, fixes } = parts;
    this.#damage = connection.client.AllocID();
    this.#region = connection.client.AllocID();
    fixes.CreateRegion(this.#region, []);
    damage.Create(this.#damage, connection.root, damage.ReportLevel.NonEmpty);
    connection.onEvent((event) => this.#hear(event));
    connection.onLoss(() => {
      this.#stillness?.[Symbol.dispose]();
      this.#waiters.tell(); // the next look reports the loss
    });
  }

  /** @throws XOpenError; ServiceError `unsupported` when the server has no DAMAGE or no XFIXES. */
  static open(name: string): Promise<X11Changes> {
    return X11Connection.openFor(name, async (connection) => {
      await ignoreGrabs(connection);
      const fixes = await requireExtension<Fixes>(connection, "fixes");
      const damage = await requireExtension<Damage>(connection, "damage");
      if (fixes && damage) return new X11Changes({ connection, damage, fixes });
      const missing = fixes ? "DAMAGE" : "XFIXES";
      throw new ServiceError(
        "unsupported",
        `The X server at "${name}" has no ${missing} extension, by which it would tell of changes`,
      );
    });
  }

  get connected(): boolean {
    return this.parts.connection.connected;
  }

  /** Calls during a round trip share the next one; while nothing changes, none is needed. */
  look(): Promise<ChangeState> {
    if (this.#isStill()) return Promise.resolve(this.#found!.state);
    if (this.#waiting) return this.#waiting;
    const after = this.#running ?? Promise.resolve();
    const next = after.then(() => this.#start(), () => this.#start());
    return this.#waiting = next;
  }

  since(count: number): readonly Region[] | undefined {
    return this.#log.since(count);
  }

  next(count: number, signal: AbortSignal): Promise<void> {
    if (!this.connected || this.#untold || this.#log.count > count) return Promise.resolve();
    return this.#waiters.wait(signal);
  }

  async cursor(): Promise<CursorState> {
    return cursorState(await readCursor(this.parts.connection, this.parts.fixes));
  }

  [Symbol.dispose](): void {
    this.#stillness?.[Symbol.dispose]();
    this.parts.connection[Symbol.dispose]();
  }

  #isStill(): boolean {
    return this.#found !== undefined && !this.#untold && this.connected &&
      this.#found.state.count === this.#log.count && this.#stillness!.lasts(this.#found.stretch);
  }

  #start(): Promise<ChangeState> {
    this.#waiting = undefined;
    const running: Promise<ChangeState> = this.#count().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return this.#running = running;
  }

  /**
   * One round trip: moves the damage so far into the region, which rearms the event, and fetches
   * the region.
   */
  async #count(): Promise<ChangeState> {
    const { connection, damage, fixes } = this.parts;
    this.#untold = false; // a later event can report something that this look does not see
    const stretch = this.#stillness?.stretch;
    damage.Subtract(this.#damage, 0, this.#region);
    const { rectangles } = await connection.call<{ rectangles: readonly XRectangle[] }>((done) =>
      fixes.FetchRegion(this.#region, done)
    );
    if (rectangles.length > 0) this.#log.add(rectangles);
    const state = { run: this.#run, count: this.#log.count, size: connection.size };
    this.#found = stretch === undefined ? undefined : { stretch, state };
    // not worth it while the screen keeps changing
    if (rectangles.length === 0 && stretch === undefined) this.#arm();
    return state;
  }

  /** Prepares a later look to need no round trip. */
  #arm(): void {
    if (this.#stillness !== undefined) return this.#stillness.arm();
    if (this.#isOpeningStillness) return;
    this.#isOpeningStillness = true; // only once: if it is unavailable, it stays so
    const { connection, damage } = this.parts;
    const opening = Stillness.open(connection, damage).catch(() => undefined);
    opening.then((opened) => {
      if (this.connected) this.#stillness = opened;
      else opened?.[Symbol.dispose]();
    });
  }

  #hear(event: XEvent): void {
    const { root, size } = this.parts.connection;
    if (event.name === "ConfigureNotify" && event.wid1 === root) {
      this.#log.add([{ x: 0, y: 0, ...size }]);
    } else if (event.name !== "DamageNotify" || event.damage !== this.#damage) return;
    this.#untold = true;
    this.#waiters.tell();
  }
}
