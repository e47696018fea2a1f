/** The displays of a Wayland session: what all of them have, and where their pictures come from. */

import { firstColour } from "../../../imaging/picture.ts";
import { available, missing } from "../../capability.ts";
import type {
  Capability,
  Changes,
  Clipboard,
  Input,
  Screen,
  ScreenAddress,
  Windows,
} from "../../types/mod.ts";
import type { LinuxDisplay, OutputInfo } from "../linux_display.ts";
import type { PipeWireStream } from "../pipewire/stream.ts";
import type { Output } from "./outputs.ts";

export interface WaylandDisplay extends LinuxDisplay {
  /** Set by who opens the display, in the same way for every backend. */
  accessibility: LinuxDisplay["accessibility"];
}

interface DisplayParts {
  readonly displayNum: number;
  /** As it was opened. */
  readonly name: string;
  /** Identifies the run of the compositor, or of its session. */
  readonly serverRun: string;
  /** What gives it, as messages name that. */
  readonly desktop: string;
  readonly input: Capability<Input>;
  readonly clipboard: Capability<Clipboard>;
  readonly windows: Capability<Windows>;
  /** Whether the connection to the compositor, or its session, lasts. */
  readonly isConnected: () => boolean;
}

function commonParts(parts: DisplayParts) {
  const { desktop, displayNum, name, serverRun, input, clipboard, windows } = parts;
  return {
    displayNum,
    name,
    serverRun,
    input,
    clipboard,
    windows,
    origin: "window",
    focus: missing(`${desktop} does not report which window has the keyboard focus`),
    delivery: missing(`${desktop} does not report when a program has taken a click`),
    deliveryTracker: missing(`${desktop} does not report which program receives the input`),
    realInput: missing(`${desktop} does not tell real input from that of programs`),
    accessibility: missing("No session has opened this display"),
  } satisfies Partial<WaylandDisplay>;
}

interface StreamedParts extends Omit<DisplayParts, "serverRun" | "input"> {
  /** Belongs to the display from now on. */
  readonly stream: PipeWireStream;
  readonly input: Input;
  readonly output: () => OutputInfo;
}

/** A monitor whose pictures come through PipeWire. */
export function createStreamedDisplay(parts: StreamedParts): WaylandDisplay {
  const { stream, input, output, isConnected } = parts;
  const serverRun = crypto.randomUUID(); // a session that has ended never comes back
  return {
    ...commonParts({ ...parts, serverRun, input: available(input) }),
    get connected() {
      return isConnected() && stream.connected;
    },
    get size() {
      return stream.size;
    },
    get output() {
      return output();
    },
    screen: stream.address,
    pixel: (at) => stream.pixel(at),
    watch: () => Promise.resolve(stream.watch()),
    /** Releases what this service holds down, unless the desktop did so when it ended the session. */
    async [Symbol.asyncDispose]() {
      if (isConnected()) await input.releaseAll().catch(() => {}); // it has just ended
      await stream[Symbol.asyncDispose]();
    },
  };
}

/** Changes that end with what is followed. */
type FollowedChanges = Changes & Disposable & { readonly connected: boolean };

interface OutputParts extends DisplayParts {
  readonly output: Output;
  /** Where any thread finds its pictures now. */
  readonly screen: () => ScreenAddress;
  /** Takes pictures in this thread. */
  readonly pictures: () => Pick<Screen, "capture">;
  readonly openChanges: () => FollowedChanges;
  /** Ends what belongs to the display. */
  readonly close?: () => void;
}

/** An output whose pictures are taken one by one. */
export function createOutputDisplay(parts: OutputParts): WaylandDisplay {
  const { output, isConnected, screen, pictures, openChanges, close } = parts;
  let changes: FollowedChanges | undefined;
  const unwatch = () => {
    changes?.[Symbol.dispose]();
    changes = undefined;
  };
  return {
    ...commonParts(parts),
    get connected() {
      return isConnected() && output.isPlugged;
    },
    get size() {
      output.update();
      return output.size;
    },
    get output() {
      const { name, scale } = output;
      return { name, scale };
    },
    get screen() {
      return screen();
    },
    pixel({ x, y }) {
      const region = { x, y, width: 1, height: 1 };
      return pictures().capture(region, { cursor: "hidden" }, firstColour);
    },
    watch() {
      if (changes?.connected === false) unwatch();
      return Promise.resolve(changes ??= openChanges());
    },
    [Symbol.asyncDispose]() {
      unwatch();
      close?.();
      return Promise.resolve();
    },
  };
}
