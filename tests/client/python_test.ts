/** The Python client, against the service on a real display. */

import { expect } from "expect";
import { type RecordedDesktop, startRecordedDesktop } from "../support/desktop.ts";
import { testFolder } from "../support/folder.ts";
import { runPython } from "../support/python_client.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const PYTHON = "/usr/bin/python3"; // with its module httpx
const ignore = unless(Deno.build.os === "linux", "the recording window is one of X11");

const scripts: {
  name: string;
  code: string;
  check(desktop: RecordedDesktop, printed: unknown): void;
}[] = [
  {
    name: "clicks and types where a window records it",
    code: `
with ComputerControl(url) as computer:
    computer.mouse.left_click(x=40, y=30, modifiers=["ctrl"])
    computer.keyboard.type("Grüße")
    computer.mouse.drag(90, 80, from_={"x": 50, "y": 40})
    print(json.dumps(computer.mouse.position()))`,
    check({ recorder }, printed) {
      expect(printed).toEqual({ x: 90, y: 80 });
      expect(recorder.text).toContain("Grüße");
      expect(recorder.buttonEvents.map(({ what, x, y }) => [what, x, y])).toEqual([
        ...[["button down", 40, 30], ["button up", 40, 30]],
        ...[["button down", 50, 40], ["button up", 90, 80]],
      ]);
    },
  },
  {
    name: "clicks once by a key, however often the call is sent",
    code: `
with ComputerControl(url) as computer:
    for _ in range(3):
        with idempotency_key("k"):
            computer.mouse.left_click(x=40, y=30)
    computer.keyboard.type("z")
async def again():
    async with AsyncComputerControl(url) as computer:
        with idempotency_key("k"):
            return await computer.mouse.left_click(x=40, y=30)
print(json.dumps(asyncio.run(again())))`,
    check({ recorder }) {
      expect(recorder.buttonEvents.map(({ what }) => what)).toEqual(["button down", "button up"]);
    },
  },
  {
    name: "gives pictures as bytes, and their frame leads clicks to the screen",
    code: `
with ComputerControl(url) as computer:
    size = computer.display.screen_size()
    picture = computer.display.screenshot(max_width=size["width"] // 2)
    width, height = struct.unpack(">II", picture.data[16:24])
    computer.mouse.left_click(x=100, y=50, frame=picture.frame)
    nothing = computer.display.screenshot(since=picture.frame)
    print(json.dumps([width / size["width"], height / size["height"], picture.scale,
        picture.media_type, picture.to_data_url()[:22], computer.mouse.position(), nothing]))`,
    check(_desk, printed) {
      expect(printed).toEqual([
        ...[0.5, 0.5, 0.5, "image/png", "data:image/png;base64,", { x: 201, y: 101 }, null],
      ]);
    },
  },
  {
    name: "raises errors with a code, the errors and the request's number",
    code: `
found = []
with ComputerControl(url) as computer, ComputerControl("http://127.0.0.1:9") as nobody:
    for call in (lambda: computer.mouse.left_click(x=99999, y=1),
                 lambda: computer.filesystem.info("/no such/é%/file"),
                 lambda: nobody.system.info()):
        try:
            call()
        except ComputerControlError as error:
            found.append([error.code, error.status, str(error), error.errors[:1], error.request_id])
print(json.dumps(found))`,
    check(_desk, printed) {
      const error = { loc: ["body", "x"] };
      expect(printed).toMatchObject([
        ["invalid", 422, expect.stringMatching(/^body\.x: /), [error], expect.any(String)],
        ["not_found", 404, expect.stringContaining("/no such/é%/file"), [], expect.any(String)],
        ["unreachable", 0, expect.stringContaining("127.0.0.1:9"), [], null],
      ]);
    },
  },
];

for (const { name, code, check } of scripts) {
  Deno.test({
    name: `the Python client ${name}`,
    ignore,
    async fn() {
      await using desktop = await startRecordedDesktop();
      const printed = await runClient(code, desktop.service.listen());
      await desktop.recorder.sync();
      check(desktop, printed);
    },
  });
}

const CANCELLED = `
async def main():
    async with AsyncComputerControl(url) as computer:
        text = "a" * 2000
        typing = asyncio.create_task(
            computer.keyboard.type(text, typing_delay=20, typing_group_size=1))
        await computer.bash.command("while ! [ -e " + sys.argv[2] + " ]; do sleep 0.01; done")
        typing.cancel()
        try:
            await typing
        except asyncio.CancelledError:
            await computer.keyboard.type("z")
            print(json.dumps(await computer.keyboard.held()))
asyncio.run(main())`;

Deno.test({
  name: "a cancelled task of the Python client stops what the service does",
  ignore,
  async fn() {
    await using desktop = await startRecordedDesktop();
    await using folder = await testFolder();
    const sign = `${folder.path}/typed`;
    const typed = async () => {
      await waitFor(() => desktop.recorder.text.length > 3, { what: "the first letters" });
      await Deno.writeTextFile(sign, "");
    };
    const [held] = await Promise.all([
      runClient(CANCELLED, desktop.service.listen(), sign),
      typed(),
    ]);
    expect(held).toEqual([]);
    await waitFor(() => desktop.recorder.text.endsWith("z"), { what: "the last letter" });
    expect(desktop.recorder.text.length).toBeLessThan(1_000);
  },
});

/** Runs a script that has the client, `url` and some modules, and gives the JSON that it prints. */
async function runClient(code: string, ...args: readonly string[]): Promise<unknown> {
  const head = "import asyncio, json, struct, sys\n" +
    "from computer_control import *\nurl = sys.argv[1]\n";
  return JSON.parse(await runPython(PYTHON, head + code, args));
}
