/** Scripts for PyAutoGUI, which the module of the client carries out by the service: what arrives on a real display. */

import { expect } from "expect";
import { type RecordedDesktop, startRecordedDesktop } from "../support/desktop.ts";

const MODULE = new URL("../../client/python/src/computer_control/pyautogui.py", import.meta.url);
/** The module alone, as the service offers it: beside it are others, such as `types`, which Python has, too. */
const FOLDER = await Deno.makeTempDir();
await Deno.copyFile(MODULE, `${FOLDER}/pyautogui.py`);
Deno.test.afterAll(() => Deno.remove(FOLDER, { recursive: true }));

const HEAD = "import pyautogui as p\np.PAUSE = 0\np.FAILSAFE = False\n";

interface Ended {
  readonly output: string;
  readonly errors: string;
}

async function run(address: string, code: string, head = HEAD): Promise<Ended> {
  const { stdout, stderr } = await new Deno.Command("/usr/bin/python3", {
    args: ["-B", "-c", head + code],
    env: { PYTHONPATH: FOLDER, PYTHONIOENCODING: "utf-8", COMPUTER_CONTROL_URL: address },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { output: text.decode(stdout).trim(), errors: text.decode(stderr) };
}

/** A script that must succeed; gives what it prints, when all that it did has arrived. */
async function done({ recorder }: RecordedDesktop, address: string, code: string): Promise<string> {
  recorder.clear();
  const { output, errors } = await run(address, code);
  expect(errors).toBe("");
  await recorder.sync();
  return output;
}

const STROKES: readonly (readonly [code: string, strokes: string])[] = [
  ["p.press('enter')", "+Return -Return"],
  ["p.press('a', presses=3)", "+a -a +a -a +a -a"],
  ["p.press(['left', 'UP'], 2)", "+Left -Left +Up -Up +Left -Left +Up -Up"],
  ["p.press('nokey')", ""],
  ["p.hotkey('ctrl', 'Shift', 't')", "+Control_L +Shift_L +T -T -Shift_L -Control_L"],
  ["p.hotkey(['alt', 'f4'])", "+Alt_L +F4 -F4 -Alt_L"],
  ["p.hotkey('ctrl', 'c', interval=0.01)", "+Control_L +c -c -Control_L"],
  ["p.keyDown('shift'); p.press('b'); p.keyUp('shift')", "+Shift_L +B -B -Shift_L"],
  ["with p.hold('ctrl'): p.press(['a', 'b'])", "+Control_L +a -a +b -b -Control_L"],
  ["p.keyDown('ctrl'); p.write('ab'); p.keyUp('ctrl')", "+Control_L +a -a +b -b -Control_L"],
  ["p.write(['a', 'enter', 'b'])", "+a -a +Return -Return +b -b"],
];

Deno.test("PyAutoGUI's keys arrive as its own would", async (t) => {
  await using desktop = await startRecordedDesktop();
  const address = desktop.service.listen();
  for (const [code, strokes] of STROKES) {
    await t.step(code, async () => {
      await done(desktop, address, code);
      expect(desktop.recorder.strokes).toBe(strokes);
      expect(await desktop.recorder.x.keysDown()).toEqual([]);
    });
  }
  await t.step("a text of any script, without what is no character", async () => {
    await done(desktop, address, `p.typewrite("Grüße, \\x07漢字!", interval=0.01)`);
    expect(desktop.recorder.text).toBe("Grüße, 漢字!");
  });
});

const LEFT = 1;
const RIGHT = 3;

Deno.test("PyAutoGUI's mouse acts where and how often it says", async (t) => {
  await using desktop = await startRecordedDesktop();
  const { recorder } = desktop;
  const address = desktop.service.listen();
  const buttons = () => recorder.buttonEvents.map(({ what, detail, x, y }) => [what, detail, x, y]);
  const clicks = (button: number, x: number, y: number, count = 1) =>
    Array.from({ length: count }, () => [
      ["button down", button, x, y],
      ["button up", button, x, y],
    ]).flat();

  await t.step("moveTo, moveRel, position and size", async () => {
    const code = "p.moveTo(100, 50); p.move(5, None); p.moveRel((0, -10)); " +
      "print(p.position(), p.size(), p.onScreen(1279, 799), p.onScreen(1280, 0))";
    expect(await done(desktop, address, code))
      .toBe("Point(x=105, y=40) Size(width=1280, height=800) True False");
  });
  await t.step("a movement with a duration and an easing ends at its point", async () => {
    await done(desktop, address, "p.moveTo(400, 300, 0.3, p.easeInOutQuad)");
    expect(recorder.motions.length).toBeGreaterThan(2);
    expect(recorder.motions.at(-1)).toMatchObject({ x: 400, y: 300 });
  });
  await t.step("click with a point, a button and a count", async () => {
    await done(desktop, address, "p.click(40, 30); p.click((50, 60), clicks=2, button='right')");
    expect(buttons()).toEqual([...clicks(LEFT, 40, 30), ...clicks(RIGHT, 50, 60, 2)]);
  });
  await t.step("doubleClick, tripleClick, rightClick and a click beyond the edge", async () => {
    const code =
      "p.doubleClick(10, 20); p.tripleClick(200, 20); p.rightClick(5, 6); p.click(9999, 1)";
    await done(desktop, address, code);
    expect(buttons()).toEqual([
      ...clicks(LEFT, 10, 20, 2),
      ...clicks(LEFT, 200, 20, 3),
      ...clicks(RIGHT, 5, 6),
      ...clicks(LEFT, 1279, 1),
    ]);
  });
  await t.step("mouseDown, mouseUp and dragTo", async () => {
    const code = "p.mouseDown(10, 10); p.moveTo(90, 90); p.mouseUp(); " +
      "p.moveTo(300, 300); p.dragTo(320, 310, 0.2, button='left'); p.dragRel(0, 0)";
    await done(desktop, address, code);
    expect(buttons()).toEqual([
      ["button down", LEFT, 10, 10],
      ["button up", LEFT, 90, 90],
      ["button down", LEFT, 300, 300],
      ["button up", LEFT, 320, 310],
    ]);
  });
  await t.step("scroll, hscroll and vscroll in their directions", async () => {
    await done(desktop, address, "p.scroll(2, 70, 80); p.vscroll(-1); p.hscroll(1); p.hscroll(-1)");
    const downs = recorder.buttonEvents.filter(({ what }) => what === "button down");
    expect(downs.map(({ detail }) => detail)).toEqual([4, 4, 5, 7, 6]);
  });
});

Deno.test("PyAutoGUI's errors say what is wrong, and never the token", async () => {
  await using desktop = await startRecordedDesktop();
  const address = desktop.service.listen();
  const failing = async (code: string, head = HEAD) => (await run(address, code, head)).errors;
  expect(await failing("p.click(1, 1, button='nose')"))
    .toContain("PyAutoGUIException: button argument must be one of");
  expect(await failing("p.moveTo('picture.png')")).toContain(
    "PyAutoGUIException: A point should be",
  );
  expect(await failing("p.moveTo(0, 0); p.FAILSAFE = True; p.click()"))
    .toContain("FailSafeException");
  const env = "import os\nos.environ['COMPUTER_CONTROL_TOKEN'] = 's3cret'\n" +
    "os.environ['COMPUTER_CONTROL_URL'] = 'http://127.0.0.1:1'\n";
  const gone = await failing("p.press('a')", env + HEAD);
  expect(gone).toContain("PyAutoGUIException: The service does not answer");
  expect(gone).not.toContain("s3cret");
});

Deno.test("PyAutoGUI's module sends nothing in clear text to an address that is not http", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const code = (address: string) =>
    "import os\nos.environ['COMPUTER_CONTROL_TOKEN'] = 's3cret'\n" +
    `os.environ['COMPUTER_CONTROL_URL'] = '${address}'\n${HEAD}p.press('a')`;
  const ended = run(`https://127.0.0.1:${port}`, code(`https://127.0.0.1:${port}`), "");
  // a script that has ended connects no more
  const connection = await Promise.race([listener.accept(), ended.then(({ errors }) => errors)]);
  if (typeof connection === "string") throw new Error(connection);
  const first = new Uint8Array(1_024);
  const count = await connection.read(first);
  const HANDSHAKE = 22; // the first byte of TLS (RFC 8446, 5.1)
  expect([count! > 0, first[0]]).toEqual([true, HANDSHAKE]);
  expect(new TextDecoder("latin1").decode(first)).not.toContain("s3cret");
  connection.close();
  expect((await ended).errors).toContain("PyAutoGUIException: The service does not answer");
  for (const address of ["ftp://127.0.0.1/", "127.0.0.1:4242", "HTTPS+x://a"]) {
    const { errors } = await run(address, code(address), "");
    expect(errors).toContain("should begin with http:// or https://");
  }
});
