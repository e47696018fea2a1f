/** Elements without a role that react to keys: their refs, and what is done with them, in a real Chromium. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

const PAGE = `<title>Keys</title>
<div id="row" tabindex="0" onkeydown="report('row ' + event.key)">Row</div>
<div tabindex="0" aria-label="Named" style="height: 20px" onkeydown="report('named ' + event.key)"></div>
<div tabindex="-1">only by scripts</div>
<div tabindex="0" style="display: none">not shown</div>
<div id="editor" contenteditable oninput="report('editor ' + editor.innerText)">old <b>text</b></div>
<div id="note" contenteditable="plaintext-only" aria-label="Note"></div>
<div contenteditable="false">not editable</div>
<button onclick="row.textContent = 'Another'">Change</button>`;

Deno.test({
  name: "what reacts to keys without a role has a ref that operations take",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const hasReported = async (report: string) => {
      await waitFor(() => pages.reports.includes(report), { what: `"${report}"` });
    };

    await test.step("snapshots mark it, and leave out what only scripts can focus", async () => {
      await desktop.show("/keys", PAGE);
      const marked = (text: string) =>
        text.replaceAll(/ \[ref=e\d+\]/g, "").split("\n")
          .filter((line) => /\[(focusable|editable)\]/.test(line)).map((line) => line.trim());
      const wanted = [
        "- generic [focusable]",
        '- generic "Named" [focusable]',
        // some versions give it a value
        expect.stringMatching(/^- generic \[multiline\] \[editable\](: "old text")?$/),
        '- generic "Note" [multiline] [editable]',
      ];
      expect(marked(await desktop.snapshot())).toEqual(wanted);
      const interactive = await desktop.snapshot({ filter: "interactive" });
      expect(marked(interactive)).toEqual(wanted);
      expect(interactive).toContain('\n  - text: "Row"');
      expect(interactive).not.toContain("only by scripts");
    });

    await test.step("it is found by its texts or its name, and gets keys", async () => {
      const find = async (query: string) => {
        const { matches } = await service.call("/api/browser/find", { query }) as Json;
        return matches[0].ref as string;
      };
      await service.call("/api/browser/type", { ref: await find("row"), text: "x" });
      await hasReported("row x");
      await service.call("/api/browser/type", { ref: await find("named"), text: "y" });
      await hasReported("named y");
    });

    await test.step("what can be edited is filled, and keeps its ref whatever is in it", async () => {
      const ref = await desktop.refOf("[editable]");
      await service.call("/api/browser/type", { ref, text: "!" });
      await waitFor(() => pages.reports.some((each) => /^editor .*!/.test(each)), {
        what: "the typed text",
      });
      for (const value of ["new text", "another"]) {
        const { result } = await service.call("/api/browser/fill", { ref, value }) as Json;
        expect(result).toBe("confirmed");
        await hasReported(`editor ${value}`);
      }
      expect(await desktop.refOf("[editable]")).toBe(ref);
    });

    await test.step("a ref of what has another text by now is refused", async () => {
      const ref = await desktop.refOf("generic");
      await service.call("/api/browser/click", { ref: await desktop.refOf("Change") });
      expect(await service.refused(409, "/api/browser/type", { ref, text: "z" }))
        .toContain("has other texts now");
    });
  },
});
