/** Clients on a real socket: one that goes away stops its operation, one that was answered does not. */

import { expect } from "expect";
import { startRecordedDesktop } from "../support/desktop.ts";
import { startCommand } from "../support/command.ts";
import { waitFor } from "../support/wait.ts";
import { DisplaySessions } from "../../src/features/input/display_sessions.ts";

/** A body of one packet, and one that takes several. */
const TEXTS = { short: "Abc é漢 ".repeat(20), long: "Abc é漢 ".repeat(5_000) };

function post(address: string, path: string, body: unknown, signal: AbortSignal | null = null) {
  return fetch(address + path, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

for (const [length, text] of Object.entries(TEXTS)) {
  Deno.test(`a client that goes away stops its ${length} text, and no key stays down`, async () => {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    const address = service.listen();
    const client = new AbortController();
    const body = { text, typing_delay: length === "short" ? 20 : 0 };
    const gone = expect(post(address, "/api/keyboard/type", body, client.signal)).rejects.toThrow();
    await waitFor(() => recorder.presses.length > 3, { what: "the text to begin" });
    client.abort();
    await gone;
    await service.call("/api/keyboard/key", { key: "Q" }); // its turn comes when the text has ended
    await recorder.sync();
    expect(recorder.text.endsWith("Q")).toBe(true);
    expect(recorder.text.length).toBeLessThan(text.length);
    expect(await recorder.x.keysDown()).toEqual([]);
  });
}

Deno.test("a client that goes away while it waits is left out", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const address = service.listen();
  const { inputLock: turn } = await service.session.use(DisplaySessions).open(1);
  const first = new AbortController();
  const endless = service.send(
    "/api/keyboard/key",
    { key: "s", duration_ms: 60_000 },
    first.signal,
  );
  await waitFor(() => recorder.presses.length > 0, { what: "the key that is held" });
  const client = new AbortController();
  const waiting = post(address, "/api/keyboard/key", { key: "Q" }, client.signal);
  await waitFor(() => turn.waiting === 1, { what: "the request to wait for its turn" });
  client.abort();
  await expect(waiting).rejects.toThrow();
  await waitFor(() => turn.waiting === 0, { what: "it to be left out" });
  first.abort();
  await (await endless).body?.cancel();
  await service.type(".");
  await recorder.sync();
  expect(recorder.text).toBe("s.");
});

Deno.test("a client that goes away releases the key and the button that its request pressed", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const address = service.listen();
  const { x } = recorder;
  const table: [string, Record<string, unknown>, string][] = [
    ["/api/keyboard/key", { key: "ctrl+shift+漢", duration_ms: 60_000 }, "press"],
    ["/api/mouse/drag", { x: 300, y: 200, duration_ms: 60_000 }, "button down"],
  ];
  for (const [path, body, begun] of table) {
    const client = new AbortController();
    const gone = expect(post(address, path, body, client.signal)).rejects.toThrow();
    await waitFor(() => recorder.events.some(({ what }) => what === begun), { what: "its begin" });
    client.abort();
    await gone;
    await waitFor(async () => (await x.keysDown()).length === 0 && await x.buttonsDown() === 0, {
      what: "the release",
    });
  }
});

Deno.test("hold and down outlive their request and its connection", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const { x } = recorder;
  const address = service.listen();
  for (let round = 0; round < 3; round++) {
    const client = new AbortController();
    const hold = await post(address, "/api/keyboard/hold", { key: "ctrl" }, client.signal);
    expect(await hold.json()).toBe(null);
    const down = await post(address, "/api/mouse/down", {}, client.signal);
    expect(down.status).toBe(204);
    await down.body?.cancel();
    client.abort();
    await post(address, "/api/mouse/move", { x: 5, y: 5 }).then((answer) => answer.body?.cancel());
    expect((await x.keysDown()).length).toBe(1);
    expect(await x.buttonsDown()).not.toBe(0);
    await service.call("/api/keyboard/release", { key: "ctrl" });
    await service.call("/api/mouse/up", {});
    expect(await x.keysDown()).toEqual([]);
    expect(await x.buttonsDown()).toBe(0);
  }
});

Deno.test("the program keeps a key down after its answer, and releases it when it is stopped", async () => {
  await using desktop = await startRecordedDesktop();
  const { x } = desktop.recorder;
  const program = await startCommand(["--display", `1=${desktop.display}`]);
  const answer = await program.post("/api/keyboard/hold", { key: "shift" });
  expect(await answer.json()).toBe(null);
  const text = program.post("/api/keyboard/type", { text: "plain" });
  expect(await (await text).json()).toBe(null);
  expect((await x.keysDown()).length).toBe(1);
  await program[Symbol.asyncDispose]();
  expect(await x.keysDown()).toEqual([]);
  await desktop.recorder.sync();
  expect(desktop.recorder.text).toBe("plain");
});
