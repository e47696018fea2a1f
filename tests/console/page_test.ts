/** The console in a real browser: what it shows is what is there, and what a person does arrives. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import {
  CANVAS_HASH,
  hashOf,
  openConsoleDesk,
  openConsoleViewer,
} from "../support/console_desk.ts";
import { ignore } from "../support/console_page.ts";
import { openPage } from "../support/console.ts";
import { testFolder } from "../support/folder.ts";
import { imported } from "../support/pictures.ts";
import { waitFor } from "../support/wait.ts";
import { TestX } from "../support/x_client.ts";
import { openXterm } from "../support/xterm.ts";
import { startXvfb } from "../support/xvfb.ts";

Deno.test({
  name: "the page shows the display pixel for pixel, and a person types, clicks and hands back",
  ignore,
  async fn(test) {
    await using desk = await openConsoleDesk();
    const { service, display } = desk;
    await using xterm = await openXterm(display);
    const move = async () => {
      const answer = await service.post("/api/mouse/move", { x: 600, y: 400 });
      await answer.body?.cancel();
      return answer.status;
    };

    await test.step("the picture is exact when it is still", async () => {
      await desk.awaitDriver(/Programs have control/);
      await waitFor(async () => {
        const [shown, there] = [
          await desk.evaluate(CANVAS_HASH),
          await hashOf(await imported(display)),
        ];
        return shown === there;
      }, { what: "the same pixels" });
    });

    await test.step("after taking over, programs are refused", async () => {
      await desk.takeOver();
      expect(await move()).toBe(423);
    });

    await test.step("a click lands on its pixel, and keys and other text arrive", async () => {
      await desk.click(123, 45);
      await waitFor(async () => {
        const answer = await fetch(`${service.address}/api/control/state`);
        const { mode } = await answer.json();
        return mode === "person";
      });
      await xterm.focus();
      await desk.onPage("key", { key: "a" });
      await desk.onPage("key", { key: "shift+b" });
      await desk.onPage("key", { key: "1" });
      await desk.onPage("type", { text: "\u65e5\u672c" });
      await desk.onPage("key", { key: "Enter" });
      await xterm.expectNext("aB1\u65e5\u672c\n");
    });

    await test.step("a text that is longer than a message is pasted, and the page stays", async () => {
      await desk.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "\u00e9".repeat(100_000));
        const paste = new ClipboardEvent("paste", { clipboardData });
        document.querySelector("textarea.keyboard").dispatchEvent(paste);
      })()`);
      await waitFor(async () => await desk.evaluate(COPIED_LENGTH) === 100_000, {
        what: "the text on the clipboard",
      });
      await desk.awaitDriver(/You have control/);
    });

    await test.step("another person takes over, whom the page names, and loses it again", async () => {
      await using other = await openPage(service.address);
      const { you } = await other.message("hello");
      other.send({ t: "take" });
      await desk.awaitDriver(/^a person has control/);
      expect(await move()).toBe(423);
      const from = other.received.length;
      await desk.takeOver();
      await other.message("state", ({ by }) => by !== null && by.id !== you.id, from);
    });

    await test.step("after handing back, programs act again, and the cursor is where it was clicked", async () => {
      await desk.handBack();
      const answer = await fetch(`${service.address}/api/mouse/position`);
      expect(answer.headers.get("x-control-notice")).toContain("take a new picture");
      expect(await answer.json()).toEqual({ x: 123, y: 45 });
      expect(await move()).toBe(204);
    });

    await test.step("what was done is listed", async () => {
      await waitFor(async () =>
        (await desk.evaluate<string>('document.querySelector(".activity").textContent'))
          .includes("mouse.position")
      );
      expect(await desk.evaluate('document.querySelector(".activity").textContent'))
        .not.toContain("\u65e5");
    });

    await test.step("the page reports no error, and every control has a name", async () => {
      expect(await desk.errors()).toEqual([]);
      expect(await desk.evaluate(UNNAMED)).toEqual([]);
    });
  },
});

/** How long the text on the clipboard of the display is, as the person before the page reads it. */
const COPIED_LENGTH = `(async () => {
  const answer = await fetch("/api/clipboard/get", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-console-page": sessionStorage.getItem("computer-control-page"),
    },
    body: "{}",
  });
  return (await answer.json()).text?.length ?? 0;
})()`;

/** Controls without a name that a screen reader could say. */
const UNNAMED = `[...document.querySelectorAll("button, input, select, textarea, canvas")]
  .filter((each) => !each.textContent.trim() && !each.getAttribute("aria-label") && !each.labels?.length)
  .map((each) => each.outerHTML)`;

Deno.test({
  name: "a person allows and refuses calls, declines to help, and helps",
  ignore,
  async fn() {
    await using desk = await openConsoleDesk(["--approve", "filesystem.delete"]);
    const post = async (path: string, body: unknown) => {
      const answer = await desk.service.post(path, body);
      return { status: answer.status, json: await answer.json() };
    };
    const erase = () => post("/api/filesystem/delete", { path: "/nonexistent/file" });
    const ask = () => post("/api/control/request-help", { reason: "a captcha" });
    const say = async (reason: string) => {
      await waitFor(() => desk.evaluate(`${REASON} !== null && (${REASON}.focus(), true)`));
      await desk.onPage("type", { text: reason });
      await waitFor(() => desk.evaluate(`${REASON}.value === ${JSON.stringify(reason)}`));
    };
    // the page hears of an answer at about the time at which the program does
    const noneWaits = () => waitFor(() => desk.evaluate(`${REASON} === null`));
    await desk.awaitDriver(/Programs have control/);

    const allowed = erase();
    await desk.press("Allow once");
    expect((await allowed).status).toBe(404);
    await desk.evaluate(LOOK_FOR_APPROVAL);
    const refused = erase();
    expect(await desk.evaluate("globalThis.firstSeen")).toEqual([["Allow once", "true"], [
      "Allow every filesystem.delete for this session",
      "true",
    ], ["Refuse", null]]);
    await say("not that file");
    await desk.press("Refuse");
    const detail = expect.stringMatching(/ has refused "filesystem.delete": not that file$/);
    expect(await refused).toMatchObject({ status: 403, json: { code: "forbidden", detail } });
    await noneWaits();
    const refusedSilently = erase();
    await desk.press("Refuse");
    const plain = expect.stringMatching(/ has refused "filesystem.delete"$/);
    expect(await refusedSilently).toMatchObject({ status: 403, json: { detail: plain } });

    await noneWaits();
    const declined = ask();
    await say("not now");
    await desk.press("Decline");
    expect(await declined).toMatchObject({
      status: 200,
      json: { outcome: "declined", reason: "not now" },
    });
    const helped = ask();
    await waitFor(() => desk.evaluate('document.title.startsWith("(!)")'));
    await desk.takeOver();
    await desk.press("Hand back");
    expect(await helped).toMatchObject({ status: 200, json: { outcome: "handed_back" } });

    await desk.press("Pause programs");
    await desk.awaitDriver(/Paused/);
    expect((await post("/api/mouse/move", { x: 1, y: 1 })).status).toBe(423);
    await desk.press("Resume programs");
    await desk.awaitDriver(/Programs have control/);
  },
});

Deno.test({
  name: "the page comes back after the service was started again",
  ignore,
  async fn() {
    await using server = await startXvfb({ size: "640x480" });
    let service = await startCommand(["--display", server.display]);
    await using proxy = startProxy(() => Number(new URL(service.address).port));
    await using desk = await openConsoleViewer(proxy.address);
    await desk.awaitDriver(/Programs have control/);
    await desk.takeOver();
    service.signal("SIGTERM");
    expect(await service.ended).toBe(0);
    await desk.awaitDriver(/Not connected|Connecting/);
    service = await startCommand(["--display", server.display]);
    await using _second = service;
    await desk.awaitDriver(/Programs have control/);
    await waitFor(async () =>
      await desk.evaluate(CANVAS_HASH) === await hashOf(await imported(server.display))
    );
  },
});

Deno.test({
  name: "a click on what was done shows the display before and after it, with a mark",
  ignore,
  async fn() {
    await using desk = await openConsoleDesk();
    using x = await TestX.open(desk.display);
    const colours = [0x00ff00, 0x0000ff] as const;
    const window = await x.openWindow({
      ...{ width: 640, height: 480, pixel: colours[0] },
      eventMask: BUTTON_PRESS,
    });
    let presses = 0;
    const client = x.client as typeof x.client & { ClearArea(...numbers: number[]): void };
    const draw = ({ name }: { readonly name: string }) => {
      if (name === "ButtonPress") presses++;
      const pixel = colours[presses % 2]!;
      client.ChangeWindowAttributes(window, { backgroundPixel: pixel } as never);
      client.ClearArea(window, 0, 0, 0, 0, 0);
    };
    client.on("event", draw as (value: never) => void);
    await desk.awaitDriver(/Programs have control/);
    const shows = (colour: number) =>
      waitFor(async () => await desk.evaluate(pixelOf(CANVAS)) === colour, { what: "the colour" });

    let clicks = 0;
    // on a busy computer the program can draw later than the picture after the click is taken
    const shown = await waitFor(async () => {
      const before = colours[clicks % 2]!;
      await shows(before);
      const answer = await desk.service.post("/api/mouse/left-click", { x: 320, y: 120 });
      expect(answer.status).toBe(204);
      const after = colours[++clicks % 2]!;
      await shows(after);
      await waitFor(() => desk.evaluate(openNewest(clicks)), { what: "the click in the activity" });
      const there = await waitFor(() => desk.evaluate<Shown | null>(SHOWN), {
        what: "its pictures",
      });
      return isNear(there.pixels[0], before) && isNear(there.pixels[1], after) && there;
    }, { what: "the pictures before and after a click", timeoutMs: 60_000 });
    expect(shown.names).toEqual(["Before", "After"]);
    expect(shown.alts).toEqual([
      "The display: Before, mouse.left-click",
      "The display: After, mouse.left-click",
    ]);
    const [left, top] = [320.5 * 100 / 640, 120.5 * 100 / 480];
    expect(shown.marks).toHaveLength(2);
    for (const mark of shown.marks) {
      expect(mark.map(parseFloat)).toEqual([expect.closeTo(left), expect.closeTo(top)]);
    }
    expect(await desk.errors()).toEqual([]);
  },
});

/** Keeps what the buttons of the next approval are like at first: a click may be meant for others. */
const LOOK_FOR_APPROVAL = `void (globalThis.firstSeen = new Promise((resolve) => {
  const notices = document.querySelector(".notices");
  const look = () => {
    const buttons = [...notices.querySelectorAll("button")];
    if (buttons.length > 0) {
      resolve(buttons.map(({ textContent, ariaDisabled }) => [textContent, ariaDisabled]));
    }
  };
  new MutationObserver(look).observe(notices, { childList: true, subtree: true });
}))`;

const REASON = `document.querySelector('.notices input[aria-label="Reason, optional"]')`;
const BUTTON_PRESS = 1 << 2;
const CANVAS = 'document.querySelector("canvas")';

/** The colour of a point of a canvas or a loaded picture. */
function pixelOf(source: string): string {
  return `((source) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1, 1];
    const context = canvas.getContext("2d");
    context.drawImage(source, 10, 10, 1, 1, 0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return red << 16 | green << 8 | blue;
  })(${source})`;
}

interface Shown {
  readonly names: readonly string[];
  readonly alts: readonly string[];
  readonly marks: readonly (readonly string[])[];
  readonly pixels: readonly [number, number];
}

/** Opens the newest click in the activity, once so many are listed and have ended. */
function openNewest(clicks: number): string {
  return `(() => {
    const rows = [...document.querySelectorAll(".activity .row")]
      .filter(({ textContent }) => textContent.includes("mouse.left-click"));
    if (rows.length !== ${clicks} || rows[0].querySelector(".done") === null) return false;
    if (rows[0].getAttribute("aria-expanded") === "false") rows[0].click();
    return true;
  })()`;
}

const SHOWN = `(() => {
  const images = [...document.querySelectorAll(".pair img")];
  if (images.length < 2 || images.some(({ complete }) => !complete)) return null;
  return {
    names: [...document.querySelectorAll(".pair figcaption")].map((each) => each.textContent),
    alts: images.map(({ alt }) => alt),
    marks: [...document.querySelectorAll(".pair .mark")]
      .map(({ style }) => [style.left, style.top]),
    pixels: images.map((image) => ${pixelOf("image")}),
  };
})()`;

/** Of colours, one of which went through a JPEG file. */
function isNear(one: number, other: number): boolean {
  return [16, 8, 0].every((shift) => Math.abs((one >> shift & 255) - (other >> shift & 255)) < 40);
}

/** Passes connections on to a port of this computer, whichever it is now. */
function startProxy(port: () => number): AsyncDisposable & { readonly address: string } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = (async () => {
    for await (const client of listener) {
      Deno.connect({ hostname: "127.0.0.1", port: port() }).then((target) => {
        client.readable.pipeTo(target.writable).catch(() => {});
        target.readable.pipeTo(client.writable).catch(() => {});
      }, () => client.close());
    }
  })();
  return {
    address: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
    },
  };
}

Deno.test({
  name: "with a token the page asks for it, and a link to watch shows the picture and nothing else",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const file = `${folder.path}/token`;
    const token = "a-token-0123456789";
    await Deno.writeTextFile(file, token, { mode: 0o600 });
    await using desk = await openConsoleDesk(["--token-file", file]);
    await waitFor(async () =>
      (await desk.evaluate<string>("document.body.textContent")).includes("Sign in")
    );
    const made = await fetch(`${desk.service.address}/api/control/link`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ expires_in_seconds: 60 }),
    });
    const { url_path, id } = await made.json();
    await desk.evaluate(`location.href = ${JSON.stringify(url_path)}`);
    await waitFor(async () =>
      (await desk.evaluate<string>("document.body.textContent")).includes("You are watching")
    );
    await waitFor(async () =>
      await desk.evaluate(CANVAS_HASH) === await hashOf(await imported(desk.display))
    );
    expect(
      await desk.evaluate(
        '[...document.querySelectorAll("button")].map((each) => each.textContent)',
      ),
    ).toEqual(["Original size", "Full screen"]);
    expect(
      await desk.evaluate(
        'fetch("api/display/screenshot").then(({ status }) => status)',
      ),
    ).toBe(403);
    const revoked = await fetch(`${desk.service.address}/api/control/revoke-link`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ id }),
    });
    await revoked.body?.cancel();
    await waitFor(async () =>
      (await desk.evaluate<string>("document.body.textContent")).includes("Sign in")
    );
  },
});
