/** The panels and the view of the console in a real browser: each does what it says on this computer. */

import { expect } from "expect";
import { ignore, openConsole, pointOf } from "../support/console_page.ts";
import { testFolder } from "../support/folder.ts";
import { waitFor } from "../support/wait.ts";
import { TestX } from "../support/x_client.ts";

const SECRET = "correct horse battery";
/** What the page does not edit. */
const MIXED = "a\r\nb\n";
const LARGE = 256 * 1024 + 1;

Deno.test({
  name: "what was done is listed with its effect, the newest first, and filtered",
  ignore,
  async fn() {
    await using opened = await openConsole();
    const { page, service } = opened;
    const done = [
      ["/api/mouse/move", { x: 5, y: 6, effect: true }],
      ["/api/display/pixel_color", { x: 1, y: 1 }],
      ["/api/filesystem/read", { path: "/nonexistent/file" }],
    ] as const;
    for (const [path, body] of done) await (await service.post(path, body)).body?.cancel();
    const slow = service.post("/api/bash/command", { command: "sleep 0.5" });
    await page.awaitText(".activity", /mouse\.move[\d.]+ ms, (confirmed|unverified)/);
    const rows = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll(".activity .row > code")]
        .map(({ textContent }) => textContent)`);
    await waitFor(async () => (await rows())[0] === "bash.command", { what: "the newest first" });
    await (await slow).body?.cancel();
    const filtered = [["PIXEL", "display.pixel-color"], ["not_found", "filesystem.read"]] as const;
    for (const [filter, operation] of filtered) {
      await page.fill('[aria-label="Filter"]', filter);
      await waitFor(async () => (await rows()).join() === operation, { what: operation });
    }
    await page.fill('[aria-label="Filter"]', "nobody");
    await page.awaitText("#panel .empty", /Nothing matches/);
    expect(page.errors).toEqual([]);
  },
});

Deno.test({
  name: "commands run, show what they write while they write it, and are ended",
  ignore,
  async fn() {
    await using opened = await openConsole();
    const { page } = opened;
    await using made = await testFolder();
    const folder = made.path;
    await page.press("Commands");
    const run = async (command: string) => {
      await page.fill('[aria-label="Command"]', command);
      await page.press("Run");
    };
    await run(`echo $((6 * 7)); until [ -e '${folder}/go' ]; do sleep 0.05; done; echo done`);
    expect(await page.awaitText('[aria-label="Output"]', /42/)).toBe("42\n");
    await page.awaitText("#panel .list", /running/);
    await Deno.writeTextFile(`${folder}/go`, "");
    expect(await page.awaitText('[aria-label="Output"]', /done/)).toBe("42\ndone\n");
    await page.awaitText("#panel [role=status]", /ended with 0/);
    await run("sleep 1000");
    await page.awaitText("#panel .list", /sleep 1000 *running/);
    await page.press("End");
    await page.awaitText("#panel .empty", /No command runs/);
    expect(page.errors).toEqual([]);
  },
});

Deno.test({
  name: "files are listed, edited, uploaded and downloaded byte for byte",
  ignore,
  async fn() {
    await using opened = await openConsole();
    const { page } = opened;
    await using made = await testFolder();
    const folder = made.path;
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await Deno.mkdir(`${folder}/below`);
    await Deno.writeTextFile(`${folder}/lines.txt`, "a\r\nb\r\n");
    await Deno.writeFile(`${folder}/bytes`, bytes);
    await Deno.writeTextFile(`${folder}/mixed.txt`, MIXED);
    await Deno.writeFile(`${folder}/large`, new Uint8Array(LARGE));
    const row = (name: string) =>
      `[...document.querySelectorAll("#panel .list li")]
        .find(({ textContent }) => textContent.startsWith("${name}"))`;
    await page.press("Files");
    await page.awaitText("#panel .list", /tmp\//);
    await page.fill('[aria-label="Folder"]', folder);
    await page.press("Open");
    await page.awaitText("#panel .list", /^below\/bytes 256 bytes.*lines.txt 6 bytes/);

    const edit = async (text: string) => {
      await page.evaluate(`${row("lines.txt")}.querySelector("button").click()`);
      await page.awaitText("#panel code", /lines.txt/);
      await page.fill(".editor", text);
    };
    await edit("a\nc\n");
    await page.press("Save");
    await page.awaitText("#panel .list", /lines.txt/);
    expect(await Deno.readTextFile(`${folder}/lines.txt`)).toBe("a\r\nc\r\n");
    await edit("a\nd\n");
    await Deno.writeTextFile(`${folder}/lines.txt`, "of a program");
    await page.press("Save");
    await page.awaitText(".notices", /The file has changed meanwhile/);
    expect(await Deno.readTextFile(`${folder}/lines.txt`)).toBe("of a program");
    await page.press("Close");

    await page.evaluate(`(() => {
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => {
        const reader = new FileReader();
        reader.onload = () => globalThis.saved = reader.result.split(",")[1];
        reader.readAsDataURL(blob);
        return make(blob);
      };
    })()`);
    const notEdited = [
      ["bytes", bytes, /"bytes" is downloaded, not opened: it is no text/],
      ["mixed.txt", new TextEncoder().encode(MIXED), /"mixed.txt".* line breaks of two kinds/],
      ["large", new Uint8Array(LARGE), /"large".* larger than 256 KiB/],
    ] as const;
    for (const [name, content, why] of notEdited) {
      await page.evaluate("globalThis.saved = undefined");
      await page.evaluate(`${row(name)}.querySelector("button").click()`);
      await page.awaitText("#panel [role=status]", why);
      await waitFor(() => page.evaluate("globalThis.saved !== undefined"), { what: name });
      expect(await page.evaluate("globalThis.saved")).toEqual(content.toBase64());
    }

    await page.evaluate(`(() => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from({ length: 256 }, (_, byte) => byte)], "sent"));
      const field = document.querySelector("#panel input[type=file]");
      field.files = files.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    })()`);
    await page.awaitText("#panel .list", /sent 256 bytes/);
    expect(await Deno.readFile(`${folder}/sent`)).toEqual(bytes);
    expect(page.errors).toEqual([]);
  },
});

Deno.test({
  name: "the status has the names in the keychain, and the colour of the pixel that is clicked",
  ignore,
  async fn() {
    await using opened = await openConsole(["--keychain", "file"]);
    const { page, service, display } = opened;
    using x = await TestX.open(display);
    await x.openWindow({ x: 100, y: 40, width: 50, height: 20, pixel: 0x336699 });
    const stored = await service.post("/api/keychain/set-item", {
      ...{ service: "mail", item: { password: SECRET } },
    });
    await stored.body?.cancel();
    expect(stored.status).toBe(204);
    await page.press("Status");
    await page.awaitText("#panel", /Backend of the/);
    await page.press("List");
    await page.awaitText("#panel .list", /^mail$/);
    expect(await page.evaluate("document.body.textContent")).not.toContain(SECRET);
    await page.press("Pick a pixel");
    const at = await pointOf(page, { x: 123, y: 45 });
    await page.click(at.x, at.y);
    await page.awaitText("#panel", /123, 45: rgb\(51, 102, 153\)/);
    expect(page.errors).toEqual([]);
  },
});

Deno.test({
  name: "a link is made and ended, and the view is of a window alone, and as large as it is",
  ignore,
  async fn() {
    await using opened = await openConsole();
    const { page, display } = opened;
    await page.press("Links");
    await page.press("Make a link");
    const link = () => page.evaluate(`document.querySelector("#panel input")?.value ?? ""`);
    await waitFor(async () => /\/console#watch=ccw_/.test(String(await link())), {
      what: "the link",
    });
    await page.awaitText("#panel .list", /display 1, until/);
    await page.press("End");
    await page.awaitText("#panel .list", /^$/);

    using x = await TestX.open(display);
    const window = await x.openWindow({ x: 40, y: 50, width: 100, height: 80, managed: true });
    const size = () =>
      page.evaluate<number[]>(`(() => {
        const { width, height, clientWidth } = document.querySelector("canvas");
        return [width, height, clientWidth];
      })()`);
    const narrow = { width: 360, height: 800, deviceScaleFactor: 1, mobile: false };
    await page.call("Emulation.setDeviceMetricsOverride", narrow);
    const isFit = async () => {
      const [width, , shown] = await size();
      return width === 640 && shown! <= 360;
    };
    await waitFor(isFit, { what: "the display, in what room there is" });
    await page.press("Original size");
    await waitFor(async () => (await size())[2] === 640, { what: "all of its pixels" });
    await page.press("Fit");
    await waitFor(isFit, { what: "the display as before" });
    await waitFor(() =>
      page.evaluate<boolean>(`(() => {
        const select = document.querySelector('[aria-label="What to watch"]');
        const id = "0x${window.toString(16)}";
        select.dispatchEvent(new FocusEvent("focus"));
        select.value = id;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        return select.value === id;
      })()`), { what: "the window in the list" });
    await waitFor(async () => (await size()).slice(0, 2).join() === "100,80", {
      what: "the window alone",
    });
    expect(page.errors).toEqual([]);
  },
});

Deno.test({
  name:
    "an element that is pointed at is marked where it is, and a click copies the call of its ref",
  ignore,
  async fn() {
    await using opened = await openConsole();
    const { page } = opened;
    // as accessibility/snapshot answers where programs report elements
    const elements = [{
      ...{ ref: "e1", role: "frame", name: "Form" },
      children: [{
        ...{ ref: "e2", role: "button", name: "Save" },
        bounds: { x: 64, y: 48, width: 32, height: 24 },
      }],
    }];
    await page.evaluate(`(() => {
      const send = fetch;
      globalThis.fetch = (url, options) => String(url).endsWith("accessibility/snapshot")
        ? Promise.resolve(Response.json(${JSON.stringify({ elements })}))
        : send(url, options);
      navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve());
    })()`);
    await page.press("Elements");
    await page.press("Read the elements");
    await page.awaitText(".tree .tree", /button Save e2/);
    const onSave = (event: string) =>
      page.evaluate(`document.querySelector(".tree .tree button").dispatchEvent(
        new MouseEvent("${event}"))`);
    const mark = () =>
      page.evaluate(`(() => {
        const { left, top, width, height } = document.querySelector(".picture .mark")?.style ?? {};
        return [left, top, width, height].map(parseFloat).join();
      })()`);
    await onSave("mouseenter");
    await waitFor(async () => await mark() === "10,10,5,5", { what: "the mark" });
    await onSave("click");
    await page.awaitText("#panel [role=status]", /^Copied/);
    expect(await page.evaluate("globalThis.copied")).toBe('POST /api/mouse/click {"ref":"e2"}');
    await onSave("mouseleave");
    await waitFor(() => page.evaluate(`document.querySelector(".picture .mark") === null`), {
      what: "the mark to go",
    });
    expect(page.errors).toEqual([]);
  },
});
