/** A desk in the console, in a real browser: its pixels are shown, and a person's hands are on it. */

import { expect } from "expect";
import { CANVAS_HASH, hashOf, openConsoleDesk } from "../support/console_desk.ts";
import { ignore } from "../support/console_page.ts";
import { imported } from "../support/pictures.ts";
import { waitFor } from "../support/wait.ts";

Deno.test({
  name: "the page shows a desk pixel for pixel, a person clicks and types there, and it may go",
  ignore,
  async fn(test) {
    await using console = await openConsoleDesk();
    const { service } = console;
    const call = async (path: string, body: unknown) => {
      const answer = await service.post(path, body);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    };
    const position = async (query: string) =>
      await (await fetch(`${service.address}/api/mouse/position${query}`)).json();
    const made = await call("/api/desk/create", {
      ...{ name: "alice", open: "xterm -T desk" },
      size: { width: 640, height: 480 },
    });
    const before = await position("");
    const choose = (desk: string) =>
      console.evaluate(`(() => {
        const select = document.querySelector('[aria-label="Desk"]');
        if (![...select.options].some(({ value }) => value === ${JSON.stringify(desk)})) {
          select.focus();
          select.dispatchEvent(new FocusEvent("focus"));
          return false;
        }
        select.value = ${JSON.stringify(desk)};
        select.dispatchEvent(new Event("change", { bubbles: true }));
        return true;
      })()`);
    const isExact = async (display: string) =>
      await console.evaluate(CANVAS_HASH) === await hashOf(await imported(display));

    await test.step("what is chosen is shown", async () => {
      await console.awaitDriver(/Programs have control/);
      await waitFor(() => choose("alice"), { what: "the desk in the list" });
      await waitFor(() => isExact(made.display), { what: "the pixels of the desk" });
    });

    await test.step("what is done in a batch on the desk is named and copied with the desk", async () => {
      await call("/api/batch", {
        ...{ desk: "alice" },
        steps: [{ operation: "mouse.down", input: {} }, { operation: "mouse.up", input: {} }],
      });
      await waitFor(() =>
        console.evaluate(`(() => {
        const button = [...document.querySelectorAll(".activity .row")]
          .find(({ textContent }) => /^mouse.up.* on alice/.test(textContent));
        if (button?.getAttribute("aria-expanded") === "false") button.click();
        navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve());
        button?.closest("li").querySelector(".details p button")?.click();
        return globalThis.copied?.includes('"desk":"alice"') ?? false;
      })()`), { what: "the operation with its desk" });
    });

    await test.step("a click lands on the pixel of the desk, and keys arrive in its terminal", async () => {
      await console.takeOver();
      await console.click(123, 145);
      await console.onPage("type", { text: "echo $((6 * 7)) >~/typed" });
      await console.onPage("key", { key: "Enter" });
      const path = `${made.folder}/typed`;
      const typed = await waitFor(
        () => Deno.readTextFile(path).then((text) => text !== "" && text, () => false),
        { what: path },
      );
      expect(typed).toBe("42\n");
      await console.handBack();
      expect(await position("?desk=alice")).toEqual({ x: 123, y: 145 });
      expect(await position("")).toEqual(before);
    });

    await test.step("a desk that is deleted is gone from the page, which shows the displays again", async () => {
      await call("/api/desk/delete", { name: "alice" });
      await waitFor(
        () => console.evaluate<boolean>('document.body.textContent.includes("has been deleted")'),
        { what: "what the page says" },
      );
      await waitFor(() => choose(""), { what: "the displays of the service" });
      await waitFor(() => isExact(console.display), { what: "the pixels of the display" });
    });
  },
});
