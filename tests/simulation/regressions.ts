/**
 * Faults that the service once had, or that one line would bring, put back one at a time: the proof that the simulation
 * sees them.
 */

import type { NamedScenario } from "./simulations.ts";

export interface Regression {
  readonly what: string;
  readonly world: NamedScenario["world"];
  /** Where the search begins: a seed that has found it. Another one may after a change of the service. */
  readonly seed: number;
  /** What callers choose from, where it is found rarely otherwise; all operations of the world when absent. */
  readonly operations?: NamedScenario["operations"];
  /** The message of the failure. */
  readonly finds: RegExp;
  readonly file: string;
  /** What stands in the file today, and what stood there. */
  readonly changes: readonly (readonly [today: string, once: string])[];
}

export const REGRESSIONS: readonly Regression[] = [
  {
    what: "a drag in a page goes on after its caller has left",
    world: "browser",
    seed: 24,
    finds: /drag sent mouseMoved after its caller had left/,
    file: "src/platform/browser/pointer.ts",
    changes: [
      ["    checkStop();\n    this.#at = to;", "    this.#at = to;"],
      [
        'await unlessStopped(this.#send("mouseMoved", { ...how, button }), checkStop);',
        'await this.#send("mouseMoved", { ...how, button });',
      ],
    ],
  },
  {
    what: "what a press that fails has pressed in a page stays pressed",
    world: "browser",
    seed: 2,
    finds: /left the \w+ button pressed in/,
    file: "src/platform/browser/pointer.ts",
    changes: [
      [
        "      this.#giveUp(button, press, how)?.catch(() => {}); // a tab that was closed holds nothing down\n",
        "",
      ],
      [
        "      this.#giveUp(button, press, how)?.catch(() => {});\n      throw error;",
        "      throw error;",
      ],
    ],
  },
  {
    what: "32 waits in the browser keep all others out",
    world: "browser",
    seed: 2,
    operations: ["browser/wait", "browser/dialog"],
    finds: /took \d+ ms/,
    file: "src/platform/browser/open_browser.ts",
    changes: [
      ["const JOBS_AT_ONCE = 512;", "const JOBS_AT_ONCE = 32;"],
      ['name === "release" ? work() : share.run(work, signal)', "work()"],
    ],
  },
  {
    what: "typing in a page that is slow goes on after its caller has left",
    world: "browser",
    seed: 3,
    finds: /type sent insertText after its caller had left/,
    file: "src/platform/browser/keys/keyboard.ts",
    changes: [
      ["    checkStop();\n    const key =", "    const key ="],
      [
        'else await unlessStopped(tab.act("Input.insertText", { text: character }), checkStop);',
        'else await tab.act("Input.insertText", { text: character });',
      ],
    ],
  },
  {
    what: "a button that was pressed in a page for a caller who has left stays pressed",
    world: "browser",
    seed: 69,
    operations: ["browser/pointer"],
    finds: /left the \w+ button pressed in/,
    file: "src/platform/browser/open_browser.ts",
    changes: [['if (!signal.aborted || name !== "pointer") return;', "if (name) return;"]],
  },
  {
    what: "a wait ends with an error when its page is busy for a while",
    world: "browser",
    seed: 4,
    operations: ["browser/click"],
    finds: /wait .* was answered 504/,
    file: "src/platform/browser/wait.ts",
    changes: [["isMet(poll, condition).catch(notYet)", "isMet(poll, condition).catch(ifGone)"]],
  },
  {
    what: "a batch that holds a button in a page that hangs fails at its end",
    world: "browser",
    seed: 53,
    operations: ["batch"],
    finds: /batch .* was answered 500/,
    file: "src/features/browser/input_operations.ts",
    changes: [["await within(release, RELEASE_TIMEOUT_MS);", "await release;"], [
      "const { signal } = new AbortController();\n    const held",
      "const signal = AbortSignal.timeout(RELEASE_TIMEOUT_MS);\n    const held",
    ]],
  },
  {
    what: "a key stays pressed in a page when its browser cannot be reached again at once",
    world: "browser",
    seed: 22,
    operations: ["browser/pointer", "browser/drag", "browser/key"],
    finds: /left the \w+ button pressed in|stay pressed in/,
    file: "src/platform/browser/browser_supervisor.ts",
    changes: [[
      "const RELEASE_AGAIN_MS = [100, 1_000, 3_000, 10_000, 30_000];",
      "const RELEASE_AGAIN_MS: number[] = [];",
    ]],
  },
  {
    what: "a button stays pressed in a page that has a dialog since before the connection",
    world: "browser",
    seed: 22,
    operations: ["browser/pointer", "browser/drag"],
    finds: /left the \w+ button pressed in|stay pressed/,
    file: "src/platform/browser/tab.ts",
    changes: [[
      "await this.awaitAnswer({ timeoutMs: Infinity })",
      "await Promise.resolve()",
    ]],
  },
  {
    what: "input succeeds that a page with a dialog since before the connection never has",
    world: "browser",
    seed: 6,
    operations: ["browser/click", "browser/drag"],
    finds: /succeeded with fewer than|left the \w+ button pressed in/,
    file: "src/platform/browser/running_browser.ts",
    changes: [["    if (visible === undefined) await tab.awaitAnswer();\n", ""]],
  },
  {
    what: "a secret is recorded that is filled in while a recording starts",
    world: "recording",
    seed: 22,
    finds: /A recording shows/,
    file: "src/features/recording/recordings.ts",
    changes: [[
      "const starting = [...this.#starting].filter(([, each]) => each === masks);",
      "const starting: [Promise<unknown>][] = [];",
    ]],
  },
  {
    what: "a recording that cannot start removes others",
    world: "recording",
    seed: 4,
    operations: ["recording/start"],
    finds: /was removed for nobody/,
    file: "src/features/recording/recordings.ts",
    changes: [
      ["      await this.#makeRoom(id);\n    } catch", "    } catch"],
      [
        "    await this.#store.open();\n",
        '    await this.#store.open();\n    await this.#makeRoom("");\n',
      ],
    ],
  },
  {
    what: "a modifier is pressed after its own release",
    world: "input",
    seed: 10,
    operations: ["batch"],
    finds: /is pressed after its release|stay pressed|left its key pressed/,
    file: "src/features/input/keyboard/type_text.ts",
    changes: [[
      "await keyboard.prepare(keys.filter(isHeld));\n  for (const key of keys.filter(isHeld))",
      "const still = keys.filter(isHeld);\n  await keyboard.prepare(still);\n  for (const key of still)",
    ]],
  },
  {
    what: "the service ends before a command whose number the system has reused",
    world: "commands",
    seed: 14,
    finds: /was closed 0 times/,
    file: "src/features/bash/shell.ts",
    changes: [["[...this.#open].map(", "this.running().map("]],
  },
  {
    what: "the last line of the log is lost",
    world: "log",
    seed: 20,
    finds: /characters became/,
    file: "src/core/log.ts",
    changes: [
      ["??= this.#writeAll();", "??= this.#writeAll().finally(() => this.#writing = undefined);"],
      [
        "    this.#writing = undefined; // at once: a line that comes now begins the next writing\n",
        "",
      ],
    ],
  },
  {
    what: "a display counts as still because the time of the wait ends while it is compared",
    world: "display",
    seed: 18,
    finds: /found a screen still that was not|was answered too early/,
    file: "src/features/display/wait_on_display.ts",
    changes: [["else if (watch.checkedAt >= stableAt)", "else if (calm.signal.aborted)"]],
  },
  {
    what: "a wait on a display that changes all the time goes on for a caller who has left",
    world: "display",
    seed: 12,
    finds: /goes on after its end|display\/wait .* took \d+ ms/,
    file: "src/features/display/wait_on_display.ts",
    changes: [[
      "      signal.throwIfAborted(); // a display that changes all the time reports the next change at once\n",
      "",
    ]],
  },
  {
    what: "a change is missed that comes while a wait for it begins",
    world: "display",
    seed: 2,
    finds: /has missed an early change/,
    file: "src/features/display/wait_on_display.ts",
    changes: [[
      "early = resized ||\n      joinAreas(areas).some(({ width, height }) => width * height >= ignored.pixels);",
      "early = resized && areas.length > 0;",
    ]],
  },
  {
    what:
      "what a caller who has left still writes replaces what was set on the clipboard after that",
    world: "clipboard",
    seed: 37,
    finds: /clipboard\/get .* read text \d+ after \d+ clipboard\/set/,
    file: "src/features/clipboard/clipboard.ts",
    changes: [["createSemaphore(1)", "createSemaphore(4)"]],
  },
];
