/** What the tools do to a real display, real files and real commands. */

import { expect } from "expect";
import { decodePng } from "../support/png.ts";
import { type RecordedDesktop, startRecordedDesktop } from "../support/desktop.ts";
import { testFolder } from "../support/folder.ts";
import { callTool, toolText } from "../support/mcp.ts";
import { unless } from "../support/test_if.ts";

const onLinux = { ignore: unless(Deno.build.os === "linux", "it needs an X server") };

function deskTest(
  name: string,
  size: string,
  fn: (desktop: RecordedDesktop) => Promise<void>,
): void {
  Deno.test({
    name,
    ...onLinux,
    async fn() {
      await using desktop = await startRecordedDesktop({ server: { size } });
      await fn(desktop);
    },
  });
}

deskTest(
  "clicks arrive at the coordinates, with modifiers and counts",
  "1280x800",
  async (desktop) => {
    const { recorder, service: { fetch } } = desktop;
    expect(await toolText(fetch, "left_click", { coordinate: [300, 200] })).toBe("Clicked.");
    await recorder.sync();
    const [down, up] = recorder.buttonEvents;
    expect([down!.what, down!.detail, down!.x, down!.y]).toEqual(["button down", 1, 300, 200]);
    expect(up!.what).toBe("button up");
    recorder.clear();
    await callTool(fetch, "right_click", { coordinate: [10, 20], text: "ctrl+shift" });
    await recorder.sync();
    expect(recorder.strokes).toBe("+Control_L +Shift_L -Shift_L -Control_L");
    expect(recorder.buttonEvents.map(({ detail }) => detail)).toEqual([3, 3]);
    recorder.clear();
    await callTool(fetch, "triple_click", { coordinate: [10, 20] });
    await recorder.sync();
    expect(recorder.buttonEvents.length).toBe(6);
  },
);

deskTest("drag, scroll, hold and release", "1280x800", async ({ recorder, service }) => {
  const { fetch } = service;
  const drag = { start_coordinate: [100, 100], coordinate: [200, 150] };
  expect(await toolText(fetch, "left_click_drag", drag)).toBe("Dragged.");
  await recorder.sync();
  const [down, up] = recorder.buttonEvents;
  expect([down!.x, down!.y, up!.x, up!.y]).toEqual([100, 100, 200, 150]);
  recorder.clear();
  const scroll = { coordinate: [50, 60], scroll_direction: "down", scroll_amount: "2" };
  expect(await toolText(fetch, "scroll", scroll)).toBe("Scrolled.");
  await recorder.sync();
  expect(recorder.buttonEvents.map(({ detail }) => detail)).toEqual([5, 5, 5, 5]);
  recorder.clear();
  await callTool(fetch, "left_mouse_down");
  await callTool(fetch, "mouse_move", { coordinate: [70, 80] });
  await callTool(fetch, "left_mouse_up");
  await recorder.sync();
  expect(recorder.buttonEvents.map(({ x, y }) => [x, y])).toEqual([[50, 60], [70, 80]]);
});

deskTest(
  "keys: a text, combinations one after the other, a held key",
  "1280x800",
  async (desktop) => {
    const { recorder, service: { fetch } } = desktop;
    expect(await toolText(fetch, "type", { text: "Grüße, 漢\n" })).toBe("Typed.");
    await recorder.sync();
    expect(recorder.text).toBe("Grüße, 漢\n");
    recorder.clear();
    expect(await toolText(fetch, "key", { text: "ctrl+a Down", repeat: 2 })).toBe("Pressed.");
    await recorder.sync();
    const once = "+Control_L +a -a -Control_L +Down -Down";
    expect(recorder.strokes).toBe(`${once} ${once}`);
    recorder.clear();
    await callTool(fetch, "key", { text: "Tab", repeat: "3" });
    await recorder.sync();
    expect(recorder.strokes).toBe("+Tab -Tab +Tab -Tab +Tab -Tab");
    recorder.clear();
    await callTool(fetch, "hold_key", { text: "w", duration: 0.3 });
    await recorder.sync();
    const times = recorder.keyEvents.map(({ time }) => time);
    expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(290);
  },
);

/** Screen, and the picture that every model takes as it is. */
const SIZES = [
  ["1280x800", [1280, 800]],
  ["1920x1080", [1456, 819]],
  ["1080x1920", [819, 1456]],
  ["3840x2160", [1456, 819]],
] as const;

for (const [screen, size] of SIZES) {
  deskTest(
    `a click lands where the screenshot of ${screen} shows it`,
    `${screen}`,
    async (desktop) => {
      const { recorder, service: { fetch } } = desktop;
      const { content } = await callTool(fetch, "screenshot");
      const picture = decodePng(Uint8Array.fromBase64(content[0].data));
      expect([content[0].mimeType, picture.width, picture.height]).toEqual(["image/png", ...size]);
      const [screenWidth, screenHeight] = screen.split("x").map(Number) as [number, number];
      const points = [[0, 0], [333, 222], [size[0] - 1, size[1] - 1]];
      for (const [x, y] of points as [number, number][]) {
        recorder.clear();
        await callTool(fetch, "left_click", { coordinate: [x, y] });
        await recorder.sync();
        const at = recorder.buttonEvents[0]!;
        expect(Math.abs(at.x - (x + 0.5) * screenWidth / size[0])).toBeLessThanOrEqual(1);
        expect(Math.abs(at.y - (y + 0.5) * screenHeight / size[1])).toBeLessThanOrEqual(1);
        const { structuredContent } = await callTool(fetch, "cursor_position");
        expect(structuredContent).toEqual({ x, y });
      }
    },
  );
}

deskTest("zoom shows a part in the screen's own pixels", "3840x2160", async ({ service }) => {
  const { content } = await callTool(service.fetch, "zoom", { region: [100, 100, 300, 200] });
  const { width, height } = decodePng(Uint8Array.fromBase64(content[0].data));
  const scale = 3840 / 1456;
  expect(Math.abs(width - 200 * scale)).toBeLessThanOrEqual(2);
  expect(Math.abs(height - 100 * scale)).toBeLessThanOrEqual(2);
});

deskTest("wait ends when the screen changes", "640x480", async ({ recorder, service }) => {
  const { fetch } = service;
  const changed = toolText(fetch, "wait", { duration: 60, until: "change" });
  let isDone = false;
  changed.finally(() => isDone = true);
  for (let at = 1; !isDone; at++) {
    await recorder.x.openWindow({ width: 10 + at % 100, height: 10, pixel: 0xff00 });
  }
  expect(await changed).toMatch(/^The screen has changed \(\d+ ms\)\.$/);
  expect(await toolText(fetch, "wait", { duration: 0.05 })).toBe("Waited 0.05 s.");
});

deskTest("bash runs commands and reads on in the background", "640x480", async ({ service }) => {
  const { fetch } = service;
  await using folder = await testFolder();
  const made = await callTool(fetch, "bash", { command: "touch made; pwd", cwd: folder.path });
  expect(made.structuredContent).toMatchObject({ exit_code: 0, status: "completed" });
  expect(made.content[0].text).toBe(await Deno.realPath(folder.path));
  expect((await Deno.stat(`${folder.path}/made`)).isFile).toBe(true);
  expect(await toolText(fetch, "bash", { command: "false" })).toBe("[exit code 1]");
  const command = "echo one; read line < fifo; echo $line";
  await toolText(fetch, "bash", { command: "mkfifo fifo", cwd: folder.path });
  const going = await callTool(fetch, "bash", { command, timeout: 3, cwd: folder.path });
  const { process_id } = going.structuredContent;
  expect(going.content[0].text).toBe(`one\n[still running as process ${process_id}]`);
  await toolText(fetch, "bash", { command: "echo two > fifo", cwd: folder.path });
  const rest = await callTool(fetch, "bash_output", { process_id, wait_seconds: 20 });
  expect(rest.structuredContent.output).toContain("two");
  const long = await callTool(fetch, "bash", { command: "yes | head -c 300000" });
  expect(long.content[0].text).toMatch(/characters omitted/);
  expect(long.content[0].text.length).toBeLessThan(70_000);
  expect(long.structuredContent.truncated).toBe(true);
  const slightlyLong = await callTool(fetch, "bash", { command: "yes | head -c 60002" });
  expect(slightlyLong.structuredContent.truncated).toBe(true);
});

deskTest("the edit tool creates, views, replaces once and inserts", "640x480", async (desktop) => {
  const { fetch } = desktop.service;
  await using folder = await testFolder();
  const path = `${folder.path}/a/b.txt`;
  const edit = (command: string, more: Record<string, unknown> = {}) =>
    callTool(fetch, "str_replace_based_edit_tool", { command, path, ...more });
  const file_text = "one\ntwo\nthree\ntwo\n";
  expect((await edit("create", { file_text })).content[0].text)
    .toBe(`File created successfully at: ${path}`);
  expect(await Deno.readTextFile(path)).toBe(file_text);
  const again = await edit("create", { file_text });
  expect([again.isError, again.content[0].text]).toEqual([true, expect.stringMatching(/exists/)]);
  const viewed = await edit("view", { view_range: [2, 3] });
  expect(viewed.content[0].text).toBe(
    `Here's the content of ${path} with line numbers:\n     2\ttwo\n     3\tthree`,
  );
  const several = await edit("str_replace", { old_str: "two", new_str: "2" });
  expect([several.isError, several.content[0].text]).toEqual([
    true,
    "No replacement was performed. Multiple occurrences of old_str in lines: 2, 4. Please ensure it is unique",
  ]);
  expect(await Deno.readTextFile(path)).toBe(file_text);
  const missing = await edit("str_replace", { old_str: "four", new_str: "4" });
  expect(missing.isError).toBe(true);
  const done = await edit("str_replace", { old_str: "three\ntwo", new_str: "3" });
  expect(done.content[0].text).toBe(
    `The file ${path} has been edited. ` +
      "Here is the snippet showing the change (with line numbers):\n" +
      "     1\tone\n     2\ttwo\n     3\t3",
  );
  const unnamed = await edit("insert", { insert_line: 1 });
  expect([unnamed.isError, unnamed.content[0].text]).toEqual([true, "insert_text: Field required"]);
  await edit("insert", { insert_line: 0, insert_text: "zero" });
  await edit("insert", { insert_line: "4", insert_text: "last" });
  expect(await Deno.readTextFile(path)).toBe("zero\none\ntwo\n3\nlast\n");
  const listed = await edit("view", { path: folder.path });
  expect(listed.content[0].text).toContain(`\n20B\t${path}`);
  await Deno.writeTextFile(path, "line\n".repeat(200_000));
  const large = await edit("view");
  expect(large.content[0].text).toMatch(/the file goes on: view_range \[5001, -1\]/);
});
