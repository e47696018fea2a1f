/** Tabs, pages and their snapshots in a real Chromium, which is started once for all tests of this file. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

const HTML = { "content-type": "text/html" };

const FORM = `<title>Form</title>
<h1>Order</h1>
<p>Some <b>plain</b> text</p>
<form onsubmit="report('sent'); return false">
<label>Name <input id="name" value="Ada"></label>
<label><input type="checkbox" id="agree" checked> Agree</label>
<label>Colour <select><option>red<option selected>blue</select></label>
<input type="password" aria-label="Secret" value="hunter2">
<button disabled>Off</button>
<button onclick="report('clicked ' + event.isTrusted + ' ' + event.detail)">Send</button>
</form>
<a href="#there">Far</a>
<div style="height: 3000px"></div>
<button id="low" onclick="report('low ' + event.screenX + ',' + event.screenY)">Low</button>
<iframe srcdoc="<button onclick=parent.report('inner')>Inner</button>"></iframe>`;

/** More than a name has. */
const LONG = "text ".repeat(30).trim();

const CLICKABLE = `<title>Clickable</title>
<span onclick="report(textContent)">by attribute</span>
<span id="row">by listener</span>
<div id="pointed" style="cursor: pointer">by <b>cursor</b> and <span>its</span> parts</div>
<div id="card"><h2>Card</h2><p>${LONG}</p></div>
<svg width="40" height="40"><circle id="circle" cx="20" cy="20" r="20"></circle></svg>
<ul style="list-style: none"><li id="item">row</li></ul>
<div onclick="report(1)"><label><input type="checkbox"> Express</label></div>
<div onclick="report(1)"><input type="password" aria-label="Password" value="hunter2"></div>
<a href="#x">Linked <span onclick="report(1)">text</span></a>
<span>plain</span>
<button style="cursor: pointer" onclick="row.textContent = 'another row'"><b>Button</b></button>
<script>
for (const each of [row, card, circle, item]) {
  each.addEventListener("click", () => report(each.textContent));
}
addEventListener("click", ({ target }) => {
  if (pointed.contains(target)) report(pointed.textContent);
});
</script>`;

const INSIDE = `<title>Inside</title>
<div onclick="report(1)"><label><input type="radio"> Express</label></div>
<div onclick="report(1)"><ul><li>one</li><li>two</li></ul></div>
<div onclick="report(1)"><ruby>漢<rt>かん</rt></ruby> text</div>
<div onclick="report(1)"><h3><i aria-hidden="true">icon</i> Title</h3></div>
<div onclick="report(1)"><input value="typed"> beside</div>`;

const SHADOW = `<title>Shadow</title>
<div><template shadowrootmode=open><div id=in onclick="report('in')">In the tree</div></template></div>
<div onclick="report('host')"><template shadowrootmode=open>pre <slot></slot> post</template>Host</div>
<div onclick="report('lost')"><template shadowrootmode=open>Shown</template>without a slot</div>
<div onclick="report('closed')"><template shadowrootmode=closed><i style="display:block;width:9px;height:9px"></i></template></div>
<div onclick="report('icon')">Beside <b><template shadowrootmode=open>★</template>icon</b></div>`;

const NAMED = `<title>Named</title>
<div id=row onclick="report(ariaLabel)" aria-label="Delete Bob">x</div>
<span title="Settings" onclick="report(title)"><svg width=9 height=9></svg></span>
<button onclick="row.ariaLabel = 'Delete Alice'">Rename</button>`;

const LONG_TEXTS = `<title>Long</title>
<div class=row onclick="report(1)">${"x".repeat(10_100)}</div>
<div class=row onclick="report(1)">x${" ".repeat(10_100)}x</div>
<button onclick="for (const row of document.querySelectorAll('.row')) row.textContent = row.textContent.replace('x', 'y')">Change</button>`;

/** The refs of what only reacts to clicks and has no name. */
function clickablesIn(snapshot: string): readonly string[] {
  return [...snapshot.matchAll(/- generic \[ref=(e\d+)\] \[clickable\]/g)].map(([, ref]) => ref!);
}

const TYPED = `<title>Typed</title>
<div onclick="report(1)" style="padding: 40px">
  Around <div contenteditable role=textbox aria-label=Text></div>
</div>`;

Deno.test({
  name: "the browser operations show pages, read them and click in them",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;
    const clickEach = async (refs: readonly string[]) => {
      for (const ref of refs) {
        pages.reports.length = 0;
        await service.call("/api/browser/click", { ref });
        await waitFor(() => pages.reports.length > 0, { what: `a click on ${ref}` });
      }
    };

    await test.step("tabs are opened, listed, shown and closed", async () => {
      const [first] = await service.call("/api/browser/tabs") as Json;
      expect(first).toMatchObject({ url: "about:blank", active: true });
      const url = pages.serve("/second", "<title>Second</title>Two");
      const opened = await service.call("/api/browser/open", { url }) as Json;
      expect(opened).toEqual({
        tab: { id: opened.tab.id, title: "Second", url, active: true },
        loaded: true,
        http_status: 200,
      });
      const shown = await service.call("/api/browser/activate", { tab_id: first.id }) as Json;
      expect(shown).toEqual({ ...first, active: true });
      const tabs = await service.call("/api/browser/tabs") as Json;
      expect(tabs.map(({ id, active }: Json) => [id, active]))
        .toEqual([[first.id, true], [opened.tab.id, false]]);
      await service.call("/api/browser/close", { tab_id: opened.tab.id });
      expect((await service.call("/api/browser/tabs") as Json).length).toBe(1);
      expect(await service.refused(404, "/api/browser/activate", { tab_id: opened.tab.id }))
        .toContain("There is no tab");
    });

    await test.step("a page is loaded, also back, forward and again, and failures are told", async () => {
      const one = pages.serve("/one", "<title>One</title>");
      const two = pages.serve("/two", "<title>Two</title>");
      const go = async (input: object) => {
        const { tab, http_status } = await service.call("/api/browser/navigate", input) as Json;
        return [tab.title, http_status];
      };
      expect(await go({ url: one })).toEqual(["One", 200]);
      expect(await go({ url: two })).toEqual(["Two", 200]);
      expect((await go({ history: "back" }))[0]).toBe("One");
      expect((await go({ history: "forward" }))[0]).toBe("Two");
      expect((await go({ history: "reload" }))[0]).toBe("Two");
      expect(await service.refused(409, "/api/browser/navigate", { history: "forward" }))
        .toContain("no page after");
      expect(await go({ url: `${pages.origin}/none` })).toEqual(["None", 404]);
      expect(await service.refused(503, "/api/browser/navigate", { url: "http://127.0.0.1:1/" }))
        .toContain("net::ERR_");
      await service.refused(422, "/api/browser/navigate", { url: "javascript:alert(1)" });
      for (const name of ["settings", "version", "quit", "restart", "srcdoc", "BLANK%20"]) {
        for (const path of ["/api/browser/navigate", "/api/browser/open"]) {
          expect(await service.refused(422, path, { url: `about:${name}` })).toContain(
            "about:blank",
          );
        }
      }
      await service.call("/api/browser/navigate", { url: "about:blank#here" });
      await service.refused(422, "/api/browser/navigate", {});
    });

    await test.step("an answer without a page, or with a file, leaves the page as it is", async () => {
      const two = pages.serve("/two", "<title>Two</title>");
      const shown = { title: "Two", url: two };
      let answer = () => new Response("<title>Once</title>", { headers: HTML });
      const url = pages.serve("/changing", () => answer());
      for (const status of [204, 205]) {
        await service.call("/api/browser/navigate", { url: two });
        answer = () => new Response(null, { status });
        expect(await service.call("/api/browser/navigate", { url }))
          .toMatchObject({ tab: shown, loaded: false, http_status: status });
        const opened = await service.call("/api/browser/open", { url }) as Json;
        expect(opened)
          .toMatchObject({ tab: { url: "about:blank" }, loaded: false, http_status: status });
        await service.call("/api/browser/close", { tab_id: opened.tab.id });
        answer = () => new Response("<title>Once</title>", { headers: HTML });
        await service.call("/api/browser/navigate", { url });
        answer = () => new Response(null, { status });
        expect(await service.call("/api/browser/navigate", { history: "reload" }))
          .toMatchObject({ tab: { title: "Once", url }, loaded: false, http_status: status });
      }
      answer = () => new Response("PK", { headers: { "content-type": "application/zip" } });
      const { tab, download } = await service.call("/api/browser/navigate", {
        history: "reload",
      }) as Json;
      expect([tab, download]).toMatchObject([{ url }, { url, state: "completed" }]);
      await Deno.remove(download.path);
    });

    await test.step("a page that another one takes over is refused", async () => {
      const asked = Promise.withResolvers<void>();
      const never = pages.serve("/late", () => {
        asked.resolve();
        return new Promise<Response>(() => {});
      });
      const late = service.refused(409, "/api/browser/navigate", { url: never });
      await asked.promise;
      await service.call("/api/browser/navigate", {
        url: pages.serve("/two", "<title>Two</title>"),
      });
      expect(await late).toContain("sent elsewhere");
    });

    await test.step("the status is that of the page, however many frames it has", async () => {
      const inner = pages.serve("/inner", "Inner");
      const frames = Array.from(
        { length: 25 },
        (_, at) => `<iframe src="${inner}?${at}"></iframe>`,
      );
      const url = pages.serve("/frames", `<title>Frames</title>${frames.join("")}`);
      expect(await service.call("/api/browser/navigate", { url }))
        .toMatchObject({ loaded: true, http_status: 200 });
    });

    await test.step("no value of the keychain is shown in the address or title of a tab", async () => {
      const value = "pä s&(s)~wörd";
      await service.call("/api/keychain/set-item", {
        service: "shop",
        item: { password: value, pin: "number" },
      });
      const form = new URLSearchParams({ password: value });
      const url = pages.serve("/secret", `<title>My ${value.replace("&", "&amp;")}</title>Secret`);
      const shown = {
        url: `${url}?password=[redacted:shop/password]`,
        title: "My [redacted:shop/password]",
      };
      const to = `${url}?${form}`;
      const { tab } = await service.call("/api/browser/navigate", { url: to }) as Json;
      expect(tab).toMatchObject(shown);
      expect(await service.call("/api/browser/activate", { tab_id: tab.id })).toMatchObject(shown);
      for (const path of ["snapshot", "text"]) {
        expect(await service.call(`/api/browser/${path}`, {})).toMatchObject({ tab: shown });
      }
      expect(await service.call("/api/browser/tabs")).toMatchObject([shown]);
      const { entries } = await service.call("/api/browser/network", {}) as Json;
      expect(entries).toEqual(expect.arrayContaining([
        expect.objectContaining({ number: entries.length, url: expect.any(String) }),
        expect.objectContaining({ url: shown.url, type: "Document", status: 200 }),
      ]));
      await service.call("/api/keychain/delete-item", { service: "shop" });
    });

    await test.step("a long address is cut", async () => {
      const long = `${pages.serve("/long", "<title>Long</title>")}#${"x".repeat(90_000)}`;
      const { tab } = await service.call("/api/browser/navigate", { url: long }) as Json;
      expect(tab.url).toBe(`${long.slice(0, 4_096)}…`);
    });

    await test.step("a page that never answers, or never ends, takes no longer than asked for", async () => {
      const never = pages.serve("/never", () => new Promise<Response>(() => {}));
      expect(
        await service.refused(504, "/api/browser/navigate", { url: never, timeout_ms: 500 }),
      ).toContain("no response within 500 ms");
      pages.serve("/hanging.png", () => new Promise<Response>(() => {}));
      const url = pages.serve("/hanging", '<title>Hanging</title><img src="/hanging.png">');
      const { loaded, tab } = await service.call("/api/browser/navigate", {
        url,
        timeout_ms: 3_000, // enough for all but the image
      }) as Json;
      expect([loaded, tab.title]).toEqual([false, "Hanging"]);
    });

    await test.step("a snapshot has every element with its ref, and no secret", async () => {
      await desktop.show("/form", FORM);
      const text = await desktop.snapshot();
      expect(text.replaceAll(/e\d+/g, "e")).toBe(
        [
          '- document "Form" [ref=e] [focused]',
          '  - heading "Order" [ref=e]',
          '  - text: "Some"',
          '  - text: "plain"',
          '  - text: "text"',
          "  - form [ref=e]",
          '    - text: "Name"',
          '    - textbox "Name" [ref=e]: "Ada"',
          '    - checkbox "Agree" [ref=e] [checked]',
          '    - text: "Colour"',
          '    - combobox "Colour" [ref=e] [collapsed]: "blue"',
          '      - option "red" [ref=e]',
          '      - option "blue" [ref=e] [selected]',
          '    - textbox "Secret" [ref=e]',
          '    - button "Off" [ref=e] [disabled]',
          '    - button "Send" [ref=e]',
          '  - link "Far" [ref=e]',
          '  - button "Low" [ref=e]',
          "  - iframe [ref=e]",
          "    - document [ref=e]",
          '      - button "Inner" [ref=e]',
        ].join("\n"),
      );
      expect(await desktop.snapshot()).toBe(text);
      const visible = await desktop.snapshot({ filter: "visible" });
      expect([visible.includes('"Send"'), visible.includes('"Low"')]).toEqual([true, false]);
      const interactive = await desktop.snapshot({ filter: "interactive" });
      expect(interactive).not.toContain("heading");
      expect(interactive.replaceAll(/e\d+/g, "e").split("\n").map((line) => line.split(" ")[1]))
        .toEqual([
          ...["textbox", "checkbox", "combobox", "option", "option", "textbox", "button", "button"],
          "link",
        ]);
    });

    await test.step("what is looked for is found, the best first", async () => {
      const { text, elements, matches } = await service.call("/api/browser/find", {
        query: "send",
      }) as Json;
      expect(matches).toEqual([
        { ref: expect.stringMatching(/^e\d+$/), role: "button", name: "Send" },
      ]);
      expect([elements, text]).toEqual([
        1,
        expect.stringMatching(/^- button "Send" \[ref=e\d+\]$/),
      ]);
      const none = await service.call("/api/browser/find", { query: "send", role: "link" }) as Json;
      expect(none.elements).toBe(0);
    });

    await test.step("what only a script makes clickable has a ref", async () => {
      await desktop.show("/clickable", CLICKABLE);
      const text = await desktop.snapshot();
      expect(text.replaceAll(/ref=e\d+/g, "ref=e")).toBe(
        [
          '- document "Clickable" [ref=e] [focused]',
          "  - generic [ref=e] [clickable]",
          '    - text: "by attribute"',
          "  - generic [ref=e] [clickable]",
          '    - text: "by listener"',
          "  - generic [ref=e] [clickable]",
          ...["by", "cursor", "and", "its", "parts"].map((word) => `    - text: "${word}"`),
          "  - generic [ref=e] [clickable]",
          '    - heading "Card" [ref=e]',
          `    - text: "${LONG}"`,
          "  - svg-root [ref=e]",
          "    - graphics-symbol [ref=e] [clickable]",
          "  - list [ref=e]",
          "    - listitem [ref=e] [clickable]",
          '      - text: "row"',
          "  - generic [ref=e] [clickable]",
          '    - checkbox "Express" [ref=e]',
          "  - generic [ref=e] [clickable]",
          '    - textbox "Password" [ref=e]',
          '  - link "Linked text" [ref=e]',
          "    - generic [ref=e] [clickable]",
          '  - text: "plain"',
          '  - button "Button" [ref=e]',
        ].join("\n"),
      );
      const interactive = await desktop.snapshot({ filter: "interactive" });
      expect(interactive.replaceAll(/ \[ref=e\d+\]/g, "").split("\n")).toEqual([
        "- generic [clickable]",
        '  - text: "by attribute"',
        "- generic [clickable]",
        '  - text: "by listener"',
        "- generic [clickable]",
        '  - text: "by cursor and its parts"',
        "- generic [clickable]", // with more text than says what it is
        "- graphics-symbol [clickable]",
        "- listitem [clickable]",
        '  - text: "row"',
        "- generic [clickable]",
        '- checkbox "Express"',
        "- generic [clickable]",
        '- textbox "Password"',
        '- link "Linked text"',
        "- generic [clickable]",
        '  - text: "text"',
        '- button "Button"',
      ]);
      for (const name of ["by attribute", "by listener", "by cursor and its parts"]) {
        const { matches: [match], text } = await service.call("/api/browser/find", {
          query: name,
        }) as Json;
        expect(match).toMatchObject({ role: "generic", name: "" });
        expect(text).toContain(`[clickable]\n  - text: ${JSON.stringify(name)}`);
        for (const way of ["browser/click", "mouse/left-click"]) {
          pages.reports.length = 0;
          await service.call(`/api/${way}`, { ref: match.ref });
          await waitFor(() => pages.reports.includes(name), { what: `${way} on ${name}` });
        }
      }
    });

    await test.step("a button comes before what is around it", async () => {
      await desktop.show("/wrapped", "<div onclick=report(1)><button>Save</button></div>");
      const { matches } = await service.call("/api/browser/find", { query: "save" }) as Json;
      expect(matches.map(({ role }: Json) => role)).toEqual(["button", "generic"]);
    });

    await test.step("refs of what has fields, marks and hidden texts inside stay good", async () => {
      await desktop.show("/inside", INSIDE);
      const { text } = await service.call("/api/browser/snapshot", {}) as Json;
      const refs = clickablesIn(text);
      expect(refs).toHaveLength(5);
      await clickEach(refs);
    });

    await test.step("a ref in a tab that is not visible is read there, and its click shows the tab", async () => {
      await desktop.show("/hidden", CLICKABLE);
      const found = await service.call("/api/browser/find", { query: "by attribute" }) as Json;
      const { ref } = found.matches[0];
      const url = pages.serve("/front", "<title>Front</title>");
      const { tab } = await service.call("/api/browser/open", { url }) as Json;
      const { text } = await service.call("/api/browser/snapshot", { ref }) as Json;
      expect(text).toContain('- text: "by attribute"');
      await service.call("/api/browser/click", { ref });
      await waitFor(() => pages.reports.includes("by attribute"), { what: "the click" });
      await service.call("/api/browser/close", { tab_id: tab.id });
    });

    await test.step("what reacts to clicks in and around shadow trees has refs that are good", async () => {
      await desktop.show("/shadow", SHADOW);
      const { text } = await service.call("/api/browser/snapshot", {}) as Json;
      const refs = clickablesIn(text);
      expect(refs).toHaveLength(5);
      await clickEach(refs);
    });

    await test.step("what its author has named is known by that name, whatever its role", async () => {
      await desktop.show("/named", NAMED);
      const found = await service.call("/api/browser/find", { query: "delete bob" }) as Json;
      expect(found.text).toContain('- generic "Delete Bob" [ref=');
      const { ref } = found.matches[0];
      await service.call("/api/browser/click", { ref });
      await waitFor(() => pages.reports.includes("Delete Bob"), { what: "the click" });
      await service.call("/api/browser/click", { ref: await desktop.refOf("Rename") });
      expect(await service.refused(409, "/api/browser/click", { ref }))
        .toContain('the generic \\"Delete Bob\\" has other texts now');
      expect(await desktop.snapshot()).toContain('- generic "Settings" [ref=');
    });

    await test.step("a long text tells nothing of how it begins by the ref of what is around", async () => {
      await desktop.show("/long", LONG_TEXTS);
      const refs = clickablesIn(await desktop.snapshot());
      expect(refs).toHaveLength(2);
      await service.call("/api/browser/click", { ref: await desktop.refOf("Change") });
      await clickEach(refs);
    });

    await test.step("what is typed inside tells nothing by the ref of what is around", async () => {
      await desktop.show("/typed", TYPED);
      const ref = /generic \[ref=(e\d+)\] \[clickable\]/.exec(await desktop.snapshot())![1]!;
      await service.call("/api/browser/fill", { ref: await desktop.refOf("Text"), value: "typed" });
      await service.call("/api/browser/click", { ref });
      await waitFor(() => pages.reports.length > 0, { what: "the click" });
    });

    await test.step("a ref of what has another text by now is refused", async () => {
      await desktop.show("/reused", CLICKABLE);
      const found = await service.call("/api/browser/find", { query: "by listener" }) as Json;
      const { ref } = found.matches[0];
      await service.call("/api/browser/click", { ref: await desktop.refOf("Button") });
      expect(await service.refused(409, "/api/browser/click", { ref }))
        .toContain("the generic has other texts now");
    });

    await test.step("a click by ref finds its way through frames and shadow trees", async () => {
      const frame = (name: string, style = "") =>
        `<iframe style="border:9px solid;padding:5px;${style}" srcdoc="<body style='height:900px'>` +
        `<button style='position:absolute;left:90px;top:40px' onclick=top.report('${name}')>${name}` +
        `</button>"></iframe>`;
      const page = `<title>Frames</title><div style="height:2000px"></div>
        ${frame("Scaled", "transform:scale(1.5,2);transform-origin:0 0")}
        <div style="height:2000px"></div>
        ${frame("Tall", "height:3000px;vertical-align:top")}
        <div style="height:2000px"></div>
        ${frame("Turned", "rotate:20deg")}
        ${frame("Upside down", "transform:rotate(180deg)")}
        ${frame("Mirrored", "transform:scaleX(-1)")}
        ${frame("Mirrored down", "scale:1 -1")}<p id="host"></p><script>
        const root = host.attachShadow({ mode: "closed" });
        root.innerHTML = \`<button onclick=report("Closed")>Closed</button>${frame("Shadowed")}\`;
        </script>`;
      const names = ["Scaled", "Tall", "Closed", "Shadowed"];
      for (const way of ["browser/click", "mouse/left-click"]) {
        for (const name of names) {
          // anew, and so at its top: a page that still scrolls there by itself takes the element away again
          await desktop.show("/frames", page);
          await service.call(`/api/${way}`, { ref: await desktop.refOf(`button "${name}"`) });
          await waitFor(() => pages.reports.includes(name), { what: `${way} on ${name}` });
        }
      }
      for (const name of ["Turned", "Upside down", "Mirrored", "Mirrored down"]) {
        const ref = await desktop.refOf(`button "${name}"`);
        expect(await service.refused(409, "/api/browser/click", { ref })).toContain("rotated");
      }
      await desktop.show("/form", FORM);
    });

    await test.step("a click by ref reaches the element, also below and in a frame", async () => {
      for (
        const [name, report] of [
          ['button "Send"', "clicked true 1"],
          ['button "Low"', /^low /],
          ['button "Inner"', "inner"],
        ] as const
      ) {
        await service.call("/api/browser/click", { ref: await desktop.refOf(name) });
        await waitFor(() => pages.reports.some((each) => each.match(report)), { what: name });
      }
    });
  },
});
