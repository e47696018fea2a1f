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

Deno.test({
  name: "the browser operations show pages, read them and click in them",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;

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
