/** A stand-in for the bridge of `osascript -l JavaScript`: the window server, and System Events with one program. */

// deno-lint-ignore no-explicit-any -- the bridge has every name
type Bridge = any;

export interface FakeWindow {
  readonly title: string;
  readonly position: readonly number[];
  readonly size: readonly number[];
  readonly minimized?: boolean;
  readonly parts?: readonly FakePart[];
}

export interface FakePart {
  readonly role: string;
  readonly [property: string]: unknown;
  readonly actions?: readonly string[];
  readonly parts?: readonly FakePart[];
}

export interface FakeMacOs {
  /** What the window server tells. */
  readonly server: readonly Readonly<Record<string, unknown>>[];
  /** What the program with the number 77 tells; others tell nothing. */
  readonly windows?: readonly FakeWindow[];
  readonly menus?: readonly FakePart[];
  readonly trusted?: boolean;
  /** What comes through standard input. */
  readonly input?: string;
}

const PID = 77;

/** Loads a script; `print` gives what it prints, `done` what it has asked the program to do. */
export function runWithSystemEvents(script: string, fake: FakeMacOs) {
  const done: string[] = [];
  const process = makeProcess(fake, done);
  const bridge: Bridge = {
    AXIsProcessTrusted: () => fake.trusted ?? true,
    CGWindowListCopyWindowInfo: (options: number) =>
      fake.server.filter((one) => (options & 1) === 0 || one["kCGWindowIsOnscreen"]),
    NSWorkspace: { sharedWorkspace: { frontmostApplication: { processIdentifier: PID } } },
    NSRunningApplication: {
      runningApplicationWithProcessIdentifier: () => ({ activationPolicy: 0 }),
    },
    NSScreen: {
      screens: {
        count: 1,
        objectAtIndex: () => ({
          frame: { size: { height: 400 } },
          visibleFrame: { origin: { x: 0, y: 0 }, size: { width: 640, height: 376 } },
        }),
      },
    },
    NSFileHandle: { fileHandleWithStandardInput: { readDataToEndOfFile: fake.input } },
    NSString: { alloc: { initWithDataEncoding: (data: string) => data } },
  };
  const objC = {
    import: () => {},
    deepUnwrap: (value: unknown) => value,
    unwrap: (value: unknown) => value,
    castRefToObject: (value: unknown) => value,
  };
  const application = () => ({
    applicationProcesses: {
      whose: ({ unixId }: { unixId: number }) => [
        unixId === PID ? process : { windows: several([]) },
      ],
    },
  });
  const load = new Function("ObjC", "$", "Application", `${script}\nreturn run;`);
  const run = load(objC, bridge, application);
  return { done, print: (...args: string[]) => JSON.parse(run(args)) };
}

function makeProcess({ windows = [], menus = [] }: FakeMacOs, done: string[]): Bridge {
  const process: Bridge = {
    windows: several(windows.map((window) => {
      const { title, position, size, minimized = false, parts } = window;
      return makeElement({
        ...{ role: "AXWindow", title, name: title, position, size, actions: ["AXRaise"] },
        ...{ AXMinimized: minimized, ...(parts && { parts }) },
      }, done);
    })),
    menuBars: [makeElement({ role: "AXMenuBar", name: "menu bar", parts: menus }, done)],
  };
  watch(process, "frontmost", undefined, (value) => done.push(`process frontmost ${value}`));
  return process;
}

function makeElement(part: FakePart, done: string[]): Bridge {
  const { parts = [], actions = [], ...told } = part;
  const name = String(told["title"] ?? told["name"] ?? told.role);
  const element: Bridge = {
    told,
    actionNames: actions,
    uiElements: several(parts.map((one) => makeElement(one, done))),
    properties: () => told,
    exists: () => true,
    actions: {
      name: () => actions,
      byName: (action: string) => ({ perform: () => void done.push(`${name} ${action}`) }),
    },
    buttons: {
      whose: ({ subrole }: { subrole: string }) => [
        { click: () => void done.push(`${name} click ${subrole}`) },
      ],
    },
    attributes: {
      byName: (attribute: string) => {
        const value: Bridge = {};
        watch(value, "value", () => told[attribute], (now) => {
          done.push(`${name} ${attribute} ${now}`);
        });
        return value;
      },
    },
  };
  for (const property of ["position", "size", "focused", "selected", "value"]) {
    watch(element, property, () => told[property], (value) => {
      done.push(`${name} ${property} ${value}`);
    });
  }
  return element;
}

/** All elements of a kind: each question is asked of all of them at once. */
function several(elements: readonly Bridge[]): Bridge {
  const ask = (property: string) => () => elements.map(({ told }) => told[property]);
  return Object.assign([...elements], {
    ...{ name: ask("name"), position: ask("position"), size: ask("size") },
    properties: () => elements.map(({ told }) => told),
    actions: { name: () => elements.map(({ actionNames }) => actionNames) },
    attributes: { byName: (attribute: string) => ({ value: ask(attribute) }) },
  });
}

/** A property that is read by a call, and set like any other. */
function watch(
  object: Bridge,
  property: string,
  get: (() => unknown) | undefined,
  set: (value: unknown) => void,
): void {
  Object.defineProperty(object, property, { get: () => get, set });
}
