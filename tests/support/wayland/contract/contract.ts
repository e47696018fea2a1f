/**
 * The contract of display, mouse and keyboard on a Wayland desktop: one table of checks for all of them,
 * each judged by what real programs got.
 */

import { missingFor, startWaylandDesktop, type WaylandDesktop } from "../desktop.ts";
import { openWaylandChromium, type WaylandBrowser } from "../chromium.ts";
import { NEEDED_BY_CLIENTS, type TextClientName } from "../clients.ts";
import type { CompositorName, CompositorOptions } from "../compositors.ts";
import { startUserService, type UserService } from "../user_service.ts";
import { testIf } from "../../test_if.ts";
import { CLIENT_CHECKS } from "./client_checks.ts";
import { DISPLAY_CHECKS } from "./display_checks.ts";
import { KEYBOARD_CHECKS } from "./keyboard_checks.ts";
import { MOUSE_CHECKS } from "./mouse_checks.ts";

/** What a check works with. */
export interface Bench {
  readonly desktop: WaylandDesktop;
  readonly service: UserService;
  /** Fills the output. */
  readonly browser: WaylandBrowser;
}

export interface Check {
  readonly name: string;
  run(bench: Bench): Promise<void>;
}

/** Programs that a text is typed into, after the browser was closed. */
export interface ClientCheck {
  readonly client: TextClientName;
  run(bench: Omit<Bench, "browser">): Promise<void>;
}

export interface ContractOptions {
  /** How the service is started. */
  readonly args?: readonly string[];
  readonly desktop?: Partial<CompositorOptions>;
  /** Name of a check or of a client -> why it does not hold on this desktop. */
  readonly without?: Readonly<Record<string, string>>;
  /** Checks of this desktop alone, and the programs that they need. */
  readonly more?: readonly Check[];
  readonly programs?: readonly string[];
}

/** Registers one test, whose steps are the checks: a desktop, the service and a browser are started once. */
export function testContract(name: CompositorName, options: ContractOptions = {}): void {
  const { args = [], without = {}, more = [] } = options;
  const missing = missingFor(name, ["chromium", ...NEEDED_BY_CLIENTS, ...options.programs ?? []]);
  testIf(missing === undefined, missing ?? "")(
    `display, mouse and keyboard on ${name}`,
    async (test) => {
      await using desktop = await startWaylandDesktop(name, options.desktop);
      await using service = await startUserService(desktop, args);
      const step = async (name: string, run: () => Promise<void>) => {
        const ignore = name in without;
        if (ignore) console.log(`Ignored: "${name}": ${without[name]}`);
        await test.step({ name, ignore, fn: run });
      };
      {
        await using browser = await openWaylandChromium(desktop);
        const common = [...DISPLAY_CHECKS, ...MOUSE_CHECKS, ...KEYBOARD_CHECKS];
        for (const { name, run } of [...common, ...more]) {
          await step(name, () => run({ desktop, service, browser }));
        }
      }
      for (const { client, run } of CLIENT_CHECKS) {
        await step(`500 characters typed into ${client}`, () => run({ desktop, service }));
      }
    },
  );
}
