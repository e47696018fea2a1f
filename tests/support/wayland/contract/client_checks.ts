/** The same text in programs of other toolkits. */

import { expect } from "expect";
import { openTextClient, TEXT_CLIENTS } from "../clients.ts";
import { LINE, TEXT } from "./text.ts";
import type { ClientCheck } from "./contract.ts";

export const CLIENT_CHECKS: readonly ClientCheck[] = TEXT_CLIENTS.map((client) => ({
  client,
  async run({ desktop, service }) {
    await using program = await openTextClient(desktop, client, service.call);
    const text = program.isOneLine ? LINE : TEXT;
    await service.call("keyboard/type", { text, typing_delay: 0 });
    expect(await program.received(text)).toBe(text);
  },
}));
