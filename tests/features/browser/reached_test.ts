/**
 * Input of the display at elements of pages, in a real Chromium that has other things over them or the
 * keyboard elsewhere: the page gets it, or it is refused and nothing gets it.
 */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { pick } from "../../support/extent.ts";
import { secretOf } from "../../support/secrets.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

const PASSWORD = secretOf("correct-Horse9");

/** How often what must be the same every time is done. */
const TIMES = pick({ short: 1, full: 3 });

/** The password, as everybody is told. */
const FILLED = "[redacted:shop/password]";

const LOGIN = `<title>Login</title>
<input id="user" aria-label="User">
<input id="pass" type="password" aria-label="Password">
<input aria-label="Fixed" readonly value="fixed">
<input aria-label="Off" disabled>
<button id="go">Go</button>
<button disabled>Cannot</button>
<div tabindex="0" role="listbox" aria-label="Choices"><div role="option">One</div></div>
<script>
for (const type of ["mousedown", "keydown"])
  addEventListener(type, ({ target, isTrusted }) => report(type + " " + target.id + " " + isTrusted), true);
</script>`;

Deno.test({
  name: "what is typed by the ref of a page arrives in that element or nowhere",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const evaluate = async (expression: string) =>
      JSON.parse((await service.call("/api/browser/evaluate", { expression }) as Json).text);
    const addressBar = async () => {
      await service.call("/api/keyboard/key", { key: "ctrl+l" });
      await waitFor(async () => await evaluate("document.hasFocus()") === false, {
        what: "the focus of the address bar",
      });
      await evaluate("(report('focus has left'), true)");
      await waitFor(() => pages.reports.includes("focus has left"), { what: "earlier reports" });
      pages.reports.length = 0;
    };
    await service.call("/api/keychain/set-item", {
      service: "shop",
      item: { username: "ann", password: PASSWORD },
    });
    const fill = (type: string, ref: string) => ({
      service: "shop",
      authElements: [{ type, ref }],
    });

    await test.step("at once after the start, where the address bar has the keyboard", async () => {
      await desktop.show("/login", LOGIN);
      expect(await evaluate("document.hasFocus()")).toBe(false);
      const ref = await desktop.refOf('"Password"');
      expect(await service.call("/api/keychain/authenticate", fill("password", ref))).toBe(true);
      expect(await evaluate("pass.value")).toBe(FILLED);
    });

    await test.step("after ctrl+l, for secrets and texts", async () => {
      for (let time = 0; time < TIMES; time++) {
        await desktop.show("/login", LOGIN);
        const user = await desktop.refOf('"User"');
        const password = await desktop.refOf('"Password"');
        await addressBar();
        await service.call("/api/keychain/authenticate", fill("password", password));
        await addressBar();
        await service.call("/api/keyboard/type", { ref: user, text: "bob" });
        await waitFor(async () => await evaluate("user.value") === "bob", { what: "the text" });
        expect(await evaluate("[user.value, pass.value]")).toEqual(["bob", FILLED]);
      }
    });

    await test.step("keys for what is no field, without a click", async () => {
      await desktop.show("/login", LOGIN);
      const ref = await desktop.refOf('"Choices"');
      await addressBar();
      await service.call("/api/keyboard/type", { ref, text: "bob" });
      await waitFor(() => pages.reports.length >= 3, { what: "the keys" });
      expect(pages.reports).toEqual(Array(3).fill("keydown  true"));
    });

    await test.step("nothing where the page does not keep the focus in the element", async () => {
      const shy =
        `<div tabindex="0" aria-label="Shy" style="height: 20px" onfocus="this.blur()"></div>`;
      await desktop.show("/shy", LOGIN + shy);
      const ref = await desktop.refOf('"Shy"');
      await addressBar();
      expect(await service.refused(409, "/api/keyboard/type", { ref, text: "bob" }))
        .toContain("does not have the keyboard");
      expect(pages.reports).toEqual([]);
    });

    await test.step("nothing into what takes no text, and no click on what is disabled", async () => {
      await desktop.show("/login", LOGIN);
      const type = async (name: string) =>
        await service.refused(409, "/api/keyboard/type", {
          ref: await desktop.refOf(name),
          text: "x",
        });
      expect(await type('"Fixed"')).toContain("is read-only");
      expect(await type('"Off"')).toContain("is disabled");
      const authenticate = async (name: string) => {
        const body = fill("username", await desktop.refOf(name));
        return await service.refused(409, "/api/keychain/authenticate", body);
      };
      expect(await authenticate('"Fixed"')).toContain("is read-only");
      expect(await authenticate('"Go"')).toContain("is not a text field");
      expect(await authenticate('"Choices"')).toContain("is not a text field");
      const ref = await desktop.refOf('"Cannot"');
      for (const click of ["mouse/left-click", "mouse/right-click", "browser/click"]) {
        expect(await service.refused(409, `/api/${click}`, { ref })).toContain("is disabled");
      }
      await service.call("/api/mouse/move", { ref });
      expect(pages.reports.filter((each) => each.startsWith("mousedown"))).toEqual([]);
    });

    await test.step("the rest of a secret does not follow a focus that the page moves", async () => {
      const steal = `${LOGIN}<script>
        pass.addEventListener("input", () => pass.value.length === 3 && user.focus());
      </script>`;
      await desktop.show("/steal", steal);
      const ref = await desktop.refOf('"Password"');
      expect(await service.refused(409, "/api/keychain/authenticate", fill("password", ref)))
        .toContain("has lost the keyboard focus");
      expect(await evaluate("[user.value, pass.value]")).toEqual(["", PASSWORD.slice(0, 3)]);
    });
  },
});

const TWO = `<title>Fields</title>
<input id="one" aria-label="One">
<input id="two" aria-label="Two">
<input id="pass" type="password" aria-label="Password">
<div tabindex="0" aria-label="Keys" style="height: 40px" onkeydown="report(event.key)"></div>`;

Deno.test({
  name: "keys of the display reach a page that has had input of the browser operations",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const evaluate = async (expression: string) =>
      JSON.parse((await service.call("/api/browser/evaluate", { expression }) as Json).text);
    const showTwo = async () => {
      await desktop.show("/two", TWO);
    };
    const addressBar = async () => {
      await service.call("/api/keyboard/key", { key: "ctrl+l" });
      await waitFor(async () => await evaluate("document.hasFocus()") === false, {
        what: "the focus of the address bar",
      });
    };
    /** The page believes to have the keyboard, which the address bar keeps. */
    const deceive = async () => {
      const ref = await desktop.refOf('"One"');
      await service.call("/api/browser/type", { ref, text: "ab" });
      expect(await evaluate("document.hasFocus()")).toBe(true);
    };
    const typeInto = async (name: string, text: string) => {
      await service.call("/api/keyboard/type", { ref: await desktop.refOf(name), text });
    };

    await test.step("a field, at once after the start", async () => {
      await showTwo();
      expect(await evaluate("document.hasFocus()")).toBe(false);
      await deceive();
      await typeInto('"Two"', "yz");
      expect(await evaluate("[one.value, two.value]")).toEqual(["ab", "yz"]);
    });

    await test.step("a field after ctrl+l, and then another one", async () => {
      await showTwo();
      await addressBar();
      await deceive();
      await typeInto('"Two"', "yz");
      await typeInto('"Password"', "c");
      expect(await evaluate("[one.value, two.value, pass.value]")).toEqual(["ab", "yz", "c"]);
    });

    await test.step("what is no field, also after a click into the page", async () => {
      await showTwo();
      await addressBar();
      await deceive();
      await typeInto('"Keys"', "k");
      await waitFor(() => pages.reports.length > 0, { what: "the key" });
      await deceive();
      await service.call("/api/mouse/left-click", { ref: await desktop.refOf('"One"') });
      await typeInto('"Keys"', "l");
      await waitFor(() => pages.reports.length > 1, { what: "the other key" });
      expect(pages.reports).toEqual(["k", "l"]);
    });

    await test.step("a stored value", async () => {
      await service.call("/api/keychain/set-item", {
        service: "shop",
        item: { username: "ann", password: PASSWORD },
      });
      await showTwo();
      await addressBar();
      await deceive();
      const authElements = [{ type: "password", ref: await desktop.refOf('"Password"') }];
      await service.call("/api/keychain/authenticate", { service: "shop", authElements });
      expect(await evaluate("[one.value, pass.value]")).toEqual(["ab", FILLED]);
    });
  },
});

Deno.test({
  name: "no part of a stored value is typed into the page that comes next",
  ignore,
  async fn() {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    await service.call("/api/keychain/set-item", {
      service: "shop",
      item: { username: "ann", password: PASSWORD },
    });
    const next = pages.serve(
      "/next",
      `<title>Next</title><input id="other" autofocus><script>
        other.focus();
        addEventListener("keydown", () => report("key"), true);
        other.oninput = () => report("input");
      </script>`,
    ).replace("127.0.0.1", "localhost");
    const leave = `location = ${JSON.stringify(next)}`;
    const leaving = (when: string) =>
      `<title>Login</title><input id="pass" type="password" aria-label="Password" value="old">
       <script>let count = 0; ${when}</script>`;
    const authenticate = async () => {
      const authElements = [{ type: "password", ref: await desktop.refOf('"Password"') }];
      const body = { service: "shop", authElements };
      return (await service.send("/api/keychain/authenticate", body)).status;
    };
    for (const key of pick({ short: [1, 4], full: [1, 3, 4, 7] })) {
      for (const on of ["onkeydown", "oninput"]) {
        await desktop.show(
          "/login",
          leaving(`pass.${on} = () => { if (++count === ${key}) ${leave} }`),
        );
        expect([200, 409]).toContain(await authenticate());
        await service.call("/api/browser/wait", { url: "/next", loaded: true });
        expect(pages.reports).toEqual([]);
      }
    }
    await desktop.show("/login", leaving("pass.maxLength = 5"));
    expect(await authenticate()).toBe(409);
    await desktop.show("/login", leaving("pass.onbeforeinput = (event) => event.preventDefault()"));
    expect(await authenticate()).toBe(409);
  },
});

Deno.test({
  name: "a click by ref reaches the page, or is refused where the browser has something of its own",
  ignore,
  async fn() {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const hasFocus = async () => {
      const expression = "document.hasFocus()";
      return (await service.call("/api/browser/evaluate", { expression }) as Json).text === "true";
    };
    const stops = `<title>Still</title><script>for (const type of ["pointermove", "mousemove"])
      addEventListener(type, (event) => event.stopImmediatePropagation(), true);</script>
      <button onclick="report('reached')">Reach</button>`;
    await desktop.show("/stops", stops);
    await service.call("/api/mouse/left-click", { ref: await desktop.refOf('"Reach"') });
    await waitFor(() => pages.reports.includes("reached"), { what: "the click" });
    // under the bubble of a new bookmark
    const page = `<title>Shop</title>
      <button id="out" style="position: absolute; left: 560px; top: 60px">Log out</button>
      <script>addEventListener("mousedown", ({ target, isTrusted }) =>
        report("mousedown " + target.id + " " + isTrusted), true);</script>`;
    for (let time = 0; time < TIMES; time++) {
      await desktop.show("/shop", page);
      const ref = await desktop.refOf('"Log out"');
      await service.call("/api/mouse/left-click", { ref });
      await waitFor(() => pages.reports.length > 0, { what: "the click" });
      expect(pages.reports.splice(0)).toEqual(["mousedown out true"]);
      await service.call("/api/keyboard/key", { key: "ctrl+d" });
      await waitFor(async () => !await hasFocus(), { what: "the focus of the bubble" });
      expect(await service.refused(409, "/api/mouse/left-click", { ref })).toContain(
        "is covered by",
      );
      expect(pages.reports).toEqual([]);
      await service.call("/api/keyboard/key", { key: "escape" });
    }
  },
});

Deno.test({
  name: "a click by ref is refused where the page puts something else under the mouse",
  ignore,
  async fn() {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;
    const page = (when: string) =>
      `<title>Shop</title>
       <button id="save" style="position: fixed; top: 9px; right: 9px; width: 140px">Save</button>
       <script>
         const cover = () => {
           const pay = document.createElement("button");
           pay.id = "pay";
           pay.style = "position: fixed; inset: 0";
           pay.onclick = pay.onmousedown = () => report("pay");
           document.body.append(pay);
         };
         ${when}
         save.onclick = () => report("save");
       </script>`;
    const covers: Readonly<Record<string, string>> = {
      "button#pay": "save.onmouseenter = cover",
      "body|html": "save.onmouseenter = () => save.style.top = '300px'",
    };
    for (const [got, when] of Object.entries(covers)) {
      for (const click of ["mouse/left-click", "browser/click"]) {
        await desktop.show("/shop", page(when));
        await service.call("/api/mouse/move", { x: 300, y: 600 });
        const ref = await desktop.refOf('"Save"');
        expect(await service.refused(409, `/api/${click}`, { ref })).toMatch(new RegExp(got));
        expect(pages.reports).toEqual([]);
        await desktop.show("/shop", page(""));
        await service.call(`/api/${click}`, { ref: await desktop.refOf('"Save"') });
        await waitFor(() => pages.reports.length > 0, { what: "the click" });
        expect(pages.reports).toEqual(["save"]);
      }
    }
  },
});

Deno.test({
  name: "the browser asks nothing over its pages: neither for passwords nor for permissions",
  ignore,
  async fn() {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;
    const page = `<title>Signed in</title>
      <button id="out" style="position: absolute; left: 560px; top: 60px">Log out</button>
      <button id="place" style="position: absolute; left: 160px; top: 60px">Place</button>
      <script>
        addEventListener("click", ({ target }) => report("click " + target.id));
        const asked = (permission) => report(permission);
        navigator.geolocation.getCurrentPosition(() => asked("located"), () => asked("denied"));
        Notification.requestPermission().then(asked);
      </script>`;
    pages.serve("/in", page);
    await service.call("/api/keychain/set-item", {
      service: "shop",
      item: { username: "ann", password: PASSWORD },
    });
    for (let time = 0; time < TIMES; time++) {
      const form = `<title>Login</title><form action="/in" method="post">
        <input name="user" autocomplete="username" aria-label="User">
        <input name="pass" type="password" autocomplete="current-password" aria-label="Password">
        <button>Sign in</button></form>`;
      await desktop.show("/form", form);
      const authElements = [
        { type: "username", ref: await desktop.refOf('"User"') },
        { type: "password", ref: await desktop.refOf('"Password"') },
      ];
      await service.call("/api/keychain/authenticate", { service: "shop", authElements });
      await service.call("/api/mouse/left-click", { ref: await desktop.refOf('"Sign in"') });
      await service.call("/api/browser/wait", { url: "/in", loaded: true });
      await waitFor(() => pages.reports.length >= 2, { what: "the answers to the page" });
      expect(pages.reports.splice(0).sort()).toEqual(["denied", "denied"]);
      for (const name of ["out", "place"]) {
        const ref = await desktop.refOf(name === "out" ? '"Log out"' : '"Place"');
        await service.call("/api/mouse/left-click", { ref });
        await waitFor(() => pages.reports.length > 0, { what: "the click" });
        expect(pages.reports.splice(0)).toEqual([`click ${name}`]);
      }
    }
  },
});
