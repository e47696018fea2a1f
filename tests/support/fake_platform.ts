/** A platform without a system behind it: it keeps the state that the ports speak of, and what was sent. */

import { ServiceError } from "../../src/core/errors.ts";
import type {
  Accessibility,
  BackendChoice,
  Browser,
  Capability,
  Changes,
  Clipboard,
  DeliveryTracker,
  Display,
  DisplayInfo,
  Displays,
  Focus,
  Input,
  Peers,
  Platform,
  Point,
  Processes,
  ProcessTable,
  Readiness,
  RealInput,
  Region,
  Rgb,
  Screen,
  Size,
  Windows,
} from "../../src/platform/types/mod.ts";
import { available, missing } from "../../src/platform/capability.ts";
import { FakeFileSystem } from "./fake_files.ts";
import { FakeInput } from "./fake_input.ts";
import { FakeKeychain } from "./fake_keychain.ts";
import { FakePerson } from "./fake_person.ts";

export interface FakePlatformOptions {
  readonly size?: Size;
  /** Numbers of the displays that exist. */
  readonly displays?: readonly number[];
  /** Why the displays take no input, if they take none. */
  readonly noInput?: string;
  /** Why they have a mouse and no keyboard. */
  readonly noKeyboard?: string;
  /** What runs commands, if anything does. */
  readonly processes?: Processes;
}

export class FakePlatform implements Platform, Displays {
  readonly system = "linux";
  readonly displays: Displays = this;
  /** What is stored, and whether it can be used. */
  readonly secrets = new FakeKeychain();
  readonly keychain = { ready: true, use: this.secrets } as const;
  readonly peers: Capability<Peers> = { ready: false, reason: "fake" };
  readonly processes: Capability<Processes>;
  processTable: Capability<ProcessTable> = missing("A fake follows no processes");
  readonly files = new FakeFileSystem();
  browser: Capability<Browser> = missing("A fake has no browser");
  readonly screens: Map<number, FakeDisplay>;
  disposed = false;

  constructor(
    { size = { width: 800, height: 600 }, displays = [1], processes, ...lacks }:
      FakePlatformOptions = {},
  ) {
    this.processes = processes === undefined
      ? { ready: false, reason: "A fake runs no commands" }
      : { ready: true, use: processes };
    this.screens = new Map(
      displays.map((number) => [number, new FakeDisplay(number, size, lacks)]),
    );
  }

  /** A display that exists. */
  screen(displayNum = 1): FakeDisplay {
    const screen = this.screens.get(displayNum);
    if (screen === undefined) throw new Error(`There is no fake display ${displayNum}`);
    return screen;
  }

  open(displayNum: number): Display {
    const screen = this.screens.get(displayNum);
    if (screen !== undefined) return screen;
    throw new ServiceError("unavailable", `Cannot open display ${displayNum}: it does not exist`);
  }

  list(): Promise<DisplayInfo[]> {
    return Promise.resolve([...this.screens.values()].map((screen) => screen.info));
  }

  readiness(): Promise<Readiness> {
    const ready = this.screens.has(1);
    return Promise.resolve({
      ready,
      reason: ready ? "Display 1 is a fake" : "There is no display 1",
    });
  }

  backends(): readonly BackendChoice[] {
    return [{ job: "display", chosen: "fake", reason: "This is a test" }];
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
    return Promise.resolve();
  }
}

export class FakeDisplay implements Display {
  /** What was done on this display and what is pressed. */
  readonly fake: FakeInput;
  readonly input: Capability<Input>;
  /** Who uses its mouse. */
  readonly person = new FakePerson();
  realInput: Capability<RealInput> = available(this.person);
  /** Whether a clicked window takes the keyboard. */
  takesFocus = true;
  /** How often was looked where keys go. */
  looks = 0;
  /** Colours by `x,y`; black where nothing was set. */
  readonly pixels = new Map<string, Rgb>();

  constructor(
    readonly displayNum: number,
    public size: Size,
    { noInput, noKeyboard }: Pick<FakePlatformOptions, "noInput" | "noKeyboard"> = {},
  ) {
    this.fake = new FakeInput(noKeyboard);
    this.input = noInput === undefined ? available(this.fake.port) : missing(noInput);
  }

  get info(): DisplayInfo {
    const { displayNum, size } = this;
    return { displayNum, name: `:${displayNum}`, ...size, scale: 1, primary: displayNum === 1 };
  }

  pixel(at: Point): Promise<Rgb> {
    return Promise.resolve(this.#colour(at));
  }

  /** Read in the thread of the test. */
  readonly screen: Screen = {
    connected: true,
    close() {},
    capture: ({ x, y, width, height }: Region, _options, use) => {
      const pixels = Uint32Array.from({ length: width * height }, (_, index) => {
        const at = { x: x + index % width, y: y + Math.floor(index / width) };
        const [red, green, blue] = this.#colour(at);
        return red << 16 | green << 8 | blue;
      });
      return Promise.resolve(use({ width, height, pixels }));
    },
  };

  watch(): Promise<Changes> {
    return Promise.reject(new ServiceError("unsupported", "A fake display does not change"));
  }

  readonly focus: Capability<Focus> = {
    ready: true,
    use: {
      keyTarget: () => {
        this.looks++;
        return Promise.resolve(this.takesFocus ? "clicked" : "elsewhere");
      },
    },
  };

  readonly delivery = missing("A fake does not deliver clicks");
  clipboard: Capability<Clipboard> = missing("A fake has no clipboard");
  accessibility: Capability<Accessibility> = missing("A fake has no elements");
  windows: Capability<Windows> = missing("A fake has no windows");
  deliveryTracker: Capability<DeliveryTracker> = missing(
    "A fake does not report which program receives the input",
  );

  #colour({ x, y }: Point): Rgb {
    return this.pixels.get(`${x},${y}`) ?? [0, 0, 0];
  }
}
