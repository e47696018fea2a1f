/** Pages that lie, are huge, or change what every page has: bounds hold, and nothing else is held up. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { holdingUpNobody } from "../../support/turns.ts";
import { waitFor } from "../../support/wait.ts";
import { Refs } from "../../../src/features/input/targets/refs.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

const LIES: readonly (readonly [name: string, script: string])[] = [
  ["long slices", `String.prototype.slice = () => "A".repeat(6e7)`],
  ["slices that are no text", "String.prototype.slice = () => ({ evil: [1, 2, 3] })"],
  ["slices that throw", "String.prototype.slice = () => { throw 1 }"],
  [
    "another innerText",
    `Object.defineProperty(HTMLElement.prototype, "innerText", { get: () => "B".repeat(6e7) })`,
  ],
  ["another JSON", `JSON.stringify = () => "C".repeat(6e7); JSON.parse = () => { throw 1 }`],
  ["other lists", "Array.prototype.map = Array.prototype.push = () => { throw 1 }"],
  [
    "another innerWidth",
    `Object.defineProperty(window, "innerWidth", { get: () => "D".repeat(6e7) })`,
  ],
  ["another count", 'document.getElementsByTagName = () => ({ length: "E".repeat(6e7) })'],
  ["another readyState", `Object.defineProperty(document, "readyState", { get: () => "loading" })`],
];

Deno.test({
  name: "pages cannot widen what is read of them, nor hold up others",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;

    for (const [name, script] of LIES) {
      await test.step(`a page with ${name}`, async () => {
        const page = `<title>Lies</title><body>hello<button>Go</button><script>${script}</script>`;
        await desktop.show("/lies", page);
        const read = await service.call("/api/browser/text", { max_characters: 3 }) as Json;
        expect([read.text, read.truncated]).toEqual(["hel", true]);
        expect(await desktop.snapshot({ filter: "visible" })).toContain('button "Go"');
        expect(await service.call("/api/browser/wait", { text: "hello", loaded: true }))
          .toMatchObject({ status: "met" });
      });
    }

    await test.step("elements that stand before the functions of the page are no error of ours", async () => {
      await desktop.show(
        "/names",
        `<title>Names</title><form aria-label="Form"><input name="getBoundingClientRect"></form>
        <img name="body"><p>hello</p>`,
      );
      const ref = await desktop.refOf('form "Form"');
      await service.refused(409, "/api/browser/click", { ref });
      expect((await service.send("/api/browser/text", {})).status).toBe(200);
    });

    await test.step("refs remember the beginnings of names", async () => {
      await desktop.show(
        "/long",
        `<title>Long</title><body><script>
        for (let i = 0; i < 50; i++) {
          const button = document.createElement("button");
          button.setAttribute("aria-label", (i + "n").padEnd(100_000, "x"));
          document.body.append(button);
        }
        document.body.lastChild.onclick = () => report("last");
        document.title = "t".repeat(100_000);
        </script>`,
      );
      const ref = await desktop.refOf('"49n');
      const { element } = service.session.use(Refs).get(ref) as Json;
      expect(element.name.length).toBeLessThan(300);
      await service.call("/api/browser/click", { ref });
      await waitFor(() => pages.reports.includes("last"), { what: "the click" });
      const [{ title }] = await service.call("/api/browser/tabs") as Json;
      expect(title.length).toBeLessThan(5_000);
    });

    await test.step("an element is another one when only the end of its long name has changed", async () => {
      await desktop.show(
        "/end",
        `<title>End</title><button aria-label="${
          "n".repeat(3_000)
        }" onclick="this.ariaLabel += 'x'; report('longer')">b</button>`,
      );
      const ref = await desktop.refOf('"nnn');
      await service.call("/api/browser/click", { ref });
      await waitFor(() => pages.reports.includes("longer"), { what: "the click" });
      expect(await service.refused(409, "/api/browser/click", { ref })).toContain(
        " now: take a new",
      );
    });

    await test.step("a value of the keychain does not leave in part", async () => {
      const value = "hunter2-SECRET-value-0123456789";
      await service.call("/api/keychain/set-item", { service: "k", item: { password: value } });
      await desktop.show(
        "/secret",
        `<title>Secret</title><p>${value}</p><button aria-label="${
          "n".repeat(185)
        }${value}">b</button>
        <button id="gone" aria-label="${"e".repeat(65)}${value}">c</button>
        <script>console.log("z".repeat(16_369) + "${value}")</script>`,
      );
      const snapshot = await desktop.snapshot();
      const ref = /"e+\[.*\[ref=(e\d+)\]|"e+.*\[ref=(e\d+)\]/.exec(snapshot)!;
      await service.call("/api/browser/navigate", { url: "about:blank" });
      const said = [
        snapshot,
        await service.refused(409, "/api/browser/click", { ref: ref[1] ?? ref[2] }),
        JSON.stringify(await service.call("/api/browser/console", {})),
      ];
      await service.call("/api/browser/navigate", { history: "back" });
      for (const max_characters of [12, 20, 30]) {
        const { text, truncated } = await service.call("/api/browser/text", {
          max_characters,
        }) as Json;
        const all = "[redacted:k/password]\n\nb c";
        expect([text, truncated]).toEqual([
          all.slice(0, max_characters),
          max_characters < all.length,
        ]);
        said.push(text);
      }
      expect(snapshot).toContain(`"${"n".repeat(185)}[redacted:k/pas…"`);
      for (const text of said) expect(text).not.toContain("hunter2-");
      await service.call("/api/keychain/delete-item", { service: "k" });
    });

    await test.step("no search reveals a value of the keychain letter by letter", async () => {
      const value = "correct-horse-42";
      await service.call("/api/keychain/set-item", { service: "k", item: { password: value } });
      const url = pages.serve(
        "/token",
        `<title>Token</title><pre>Your token: ${value}</pre><p>Other words, horse riding</p>
        <button aria-label="Key ${value}">k</button><input aria-label="Token" value="${value}">
        <button aria-label="Bait plain">1</button><button aria-label="Bait ${value}">2</button>
        ${`<a href="#" aria-label="Bait ${value}">3</a>`.repeat(1_001)}`,
      );
      await service.call("/api/browser/navigate", { url: `${url}?${value}` });
      const ask = async (group: string, body: object) => {
        const { status, matches } = await service.call(`/api/browser/${group}`, body) as Json;
        return status ?? matches.map(({ role, name }: Json) => `${role} ${name}`);
      };
      const label = "[redacted:k/password]";
      const named = [`Key ${label}`, "Bait plain", `Bait ${label}`];
      expect(await ask("wait", { text: "Other words" })).toBe("met");
      // "r" and "w" are in the label too; whole values are found where the label is
      const title = `<title>${value} - Notes</title><p>correct</p><p>Notes</p><p>corrext</p>`;
      await service.call("/api/browser/navigate", { url: pages.serve("/notes", title) });
      const notes = await desktop.snapshot();
      for (const word of ["correct", "Notes", "corrext"]) {
        expect(notes).toContain(`text: "${word}"`);
      }
      await service.call("/api/browser/navigate", { history: "back" });
      for (const guess of ["c", "co", "correct-horse-4", value, label, "z", "cx", "42", "r", "w"]) {
        const is = async (group: string, body: object, answer: unknown) =>
          expect([guess, body, await ask(group, body)]).toEqual([guess, body, answer]);
        const isComplete = guess === value || guess === label;
        const start = `token: ${guess}`;
        await is("wait", { text: start, timeout_ms: 1 }, isComplete ? "met" : "timeout");
        await is("wait", { text_gone: start, timeout_ms: 1 }, isComplete ? "timeout" : "met");
        await is("wait", { url: `token?${guess}`, timeout_ms: 1 }, isComplete ? "met" : "timeout");
        const has = named.filter((name) => name.toLowerCase().includes(isComplete ? label : guess));
        await is("find", { query: guess, role: "button" }, has.map((name) => `button ${name}`));
        await is("find", { query: `${guess}-h`, role: "textbox" }, []);
        await is("find", { query: `token ${guess}-h`, role: "textbox" }, ["textbox Token"]);
        if (isComplete) continue;
        const baits = ["button Bait plain", `button Bait ${label}`];
        const isIn = label.includes(guess);
        const order = isIn ? [...baits].reverse() : baits;
        await is("find", { query: `bait ${guess}`, role: "button" }, isIn ? [baits[1]] : baits);
        const [first] = await ask("find", { query: `bait ${guess}` }) as string[];
        expect([guess, first]).toEqual([guess, order[0]]);
      }
      expect(await ask("wait", { text_gone: "Other words", timeout_ms: 1 })).toBe("timeout");
      expect(await ask("wait", { text: "horse" })).toBe("met"); // after one in the value
      expect(await ask("wait", { text_gone: "horse", timeout_ms: 1 })).toBe("timeout");
      expect(await ask("wait", { url: "token?", timeout_ms: 1 })).toBe("met");
      await service.call("/api/keychain/delete-item", { service: "k" });
    });

    await test.step("a search in long values holds up no other request", async () => {
      await desktop.show(
        "/values",
        `<title>Values</title><body><script>
        for (let i = 0; i < 230; i++) {
          document.body.append(Object.assign(document.createElement("input"), {
            ariaLabel: "field " + i, value: "v".repeat(65_000),
          }));
        }</script>`,
      );
      const searched = holdingUpNobody(() => service.call("/api/browser/find", { query: "vvv" }));
      expect((await searched as Json).elements).toBe(20);
    });

    await test.step("what is waited for is found in a long page", async () => {
      await desktop.show(
        "/long",
        `<title>Long</title><pre>${"word ".repeat(600_000)}the end</pre>`,
      );
      const wait = (condition: object) => service.call("/api/browser/wait", condition);
      expect(await wait({ text: "word the  end" })).toMatchObject({ status: "met" });
      expect(await wait({ text_gone: "the end", timeout_ms: 1 }))
        .toMatchObject({ status: "timeout" });
    });

    await test.step("a wait goes on while the page is replaced again and again", async () => {
      const reload = "setTimeout(() => location.reload(), 20)";
      await desktop.show("/again", `<title>Again</title><script>${reload}</script>`);
      for (const more of [{ url: "never" }, { text: "never" }]) {
        const condition = { loaded: true, ...more, timeout_ms: 1_500 };
        expect(await service.call("/api/browser/wait", condition))
          .toMatchObject({ status: "timeout" });
      }
      // a reload that has begun would replace the next page
      pages.serve("/again", "<title>Calm</title>Calm");
      expect(await service.call("/api/browser/wait", { text: "Calm" }))
        .toMatchObject({ status: "met" });
    });

    await test.step("no part of a stored value is found in a long page", async () => {
      const password = "battery  staple\thorse";
      await service.call("/api/keychain/set-item", { service: "k", item: { password } });
      const before = `${password} ${"w".repeat(4_000_000 - password.length - 8)} `;
      await desktop.show("/long-value", `<title>Long</title><pre>${before}${password}</pre>`);
      for (const text of ["wwwwwwww", "batt", "w batt", "y staple", "le horse w"]) {
        const isThere = text === "wwwwwwww";
        const body = { text, timeout_ms: isThere ? 20_000 : 1 };
        const { status } = await service.call("/api/browser/wait", body) as Json;
        expect([text, status]).toEqual([text, isThere ? "met" : "timeout"]);
      }
      expect(await service.refused(409, "/api/browser/wait", { text_gone: "never" }))
        .toContain("too long");
      await service.call("/api/keychain/delete-item", { service: "k" });
    });

    await test.step("texts that are too long are left out, and only those", async () => {
      await desktop.show(
        "/console",
        `<title>Console</title><script>
        console.log("before"); console.log("x".repeat(9e6)); console.log("after");</script>`,
      );
      const { entries } = await service.call("/api/browser/console", {}) as Json;
      expect(entries.slice(-3).map(({ text }: Json) => text))
        .toEqual(["before", expect.stringContaining("omitted"), "after"]);
    });

    await test.step("the text of frames is read and waited for", async () => {
      await desktop.show(
        "/frames",
        `<title>Frames</title><p>Outer</p><iframe srcdoc="<p>Inner"></iframe>`,
      );
      const { text } = await service.call("/api/browser/text", {}) as Json;
      expect(text).toBe("Outer\nInner");
      const wait = (condition: object) => service.call("/api/browser/wait", condition);
      expect(await wait({ text: "Inner" })).toMatchObject({ status: "met" });
      expect(await wait({ text_gone: "Inner", timeout_ms: 300 }))
        .toMatchObject({ status: "timeout" });
    });

    await test.step("an element is scrolled into view in every box on the way", async () => {
      await desktop.show(
        "/boxes",
        `<title>Boxes</title><div style="height:150px;overflow:auto"><p style="height:300px">Text</p>
        <div style="height:100px;overflow:auto"><p style="height:250px">More</p>
        <button onclick="report('deep')">Deep</button></div></div><p style="height:300px">Below`,
      );
      for (const path of ["browser/click", "mouse/left-click"]) {
        await service.call(`/api/${path}`, { ref: await desktop.refOf('"Deep"') });
        await waitFor(() => pages.reports.pop() === "deep", { what: `the click by ${path}` });
        await service.call("/api/browser/navigate", { history: "reload" });
      }
    });

    await test.step("a file that is downloaded is told", async () => {
      pages.serve(
        "/file.zip",
        () => new Response("PK", { headers: { "content-disposition": "attachment" } }),
      );
      const url = `${pages.origin}/file.zip`;
      const { loaded, download } = await service.call("/api/browser/navigate", { url }) as Json;
      expect([loaded, download]).toMatchObject([true, { url, state: "completed", bytes: 2 }]);
      await Deno.remove(download.path);
    });

    await test.step("waits hold up waits only", async () => {
      const leaving = new AbortController();
      const never = { text: "Never", timeout_ms: 300_000 };
      const waits = Array.from(
        { length: 100 },
        () => service.send("/api/browser/wait", never, leaving.signal).catch(() => {}),
      );
      expect((await service.send("/api/browser/text", {})).status).toBe(200);
      expect((await service.send("/api/browser/snapshot", {})).status).toBe(200);
      leaving.abort();
      await Promise.all(waits);
    });

    await test.step("after the last tab was closed the next call has a browser", async () => {
      for (let round = 0; round < 2; round++) {
        for (const { id } of await service.call("/api/browser/tabs") as Json) {
          await service.call("/api/browser/close", { tab_id: id });
        }
        const url = pages.serve("/again", "<title>Again</title>");
        expect(await service.call("/api/browser/open", { url })).toMatchObject({ loaded: true });
      }
    });
  },
});
