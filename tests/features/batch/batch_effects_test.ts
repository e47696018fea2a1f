/** What programs see of a batch: its input in order, and nothing that stays pressed. */

import { expect } from "expect";
import { readImageHeader } from "../../../src/imaging/image_file.ts";
import { type RecordedDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";

const step = (operation: string, input: object = {}) => ({ operation, input });

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
function batch(desktop: RecordedDesktop, body: object): Promise<any> {
  return desktop.service.call("/api/batch", body);
}

function post(address: string, body: object, signal: AbortSignal): Promise<Response> {
  return fetch(`${address}/api/batch`, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function expectNothingPressed({ recorder: { x } }: RecordedDesktop): Promise<void> {
  expect(await x.keysDown()).toEqual([]);
  expect(await x.buttonsDown()).toBe(0);
}

Deno.test("a window gets the input of a batch in the order of its steps", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder } = desktop;
  const answer = await batch(desktop, {
    steps: [
      step("mouse.left-click", { x: 30, y: 40 }),
      step("keyboard.type", { text: "aé", typing_delay: 0 }),
      step("keyboard.hold", { key: "ctrl" }),
      step("mouse.scroll", { clicks: -1 }),
      step("keyboard.key", { key: "b" }),
      step("mouse.right-click", { x: 50, y: 60 }),
    ],
    then_screenshot: { max_width: 320 },
  });
  expect(answer.status).toBe("completed");
  await recorder.sync();
  const seen = recorder.events.filter(({ what }) => what !== "motion" && what !== "release")
    .map(({ what, detail, keysym }) => what === "press" ? keysym : `${what} ${detail}`);
  const control = 0xffe3;
  expect(seen).toEqual([
    ...["button down 1", "button up 1", 0x61, 0xe9, control],
    ...["button down 5", "button up 5", 0x62, "button down 3", "button up 3"],
  ]);
  const held = recorder.buttonEvents.filter(({ detail }) => detail !== 1);
  expect(held.every(({ state }) => (state & 4) !== 0)).toBe(true);
  expect(recorder.buttonEvents.at(-1)).toMatchObject({ x: 50, y: 60 });
  expect(recorder.events.at(-1)).toMatchObject({ what: "release", keysym: control });
  await expectNothingPressed(desktop);
});

Deno.test("the picture at the end of a batch has the size that was asked for", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "800x600" } });
  const [width, height] = [800, 600];
  const sizes: [object, number, number][] = [
    [{}, width, height],
    [{ max_width: width / 2 }, width / 2, height / 2],
    [{ x: 10, y: 20, width: 64, height: 32, format: "jpeg" }, 64, 32],
  ];
  for (const [then_screenshot, ...size] of sizes) {
    const { screenshot } = await batch(desktop, {
      steps: [step("mouse.position")],
      then_screenshot,
    });
    const header = readImageHeader(Uint8Array.fromBase64(screenshot.data))!;
    expect([header.width, header.height]).toEqual(size);
    expect([screenshot.width, screenshot.height]).toEqual(size);
  }
});

Deno.test("what a batch holds is released after a step that fails, and what others hold is not", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  await service.call("/api/keyboard/hold", { key: "alt" });
  const answer = await batch(desktop, {
    steps: [
      step("keyboard.hold", { key: "shift" }),
      step("keyboard.hold", { key: "alt" }),
      step("mouse.down", { x: 5, y: 5 }),
      step("display.locate", { image_path: "/nonexistent.png" }),
      step("keyboard.type", { text: "never" }),
    ],
  });
  expect(answer.results.map(({ status }: { status: string }) => status))
    .toEqual(["done", "done", "done", "failed", "not_run"]);
  expect(answer.results[3].error).toMatchObject({ code: "not_found", status: 404 });
  expect((await recorder.x.keysDown()).length).toBe(1);
  expect(await recorder.x.buttonsDown()).toBe(0);
  expect(await service.call("/api/keyboard/held")).toEqual(["alt"]);
  await service.call("/api/keyboard/release", { key: "alt" });
  await recorder.sync();
  expect(recorder.text).toBe("");
  await expectNothingPressed(desktop);
});

Deno.test("a client that leaves stops the batch while it types, and everything is released", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const client = new AbortController();
  const steps = [
    step("keyboard.hold", { key: "ctrl" }),
    step("mouse.down"),
    step("keyboard.type", { text: "abc".repeat(1_000), typing_delay: 500 }), // 25 minutes
    step("keyboard.type", { text: "second" }),
  ];
  const gone = expect(post(service.listen(), { steps }, client.signal)).rejects.toThrow();
  await waitFor(() => recorder.text.length > 1, { what: "the text to begin" });
  client.abort();
  await gone;
  await waitFor(
    async () => (await recorder.x.keysDown()).length === 0 && await recorder.x.buttonsDown() === 0,
    {
      what: "the release",
    },
  );
  await service.call("/api/keyboard/key", { key: "Q" }); // its turn comes when the text has ended
  await recorder.sync();
  expect(recorder.text).toMatch(/^[abc]+Q$/);
  await expectNothingPressed(desktop);
});

const waits = [
  step("display.wait", { until: "change", timeout_ms: 60_000 }),
  step("bash.command", { command: "sleep 60", timeout: 60 }),
];
for (const wait of waits) {
  Deno.test(`a client that leaves during ${wait.operation} has what its batch holds released`, async () => {
    await using desktop = await startRecordedDesktop();
    const { recorder, service } = desktop;
    const steps = [
      step("keyboard.hold", { key: "shift" }),
      wait,
      step("keyboard.key", { key: "a" }),
    ];
    const client = new AbortController();
    const gone = expect(post(service.listen(), { steps }, client.signal)).rejects.toThrow();
    await waitFor(async () => (await recorder.x.keysDown()).length > 0, { what: "the key" });
    client.abort();
    await gone;
    await waitFor(async () => (await recorder.x.keysDown()).length === 0, { what: "the release" });
    await service.call("/api/keyboard/key", { key: "z" });
    await recorder.sync();
    expect(recorder.text).toBe("z");
  });
}

Deno.test("release-all ends a batch, also while it waits, and the batch says so", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const answer = batch(desktop, {
    steps: [
      step("keyboard.hold", { key: "shift" }),
      step("display.wait", { until: "change", timeout_ms: 60_000 }),
      step("keyboard.type", { text: "never" }),
    ],
  });
  await waitFor(async () => (await recorder.x.keysDown()).length > 0, { what: "the key" });
  await service.call("/api/system/release-all", {});
  expect(await answer).toMatchObject({
    status: "failed",
    results: [
      { status: "done" },
      { status: "failed", error: { code: "conflict", status: 409 } },
      { status: "not_run" },
    ],
  });
  await recorder.sync();
  expect(recorder.text).toBe("");
  await expectNothingPressed(desktop);
});

Deno.test("release-all as a step releases, and the batch goes on", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder } = desktop;
  const answer = await batch(desktop, {
    steps: [
      step("keyboard.hold", { key: "ctrl" }),
      step("system.release-all"),
      step("keyboard.key", { key: "a" }),
    ],
  });
  expect(answer.status).toBe("completed");
  await recorder.sync();
  expect(recorder.strokes).toBe("+Control_L -Control_L +a -a");
});

Deno.test("a wait in a batch sees what the step before it has brought about", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder } = desktop;
  const answer = batch(desktop, {
    steps: [
      step("mouse.left-click", { x: 9, y: 9 }),
      step("display.wait", { until: "change", timeout_ms: 60_000 }),
      step("keyboard.key", { key: "w" }),
    ],
  });
  await waitFor(() => recorder.buttonEvents.length === 2, { what: "the click" });
  expect(recorder.text).toBe("");
  let answered = false;
  answer.finally(() => answered = true);
  for (let pixel = 1; !answered; pixel += 0x111111) {
    await recorder.x.openWindow({ width: 50, height: 50, pixel }); // the wait may begin later
  }
  const { results } = await answer;
  expect(results[1].value.status).toBe("changed");
});

Deno.test("a stored value is taken out of what a step of a batch answers", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const item = { password: "correct-horse-battery" };
  await service.call("/api/keychain/set-item", { service: "shop", item });
  const answer = await batch(desktop, {
    steps: [
      step("keyboard.type", { secret: { service: "shop", field: "password" }, typing_delay: 0 }),
      step("bash.command", {
        command: 'echo "it is $WORD"',
        env_secrets: { WORD: { service: "shop", field: "password" } },
      }),
    ],
  });
  expect(answer).toMatchObject({
    status: "completed",
    results: [{ value: null }, { value: { exit_code: 0 } }],
  });
  expect(answer.results[1].value.output).toMatch(/^it is .*redacted.*\n$/i);
  expect(JSON.stringify(answer)).not.toContain(item.password);
  await recorder.sync();
  expect(recorder.text).toBe(item.password);
});
