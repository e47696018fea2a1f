/**
 * Tells which programs got the input: records what the server hands to its clients, and asks it
 * about the presses that it does not report.
 */

import { inTime } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Handover, Recipients, Recording } from "../../types/mod.ts";
import type { XTest } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { decideHandover } from "./handover.ts";
import { InputTally } from "./input_tally.ts";
import type { X11Keyboard } from "./keyboard.ts";
import type { X11Mouse } from "./mouse.ts";
import { createProbeWindow, PressProbe } from "./press_probe.ts";
import { RecordStream } from "./record_stream.ts";

/** How long the server may take to begin or to end a recording. */
const ANSWER_TIMEOUT_MS = 2_000;

/** The devices whose presses are followed. */
export interface FollowedDevices {
  readonly connection: X11Connection;
  readonly xtest: XTest;
  readonly mouse: X11Mouse;
  readonly keyboard: X11Keyboard;
}

export class X11Recipients implements Recipients {
  #opcode: Promise<number> | undefined;
  #probeWindow: number | undefined;

  constructor(private readonly devices: FollowedDevices) {}

  async record(): Promise<Recording> {
    const { connection, xtest, mouse, keyboard } = this.devices;
    const opcode = await (this.#opcode ??= findOpcode(connection));
    if (opcode === 0) throw this.#unsupported("has no RECORD extension");
    const probeWindow = this.#probeWindow ??= createProbeWindow(connection);
    const [tally, probe] = [new InputTally(), new PressProbe(connection, xtest, probeWindow)];
    const stream = await RecordStream.open(connection.name, {
      ...{ opcode, probeWindow },
      use: (recorded) => tally.add(recorded),
    });
    if (stream === undefined) throw this.#unsupported("is not on this computer");
    await using ending = new AsyncDisposableStack();
    ending.use(stream);
    const silent = () => this.#unsupported("does not answer");
    await inTime(stream.started, ANSWER_TIMEOUT_MS, silent);
    const before = await probe.look("button");
    mouse.afterPress = () => probe.afterButton();
    keyboard.afterPress = () => probe.afterKey();
    ending.defer(() => {
      mouse.afterPress = keyboard.afterPress = undefined;
    });
    const open = ending.move();
    return {
      finish: async (): Promise<Handover> => {
        mouse.afterPress = keyboard.afterPress = undefined;
        const answers = await Promise.all(probe.answers);
        const after = await probe.look("key");
        stream.stop(connection);
        await inTime(stream.ended, ANSWER_TIMEOUT_MS, silent);
        const { clientMask } = stream;
        return await decideHandover(connection, tally, { answers, before, after, clientMask });
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    };
  }

  #unsupported(why: string): ServiceError {
    const { name } = this.devices.connection;
    return new ServiceError("unsupported", `The X server at "${name}" ${why}`);
  }
}

/** 0 where the server lacks the extension. */
async function findOpcode(connection: X11Connection): Promise<number> {
  const { present, majorOpcode } = await connection.call<
    { present: number; majorOpcode: number }
  >((done) => connection.client.QueryExtension("RECORD", done));
  return present ? majorOpcode : 0;
}
