/** What a person has pasted in control is not on the clipboard any more when programs may read it. */

import { expect } from "expect";
import { Callables } from "../../../src/features/call/callables.ts";
import { clipboardOperations } from "../../../src/features/clipboard/operations.ts";
import { Control } from "../../../src/features/control/control.ts";
import { ANNA } from "../../support/control.ts";
import { startDesktop } from "../../support/desktop.ts";
import { createStrictLog } from "../../support/strict_log.ts";
import { waitFor } from "../../support/wait.ts";
import { copyWith, XCLIP } from "../../support/x_clipboard.ts";

const { signal } = new AbortController();

async function openDesk() {
  const desktop = await startDesktop();
  const { platform, session, config } = desktop.service;
  const operations = clipboardOperations(config.limits);
  const calls = new Callables(
    { platform, session, config, log: createStrictLog(() => {}) },
    operations,
  );
  return {
    ...desktop,
    control: session.use(Control),
    paste: (text: string) => calls.prepare("clipboard.set", { text }).run({ actor: ANNA, signal }),
    /** As the person in control has it. */
    seen: async () =>
      JSON.stringify(await calls.prepare("clipboard.get", {}).run({ actor: ANNA, signal })),
    read: () => desktop.service.call("/api/clipboard/get", {}),
  };
}

for (const text of ["hunter2", "Grüße\r\n漢字 😀", "x".repeat(2 * 1024 * 1024)]) {
  Deno.test(`a text of ${text.length} characters is gone after the hand-back`, async () => {
    await using desk = await openDesk();
    await desk.control.takeOver(ANNA);
    await desk.paste(text);
    await desk.control.handBack(ANNA);
    expect(await desk.read()).toMatchObject({ available: [] });
  });
}

Deno.test("what another program has copied meanwhile stays", async () => {
  await using desk = await openDesk();
  await desk.control.takeOver(ANNA);
  await desk.paste("hunter2");
  await copyWith(XCLIP.copy(), desk.display, new TextEncoder().encode("of xclip"));
  const isCopied = async () => (await desk.seen()).includes("of xclip");
  await waitFor(isCopied, { what: "xclip, which ends before the server knows of it" });
  await desk.control.handBack(ANNA);
  expect(await desk.read()).toMatchObject({ text: "of xclip" });
});

Deno.test("what a program has put there stays", async () => {
  await using desk = await openDesk();
  await desk.service.call("/api/clipboard/set", { text: "of a program" });
  await desk.control.takeOver(ANNA);
  await desk.control.handBack(ANNA);
  expect(await desk.read()).toMatchObject({ text: "of a program" });
});
