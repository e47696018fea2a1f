/** Changes on the screen, as the server itself reports them (DAMAGE extension, version 1.1). */

import { ServiceError } from "../../../core/errors.ts";
import { Waiters } from "../../../core/shared_run.ts";
import type { Changes, CursorState, Region, Size } from "../../types/mod.ts";
import { LoggedChanges } from "../../comparing/compared_changes.ts";
import type { XEvent } from "./client.ts";
import {
  type Damage,
  type Fixes,
  ignoreGrabs,
  requireExtension,
  X11Connection,
} from "./connection.ts";
import { cursorState, readCursor } from "./screen.ts";

interface Parts {
  readonly connection: X11Connection;
  readonly damage: Damage;
  readonly fixes: Fixes;
}

export class X11Changes extends LoggedChanges implements Changes, Disposable {
  readonly source = "events";
  readonly #damage: number;
  readonly #region: number;
  /** The server has reported a change that is not counted yet. */
  #unreported = false;
  readonly #waiters = new Waiters();

  private constructor(private readonly parts: Parts) {
    super();
    const { connection, damage, fixes } = parts;
    this.#damage = connection.client.AllocID();
    this.#region = connection.client.AllocID();
    fixes.CreateRegion(this.#region, []);
    damage.Create(this.#damage, connection.root, damage.ReportLevel.NonEmpty);
    connection.onEvent((event) => this.#onEvent(event));
    connection.onLoss(() => this.#waiters.notify()); // the next poll reports the loss
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
        `The X server at "${name}" has no ${missing} extension, which reports changes`,
      );
    });
  }

  get connected(): boolean {
    return this.parts.connection.connected;
  }

  next(count: number, signal: AbortSignal): Promise<void> {
    if (!this.connected || this.#unreported || this.log.count > count) return Promise.resolve();
    return this.#waiters.wait(signal);
  }

  async cursor(): Promise<CursorState> {
    return cursorState(await readCursor(this.parts.connection, this.parts.fixes));
  }

  [Symbol.dispose](): void {
    this.parts.connection[Symbol.dispose]();
  }

  /**
   * One round trip: moves the damage so far into the region, which rearms the event, and fetches
   * the region.
   */
  protected async collect(): Promise<Size> {
    const { connection, damage, fixes } = this.parts;
    this.#unreported = false; // a later event can report something that this poll does not see
    damage.Subtract(this.#damage, 0, this.#region);
    const { rectangles } = await connection.call<{ rectangles: readonly Region[] }>((done) =>
      fixes.FetchRegion(this.#region, done)
    );
    if (rectangles.length > 0) this.log.add(rectangles);
    return connection.size;
  }

  #onEvent(event: XEvent): void {
    const { root, size } = this.parts.connection;
    if (event.name === "ConfigureNotify" && event.wid1 === root) {
      this.log.add([{ x: 0, y: 0, ...size }]);
    } else if (event.name !== "DamageNotify" || event.damage !== this.#damage) return;
    this.#unreported = true;
    this.#waiters.notify();
  }
}
