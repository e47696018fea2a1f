/** The TypeScript client, against the service on a real display. */

import { expect } from "expect";
import {
  ComputerControl,
  ComputerControlError,
  toDataUrl,
} from "../../client/typescript/src/mod.ts";
import { startCommand } from "../support/command.ts";
import { startDesktop, startRecordedDesktop } from "../support/desktop.ts";
import { testFolder } from "../support/folder.ts";
import { openPainter } from "../support/painter.ts";
import { decodePng } from "../support/png.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the recording window is one of X11");

Deno.test({
  name: "ComputerControl clicks and types where a window records it",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const computer = new ComputerControl({ url: desktop.service.listen() });
    await computer.mouse.leftClick({ x: 40, y: 30, modifiers: ["ctrl"] });
    await computer.keyboard.type({ text: "Grüße" });
    await desktop.recorder.sync();
    expect(desktop.recorder.buttonEvents.map(({ what, x, y }) => [what, x, y]))
      .toEqual([["button down", 40, 30], ["button up", 40, 30]]);
    expect(desktop.recorder.text).toContain("Grüße");
    expect(await computer.mouse.position()).toEqual({ x: 40, y: 30 });
  },
});

Deno.test({
  name: "ComputerControl clicks once by a key, however often the call is sent",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const computer = new ComputerControl({ url: desktop.service.listen() });
    const call = () => computer.mouse.leftClick({ x: 40, y: 30 }, { idempotencyKey: "k" });
    for (let times = 0; times < 3; times++) await call();
    await desktop.recorder.sync();
    expect(desktop.recorder.buttonEvents.map(({ what }) => what))
      .toEqual(["button down", "button up"]);
  },
});

Deno.test({
  name: "ComputerControl gives pictures as bytes, and their frame leads clicks to the screen",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const computer = new ComputerControl({ url: desktop.service.listen() });
    const { width, height } = await computer.display.screenSize();
    const picture = await computer.display.screenshot({ max_width: width / 2 });
    const { width: w, height: h } = decodePng(picture.bytes);
    expect([w, h, picture.scale, picture.mediaType, picture.displayNum])
      .toEqual([width / 2, height / 2, 0.5, "image/png", 1]);
    expect(toDataUrl(picture)).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    await computer.mouse.leftClick({ x: 100, y: 50, frame: picture.frame });
    await desktop.recorder.sync();
    expect(await computer.mouse.position()).toEqual({ x: 201, y: 101 });
    const since = { since: picture.frame };
    expect(await computer.display.screenshot(since)).toBeUndefined(); // nothing has changed
    using painter = await openPainter(desktop.display);
    await painter.paint([20, 10, 40, 60], 0xff0000);
    const part = await computer.display.screenshot(since);
    expect(part?.changes).toEqual([part?.region]);
    expect((decodePng(part!.bytes)).width).toBe(part!.region![2]);
  },
});

Deno.test({
  name: "ComputerControl throws errors with a code, the errors and the request's number",
  ignore,
  async fn() {
    await using desktop = await startDesktop();
    const computer = new ComputerControl({ url: desktop.service.listen() });
    const off = await failure(computer.mouse.leftClick({ x: 99_999, y: 1 }));
    expect([off.code, off.status, off.errors[0]?.loc]).toEqual(["invalid", 422, ["body", "x"]]);
    expect(off.message).toMatch(/^body\.x: /);
    expect(off.requestId).toMatch(/./);
    const missing = await failure(computer.filesystem.info({ path: "/no such/é%/file" }));
    expect([missing.code, missing.message]).toEqual([
      "not_found",
      expect.stringContaining("/no such/é%/file"),
    ]);
    const nobody = new ComputerControl({ url: "http://127.0.0.1:9" });
    expect(await failure(nobody.system.info())).toMatchObject({ code: "unreachable", status: 0 });
  },
});

Deno.test({
  name: "ComputerControl stops what the service does when its signal is aborted",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    const computer = new ComputerControl({ url: desktop.service.listen() });
    const ending = new AbortController();
    const text = "a".repeat(2_000);
    const typing = computer.keyboard.type({ text, typing_delay: 20, typing_group_size: 1 }, ending);
    const reason = new Error("enough");
    await waitFor(() => desktop.recorder.text.length > 3, { what: "the first letters" });
    ending.abort(reason);
    await expect(typing).rejects.toBe(reason);
    // it has a turn only when the typing has ended
    await computer.keyboard.type({ text: "z" });
    await waitFor(() => desktop.recorder.text.endsWith("z"), {
      what: "the next operation's letter",
    });
    expect(desktop.recorder.text.length).toBeLessThan(1_000);
    expect(await computer.keyboard.held()).toEqual([]);
  },
});

Deno.test({
  name: "ComputerControl sends the token and the computer's name",
  ignore,
  fn: namedService,
});

async function namedService(): Promise<void> {
  await using folder = await testFolder();
  const tokenFile = `${folder.path}/token`;
  await Deno.writeTextFile(tokenFile, "s3cret-token-of-this-test\n", { mode: 0o600 });
  await using service = await startCommand([
    ...["--no-setup", "--name", "desk-1", "--token-file", tokenFile],
  ]);
  const url = `${service.address}/desk-1/`;
  const token = "s3cret-token-of-this-test";
  const computer = new ComputerControl({ url, token });
  expect((await computer.system.info()).name).toBe("desk-1");
  const { process_id: pid } = await computer.bash.command({ command: "cat", timeout: 0 });
  await computer.bash.terminateProcess({ pid: pid! });
  expect((await computer.bash.getProcessOutput({ pid: pid! })).status).toBe("completed");
  const stranger = await failure(new ComputerControl({ url }).system.info());
  expect(stranger.code).toBe("unauthorized");
  const other = new ComputerControl({ url: `${service.address}/desk-2`, token });
  expect((await failure(other.system.info())).message).toMatch(/This computer is "desk-1"/);
}

async function failure(call: Promise<unknown>): Promise<ComputerControlError> {
  const error = await call.then(() => undefined, (error: unknown) => error);
  expect(error).toBeInstanceOf(ComputerControlError);
  return error as ComputerControlError;
}
