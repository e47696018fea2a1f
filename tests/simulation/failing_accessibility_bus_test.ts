/** Operations on elements, while the connection to the accessibility bus ends at each message: see `failing_sockets.ts`. */

import { expect } from "expect";
import { parseBusAddress } from "../../src/platform/linux/bus/types.ts";
import { X11Connection } from "../../src/platform/linux/x11/connection.ts";
import {
  readAccessibilityBus,
  writeAccessibilityBus,
} from "../../src/platform/linux/x11/window_queries.ts";
import { startAccessibleSession } from "../real_programs/support/accessible_session.ts";
import { openZenityForm } from "../real_programs/support/zenity.ts";
import { busMessageSize, type Cut, CuttingProxy } from "../support/cutting_proxy.ts";
import { startService } from "../support/service.ts";
import { isOnPath, unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { TestX } from "../support/x_client.ts";
import { cutEachMessage, type CutOperation, type CutService } from "./failing_sockets.ts";

const ignore = unless(isOnPath("zenity"), "zenity is not installed");

const CUTS: readonly Cut[] = ["before", "after"];

interface Form extends CutService, AsyncDisposable {
  /** Gives the bus another address, to which the service has no connection. */
  rename(): Promise<void>;
  /** The ref of a text field, by a snapshot of now. */
  refOfField(): Promise<string>;
}

async function openForm(): Promise<Form> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await startAccessibleSession());
  opening.use(await openZenityForm(session.place));
  const x = opening.use(await TestX.open(session.display));
  const path = `${session.home.path}/cut`;
  const names = opening.use(await X11Connection.open(session.display));
  const address = await readAccessibilityBus(names);
  let renames = 0;
  const rename = () => writeAccessibilityBus(names, `unix:path=${path},guid=${++renames}`);
  await rename();
  const proxy = opening.use(
    new CuttingProxy({
      listener: Deno.listen({ transport: "unix", path }),
      connect: () => Deno.connect({ transport: "unix", path: parseBusAddress(address!)[0]! }),
      messageSize: busMessageSize,
    }),
  );
  const service = opening.use(
    await startService({ displays: [session.display], env: session.env, writeLog() {} }),
  );
  const open = opening.move();
  return {
    proxy,
    service,
    probe: { path: "accessibility/find", body: () => ({ name: "OK" }) },
    async pressed() {
      return (await x.keysDown()).map((keycode) => `key ${keycode}`);
    },
    rename,
    refOfField: () =>
      waitFor(async () => {
        const { text } = await service.call("/api/accessibility/snapshot", {}) as { text: string };
        return /textbox.*\[ref=(e\d+)\]/.exec(text)?.[1];
      }, { what: "a field" }),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

const OPERATIONS: Readonly<Record<string, (form: Form, ref: string) => CutOperation>> = {
  "a snapshot": () => ({ path: "accessibility/snapshot", body: () => ({}) }),
  "a search": () => ({ path: "accessibility/find", body: () => ({ name: "OK" }) }),
  "a value": (_form, ref) => ({ path: "accessibility/value", body: () => ({ ref }) }),
  "a focus": (_form, ref) => ({
    path: "accessibility/act",
    body: () => ({ ref, action: "focus" }),
  }),
  "a new value": (_form, ref) => ({
    path: "accessibility/act",
    body: () => ({ ref, action: "set_value", value: "Zoë", method: "program" }),
  }),
  "a snapshot that connects": (form) => ({
    path: "accessibility/snapshot",
    prepare: () => form.rename(),
    body: () => ({}),
    afterwards: () => form.proxy.hangUp(),
  }),
};

Deno.test({
  name: "operations on elements, whichever message to the accessibility bus is the last one",
  ignore,
  async fn(test) {
    await using form = await openForm();
    const ref = await form.refOfField();
    for (const [name, describe] of Object.entries(OPERATIONS)) {
      await test.step(name, async () => {
        const operation = describe(form, ref);
        let injected = 0;
        for (const cut of CUTS) injected += await cutEachMessage(form, operation, { cut });
        console.log(`${name}: ${injected} connections were cut`);
        expect(injected).toBeGreaterThan(2 * CUTS.length);
      });
    }

    await test.step("a bus that answers nothing any more is not waited for, and connected to anew", async () => {
      for (const name of ["a snapshot", "a search", "a value", "a focus"]) {
        const operation = OPERATIONS[name]!(form, ref);
        const before = form.proxy.accepted;
        expect(await cutEachMessage(form, operation, { cut: "silent", most: 1 })).toBe(1);
        expect(form.proxy.accepted).toBeGreaterThan(before);
      }
    });
  },
});
