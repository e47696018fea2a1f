/** Mouse, keyboard and screen of the service on Windows, asked for from this system and checked with its own programs. */

import { expect } from "expect";
import { run } from "../support/desktop.ts";
import { lineReader } from "../support/lines.ts";
import { difference, imported } from "../support/pictures.ts";
import { decodePng } from "../support/png.ts";
import { waitFor } from "../support/wait.ts";
import { openWine, type Wine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";

const TEXT = "é 漢字 😀, Grüße!";

wineTest("the service on Windows moves, sees, types and fills in", async () => {
  await using wine = await openWine(["main.ts"], { drivers: ["credentials"] });
  await using service = await startWineService(wine);
  await using edit = await openEdit(wine);

  const size = await service.call("/api/display/screen_size");
  expect(size).toEqual({ width: 1280, height: 1024 });
  for (const point of [{ x: 17, y: 23 }, { x: 1279, y: 1023 }, { x: 640, y: 512 }]) {
    await service.call("/api/mouse/move", point);
    await waitFor(async () => {
      const told = await run("xdotool", ["getmouselocation"], { DISPLAY: wine.display });
      return new TextDecoder().decode(told).startsWith(`x:${point.x} y:${point.y} `);
    }, { what: `the pointer at ${point.x},${point.y}` });
    await waitFor(async () => {
      const { x, y } = await service.call("/api/mouse/position");
      return x === point.x && y === point.y;
    }, { what: "the position" });
  }
  expect(await service.refused(422, "/api/mouse/left-click", { x: 1280, y: 0 })).toContain("1280");

  await service.call("/api/keyboard/type", { text: TEXT, typing_delay: 0 });
  await edit.holds(TEXT);
  await service.call("/api/keyboard/hotkey", { keys: ["ctrl", "a"] });
  const password = "p4ß 漢";
  await service.call("/api/keychain/set-item", { service: "Shop", item: { password } });
  const coordinates = { x: 300, y: 300 };
  const filled = await service.call("/api/keychain/authenticate", {
    service: "Shop",
    authElements: [{ type: "password", coordinates }],
    clear: true,
  });
  expect(filled).toBe(true);
  await edit.holds(password);

  // the text cursor of the window may blink between the two pictures
  const seen = await waitFor(async () => {
    const picture = await imported(wine.display);
    const response = await service.send("/api/display/screenshot");
    const { rgb } = decodePng(new Uint8Array(await response.arrayBuffer()));
    return difference(rgb, picture) === 0 && picture;
  }, { what: "the same picture as that of import" });
  for (const [x, y] of [[0, 0], [300, 112], [650, 450], [1279, 1023]] as const) {
    const at = (y * size.width + x) * 3;
    const color = await service.call("/api/display/pixel_color", { x, y });
    expect(color).toEqual([...seen.subarray(at, at + 3)]);
  }
  expect((await service.stop()).code).toBe(0);
});

wineTest(
  "the service on Windows ends a drag of a client that left, and lets nothing down at its end",
  async () => {
    await using wine = await openWine(["main.ts"], { drivers: ["connections"] });
    await using service = await startWineService(wine, { args: ["--ignore-unknown-fields"] });
    await service.call("/api/mouse/move", { x: 100, y: 100 });
    // a request in several pieces, of whose end the HTTP server does not tell
    const body = { x: 1_000, y: 100, duration_ms: 300_000, ignored: "x".repeat(60_000) };
    const client = new Deno.Command("curl", {
      args: [
        ...["-s", "-H", "Content-Type: application/json", "-H", "Expect:"],
        ...["-d", JSON.stringify(body), `${service.address}/api/mouse/drag`],
      ],
      stdout: "null",
      stderr: "null",
    }).spawn();
    await waitFor(async () => (await service.call("/api/mouse/position")).x > 100, {
      what: "a drag",
    });
    client.kill("SIGKILL");
    await client.status;
    const signal = AbortSignal.timeout(120_000);
    const held = await service.send("/api/keyboard/hold", { key: "shift" }, { signal });
    expect([held.status, await held.json()]).toEqual([200, null]); // the drag has given up its turn
    await service.call("/api/mouse/down", { button: "right" });
    expect(await keysDown(wine)).toEqual([VK_RBUTTON, VK_LSHIFT]);
    expect((await service.stop()).code).toBe(0);
    expect(await keysDown(wine)).toEqual([]);
  },
);

const VK_LBUTTON = 0x01;
const VK_RBUTTON = 0x02;
const VK_LSHIFT = 0xa0;

/** Which of some virtual keys are down, as another program on that Windows sees it. */
async function keysDown(wine: Wine): Promise<readonly number[]> {
  const script = `
    const GetAsyncKeyState = { parameters: ["i32"], result: "i16" };
    const { symbols } = Deno.dlopen("user32.dll", { GetAsyncKeyState });
    const keys = [${VK_LBUTTON}, ${VK_RBUTTON}, ${VK_LSHIFT}];
    console.log(JSON.stringify(keys.filter((vk) => symbols.GetAsyncKeyState(vk) < 0)));
    Deno.exit();`;
  const { stdout } = await wine.deno(["eval", script]).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

interface Edit extends AsyncDisposable {
  /** Resolves when the window holds exactly this text. */
  holds(text: string): Promise<void>;
}

/** A window of another program on that Windows, with the focus. */
async function openEdit(wine: Wine): Promise<Edit> {
  const script = "tests/support/windows/edit_window.ts";
  const place = ["100", "100", "600", "400"];
  const child = wine.deno(["run", "-A", "--no-check", "--no-config", "--no-lock", script, ...place])
    .spawn();
  const [lines, errors] = [lineReader(child.stdout), lineReader(child.stderr)];
  await lines.until(/"ready"/);
  let text = "";
  const reading = (async () => {
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      const value: { readonly text?: string } = JSON.parse(line);
      text = value.text ?? text;
    }
  })();
  return {
    async holds(wanted) {
      await waitFor(() => text === wanted, { what: JSON.stringify(wanted) })
        .catch(() => expect(text).toBe(wanted));
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await Promise.all([lines.cancel(), errors.cancel(), reading]);
    },
  };
}
