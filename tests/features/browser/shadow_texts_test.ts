/** The texts of components, which are in shadow trees, are read and waited for, in a real Chromium. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

const PAGE = `<title>Components</title>
<form><input name="querySelectorAll"><input name="checkVisibility"><input name="parentElement"></form>
<img name="querySelectorAll" alt="">
<h1>Around</h1>
<div><template shadowrootmode=open>
  <style>p { color: red }</style>
  loose
  <p>Inside</p>
  <form>In a form<input name="innerText"><input name="checkVisibility"></form>
  <div style="display: contents"><b>Without a box</b></div>
  <section><template shadowrootmode=open><p>Deeper</p></template></section>
  <p style="display: none">Not shown</p>
  <slot></slot>
</template>Slotted</div>
<div style="display: none"><div><template shadowrootmode=open>
  hidden <p>Hidden with its host</p><div style="display: contents">Hidden without a box</div>
</template></div></div>
<div id="late"></div>
<button onclick="late.attachShadow({ mode: 'open' }).innerHTML = '<p>Too late</p>'">Add</button>`;

Deno.test({
  name: "texts of open shadow trees are read and waited for like all others",
  ignore,
  async fn() {
    await using desktop = await startBrowserDesktop();
    const { service } = desktop;
    await desktop.show("/components", PAGE);
    const { text } = await service.call("/api/browser/text", {}) as { readonly text: string };
    expect(text.split("\n").map((line) => line.trim()).filter((line) => line !== "")).toEqual([
      ...["Around", "Slotted", "Add"],
      ...["loose", "Inside", "In a form", "Without a box", "Deeper"],
    ]);
    const wait = (condition: object) => service.call("/api/browser/wait", condition);
    expect(await wait({ text: "Deeper" })).toMatchObject({ status: "met" });
    expect(await wait({ text: "Hidden", timeout_ms: 1 })).toMatchObject({ status: "timeout" });
    expect(await wait({ text_gone: "Inside", timeout_ms: 1 })).toMatchObject({ status: "timeout" });
    await service.call("/api/browser/click", { ref: await desktop.refOf("Add") });
    expect(await wait({ text: "Too late" })).toMatchObject({ status: "met" });
  },
});
