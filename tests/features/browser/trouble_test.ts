/** Browsers, tabs and pages that do not behave; what fails is said, and nothing else is held up. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { startCommand } from "../../support/command.ts";
import { startService } from "../../support/service.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

Deno.test("without a browser every operation of it is 501 and names the flags", async () => {
  const { send, post } = testApp();
  const { status, json } = await send("GET", "/api/browser/tabs");
  expect([status, json.detail]).toEqual([501, "A fake has no browser"]);
  expect((await post("/api/browser/evaluate", { expression: "1" })).status).toBe(403);
  expect((await post("/api/browser/click", { ref: "e1" })).status).toBe(409);
  expect((await post("/api/browser/click", {})).status).toBe(422);
});

Deno.test({
  name: "an address at which no browser answers is 503",
  ignore,
  async fn() {
    await using service = await startService({
      displays: [":65535"],
      browserAddress: "http://ada:hunter2@127.0.0.1:1/?token=hunter2",
    });
    const told = await service.refused(503, "/api/browser/tabs");
    expect(JSON.parse(told)).toBe(
      'Cannot reach the browser at "127.0.0.1:1": no browser answers there',
    );
  },
});

Deno.test({
  name: "the browser has no port that others can reach, and ends with a service that is killed",
  ignore,
  async fn() {
    await using server = await startXvfb();
    await using service = await startCommand([
      ...["--display", server.display, "--open-browser", "--no-setup"],
    ]);
    const tabs = await (await fetch(`${service.address}/api/browser/tabs`)).json();
    expect(tabs.length).toBe(1);
    const browser = await findBrowser((_, parent) => parent === service.pid);
    const listening = await listeningSockets();
    expect(listening.size).toBeGreaterThan(0); // the service's own
    for await (const { name } of Deno.readDir(`/proc/${browser}/fd`)) {
      const socket = await Deno.readLink(`/proc/${browser}/fd/${name}`).catch(() => "");
      expect(listening.has(/^socket:\[(\d+)\]$/.exec(socket)?.[1] ?? "")).toBe(false);
    }
    await service.kill();
    await waitFor(() => Deno.stat(`/proc/${browser}`).then(() => false, () => true), {
      what: "the end of the browser",
    });
  },
});

Deno.test({
  name:
    "a browser that hangs ends with the service, and one of a killed service with the next start",
  ignore,
  async fn() {
    await using server = await startXvfb();
    await using folder = await testFolder();
    const start = async () => {
      const service = await startCommand(
        ["--display", server.display, "--open-browser", "--no-setup"],
        { TMPDIR: folder.path },
      );
      await (await fetch(`${service.address}/api/browser/tabs`)).json();
      const browser = await findBrowser((_, parent) => parent === service.pid);
      return { service, browser };
    };
    const ends = (browser: number) =>
      waitFor(() => Deno.stat(`/proc/${browser}`).then(() => false, () => true), {
        what: "the end of the browser",
      });
    const profiles = async () => {
      const all = await Array.fromAsync(Deno.readDir(folder.path), ({ name }) => name);
      return all.filter((each) => each.startsWith("computer-control-browser-"));
    };
    const killed = await start();
    Deno.kill(killed.browser, "SIGSTOP");
    await killed.service.kill();
    const [abandoned] = await profiles();
    expect(abandoned).toBeDefined();
    const stopped = await start();
    await ends(killed.browser);
    expect(await profiles()).not.toContain(abandoned);
    Deno.kill(stopped.browser, "SIGSTOP");
    stopped.service.signal("SIGTERM");
    await stopped.service.ended;
    await ends(stopped.browser);
  },
});

Deno.test({
  name:
    "refs of elements that have gone, changed, or are covered or hidden are 409, and nothing is clicked",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const evaluate = (expression: string) =>
      service.call("/api/browser/evaluate", { expression }) as Promise<Json>;
    const refuse = (ref: string) => service.refused(409, "/api/browser/click", { ref });

    await test.step("elements", async () => {
      const page = `<title>Refs</title><button onclick="report('a')">Alpha</button>
        <button id="b" onclick="report('b')">Beta</button><div id="over"></div>`;
      await desktop.show("/refs", page);
      const ref = await desktop.refOf('"Beta"');
      await evaluate("b.textContent = 'Gamma'");
      expect(await refuse(ref)).toContain("is the button");
      await evaluate("b.textContent = 'Beta'");
      await evaluate("b.style.display = 'none'");
      expect(await refuse(ref)).toMatch(/no longer visible/);
      await evaluate("b.style.display = ''");
      await evaluate("over.style.cssText = 'position:fixed;inset:0;background:red'");
      expect(await refuse(ref)).toContain("covered by div#over");
      await evaluate("over.style.cssText = ''");
      await service.call("/api/browser/click", { ref });
      await waitFor(() => pages.reports.includes("b"), { what: "the click" });
      await evaluate("b.remove()");
      expect(await refuse(ref)).toMatch(/gone|not visible|no longer visible/);
      const alpha = await desktop.refOf('"Alpha"');
      await service.call("/api/browser/navigate", { history: "reload" });
      expect(await refuse(alpha)).toContain("gone");
      expect(pages.reports).toEqual(["b"]);
      await service.call("/api/browser/click", { ref: await desktop.refOf('"Refs"') }); // the page
    });

    await test.step("their texts have no value of the keychain", async () => {
      const value = 'tröub"le 4dor';
      const item = { service: "shop", item: { password: value } };
      await service.call("/api/keychain/set-item", item);
      const quoted = value.replace('"', "&quot;");
      await desktop.show(
        "/secrets",
        `<title>Secrets</title><button id="b">To ${quoted}!</button><div id="over"></div>
        <select aria-label="Size"><option>My ${quoted}</option></select>`,
      );
      const ref = await desktop.refOf('"To [');
      const size = await desktop.refOf('"Size"');
      const check = (told: string) => {
        expect(JSON.parse(told)).toMatch(
          /^the button "To \[redacted:shop\/password\]!" (is|does)/i,
        );
      };
      await service.refused(422, "/api/browser/fill", { ref: size, value: "Huge" }).then((told) => {
        expect(told).toContain("My [redacted:shop/password]");
      });
      await service.refused(422, "/api/browser/fill", { ref, value: "x" }).then((told) => {
        expect(told).toContain("To [redacted:shop/password]!");
      });
      await evaluate("over.style.cssText = 'position:fixed;inset:0;background:red'");
      check(await refuse(ref));
      check(await service.refused(409, "/api/mouse/left-click", { ref }));
      await evaluate("over.remove(), b.style.visibility = 'hidden'");
      check(await service.refused(409, "/api/mouse/left-click", { ref }));
      await evaluate("b.remove()");
      check(await refuse(ref));
      await service.call("/api/keychain/delete-item", { service: "shop" });
    });

    await test.step("by a real mouse on the display, at the very pixel", async () => {
      await desktop.show(
        "/mouse",
        `<title>Mouse</title><body style="height:4000px">
        <button style="position:absolute;top:2500px;left:300px" onclick="report('real ' + event.isTrusted)">Real</button>`,
      );
      await service.call("/api/mouse/left-click", { ref: await desktop.refOf('"Real"') });
      await waitFor(() => pages.reports.includes("real true"), { what: "the click" });
    });

    await test.step("a page that computes for ever holds up only itself", async () => {
      const busy = pages.serve(
        "/busy",
        "<title>Busy</title><script>onload = () => setTimeout(() => { for (;;); }, 50)</script>",
      );
      const { tab } = await service.call("/api/browser/open", { url: busy }) as Json;
      await waitFor(async () => {
        const response = await service.send("/api/browser/snapshot", {
          tab_id: tab.id,
          timeout_ms: 500,
        });
        return response.status === 504;
      }, { what: "the page to be busy" });
      const [first] = await service.call("/api/browser/tabs") as Json;
      await service.call("/api/browser/activate", { tab_id: first.id });
      expect(await desktop.snapshot()).toContain("Mouse");
      await service.call("/api/browser/close", { tab_id: tab.id });
    });

    await test.step("callers that leave a page which never answers keep no place", async () => {
      await desktop.show("/silent", "<title>Silent</title>");
      const leaving = new AbortController();
      const expression = "report('begun'), new Promise(() => {})";
      const never = { expression, timeout_ms: 300_000 };
      const left = Array.from(
        { length: 40 },
        () => service.send("/api/browser/evaluate", never, leaving.signal).catch(() => {}),
      );
      // as many as can run at the same time
      await waitFor(() => pages.reports.length >= 32, { what: "the scripts" });
      leaving.abort();
      await Promise.all(left);
      const soon = AbortSignal.timeout(20_000);
      expect((await service.send("/api/browser/tabs", undefined, soon)).status).toBe(200);
    });

    await test.step("a tab that closes during a call ends it", async () => {
      const url = pages.serve("/closing", "<title>Closing</title>");
      const { tab } = await service.call("/api/browser/open", { url }) as Json;
      const waiting = service.refused(409, "/api/browser/wait", { text: "Never", tab_id: tab.id });
      const scripts = service.refused(409, "/api/browser/evaluate", {
        expression: "new Promise(() => {})",
        tab_id: tab.id,
      });
      await service.call("/api/browser/close", { tab_id: tab.id });
      expect([await waiting, await scripts].every((text) => text.includes("was closed"))).toBe(
        true,
      );
    });

    await test.step("a page of 100,000 nodes is read within its bounds", async () => {
      await desktop.show(
        "/large",
        `<title>Large</title><script>
        document.write(Array.from({ length: 25_000 }, (_, i) => "<p><button>B" + i + "</button></p>").join(""));
        </script>`,
      );
      const read = await service.call("/api/browser/snapshot", { timeout_ms: 120_000 }) as Json;
      expect(read.truncated).toEqual(["characters"]);
      expect(read.text.length).toBeLessThanOrEqual(50_000);
      const { text } = await service.call("/api/browser/find", {
        query: "B24999",
        timeout_ms: 120_000,
      }) as Json;
      expect(text).toMatch(/^- button "B24999" \[ref=e\d+\]$/);
    });

    await test.step("a browser that dies is told, and started again by the next call", async () => {
      await desktop.show("/dying", "<title>Dying</title><button>B</button>");
      const ref = await desktop.refOf('"B"');
      const [before] = await service.call("/api/browser/tabs") as Json;
      const dying = service.send("/api/browser/wait", { text: "Never", timeout_ms: 20_000 });
      const pid = await findBrowser((all) => all.includes(`DISPLAY=${desktop.display}`));
      Deno.kill(pid, "SIGKILL");
      const { status } = await dying;
      expect([503, 409]).toContain(status);
      const [after] = await service.call("/api/browser/tabs") as Json;
      expect(after.id).not.toBe(before.id);
      await service.refused(409, "/api/browser/click", { ref });
    });
  },
});

/** The browser's own process, by its environment and its parent. */
async function findBrowser(
  fits: (environment: readonly string[], parent: number) => boolean,
): Promise<number> {
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
    const line = await read("cmdline");
    if (!line.includes("--remote-debugging-pipe") || line.includes("--type=")) continue;
    const parent = Number(/^PPid:\s+(\d+)/m.exec(await read("status"))?.[1]);
    if (fits((await read("environ")).split("\0"), parent)) return Number(name);
  }
  throw new Error("There is no such browser");
}

/** The inodes of all TCP sockets that listen. */
async function listeningSockets(): Promise<ReadonlySet<string>> {
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => Deno.readTextFile(path));
  const lines = (await Promise.all(tables)).join("\n").split("\n");
  const columns = lines.map((line) => line.trim().split(/\s+/));
  return new Set(columns.filter((each) => each[3] === "0A").map((each) => each[9]!));
}
