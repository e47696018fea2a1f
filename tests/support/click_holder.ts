/** What a window manager does to see clicks before the windows do: it holds them back by a synchronous grab. */

import { TestX, type TestXClient } from "./x_client.ts";

interface Grabbing extends TestXClient {
  GrabButton(
    window: number,
    ownerEvents: number,
    mask: number,
    pointerMode: number,
    keyboardMode: number,
    confineTo: number,
    cursor: number,
    button: number,
    modifiers: number,
  ): void;
  AllowEvents(mode: number, time: number): void;
}

const SYNCHRONOUS = 0;
const ASYNCHRONOUS = 1;
const REPLAY_POINTER = 2;
const BUTTON_PRESS = 4;
const ANY_MODIFIER = 0x8000;

export interface ClickHolder extends Disposable {
  /** Gives the click that is held to its window. */
  release(): Promise<void>;
}

/** Holds every press of the left button until it is released. */
export async function holdClicks(display: string): Promise<ClickHolder> {
  const x = await TestX.open(display);
  const manager = x.client as Grabbing;
  manager.GrabButton(
    ...[x.root, 0, BUTTON_PRESS, SYNCHRONOUS, ASYNCHRONOUS, 0, 0, 1, ANY_MODIFIER] as const,
  );
  await x.pointer();
  return {
    async release() {
      manager.AllowEvents(REPLAY_POINTER, 0);
      await x.pointer();
    },
    [Symbol.dispose]: () => x[Symbol.dispose](),
  };
}
