/**
 * The interface of cua's computer server: by its official client, and by plain requests on a real
 * display with real programs.
 */

import { expect } from "expect";
import { openCompat } from "../../src/compat/open_compat.ts";
import { startWindowManager } from "../real_programs/support/window_manager.ts";
import { type CompatService, startCompat, TEST_SERVICE } from "../support/compat_service.ts";
import { decodePng } from "../support/png.ts";
import { pythonWith } from "../support/python_packages.ts";
import { openRecorder } from "../support/recorder.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { openXterm } from "../support/xterm.ts";

const PNG_START = "89504e470d0a1a0a";

const python = await pythonWith(["cua-computer==0.4.10"]);

interface Answer {
  readonly success: boolean;
  readonly error?: string;
  // deno-lint-ignore no-explicit-any -- each command has its own
  readonly [field: string]: any;
}

/** Sends a command as the client does; the answer is one event. */
async function send({ address }: CompatService, body: string): Promise<[number, Answer]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}/cmd`, { method: "POST", headers, body });
  const text = await response.text();
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text).toMatch(/^data: \{.*\}\n\n$/s);
  return [response.status, JSON.parse(text.slice("data: ".length))];
}

async function cmd(
  service: CompatService,
  command: string,
  params?: unknown,
): Promise<Answer> {
  const [status, answer] = await send(service, JSON.stringify({ command, params }));
  expect(status).toBe(200);
  return answer;
}

/** A command that must succeed. */
async function done(
  service: CompatService,
  command: string,
  params?: unknown,
): Promise<Answer> {
  const answer = await cmd(service, command, params);
  expect(answer).toMatchObject({ success: true });
  return answer;
}

/** A command that must fail; gives its error. */
async function failed(service: CompatService, command: string, params?: unknown): Promise<string> {
  const answer = await cmd(service, command, params);
  expect(answer).toEqual({ success: false, error: expect.any(String) });
  return answer.error!;
}

Deno.test({
  name: "the official client of cua controls a terminal, files and commands",
  ignore: unless(typeof python !== "string", `cua-computer cannot be installed: ${python}`),
  async fn() {
    await using service = await startCompat("cua");
    await using terminal = await openXterm(service.display);
    if (typeof python === "string") throw new Error(python);
    const script = new URL("./cua_client.py", import.meta.url);
    const found = JSON.parse(await python.run(script, [service.host, service.home]));
    // what is not ASCII the client puts on the clipboard, and pastes: a terminal takes ^V as it is
    await terminal.expectNext("typed by cua\n\x16");
    expect(found).toEqual({
      size: { width: 1280, height: 800 },
      position: { x: 40, y: 30 },
      clipboard: "Grüße",
      screenshot: PNG_START,
      bytes: true,
      part: "fafbfcfd",
      "size of file": 1_024,
      large: true,
      text: "Grüße,\n漢字\n",
      names: ["ünd 'so'.bin"],
      exists: [true, false, true, false],
      "folder that is not empty": expect.stringMatching(/^RuntimeError: .*not empty/),
      deleted: true,
      missing: expect.stringMatching(/^RuntimeError: Cannot delete .*no such file/),
      ran: ["out\n", "err\n", 3],
      unknown: { success: false, error: "Unknown command: no_such_command" },
    });
  },
});

Deno.test("mouse and keyboard commands arrive at a window", async (t) => {
  await using service = await startCompat("cua");
  using recorder = await openRecorder(service.display);
  const buttons = async () => {
    await recorder.sync();
    return recorder.buttonEvents.map(({ what, detail, x, y }) => [what, detail, x, y]);
  };
  const click = (detail: number, x: number, y: number) => [
    ["button down", detail, x, y],
    ["button up", detail, x, y],
  ];

  await t.step("clicks, at a point and at the cursor", async () => {
    await done(service, "left_click", { x: 40, y: 30 });
    await done(service, "right_click", { x: 300.4, y: 60 });
    await done(service, "left_click", { x: null, y: null });
    await done(service, "double_click", { x: 500, y: 70 });
    expect(await buttons()).toEqual([
      ...click(1, 40, 30),
      ...click(3, 300, 60),
      ...click(1, 300, 60),
      ...click(1, 500, 70),
      ...click(1, 500, 70),
    ]);
  });

  await t.step("holding, dragging and scrolling", async () => {
    recorder.clear();
    await done(service, "mouse_down", { x: 10, y: 20, button: "right" });
    await done(service, "mouse_up", { x: 30, y: 40, button: "right" });
    await done(service, "drag", { path: [[10, 10], [50, 20], [90, 80]], duration: 0 });
    await done(service, "drag_to", { x: 120, y: 130, duration: 0.05 });
    expect(await buttons()).toEqual([
      ["button down", 3, 10, 20],
      ["button up", 3, 30, 40],
      ["button down", 1, 10, 10],
      ["button up", 1, 90, 80],
      ["button down", 1, 90, 80],
      ["button up", 1, 120, 130],
    ]);
    expect(recorder.motions.some(({ x, y }) => x === 50 && y === 20)).toBe(true);
    recorder.clear();
    await done(service, "scroll", { x: 1, y: 2 });
    await done(service, "scroll_down");
    await done(service, "scroll_up", { clicks: 2 });
    const wheel = (await buttons()).filter(([what]) => what === "button down");
    expect(wheel.map(([, detail]) => detail).toSorted()).toEqual([4, 4, 4, 4, 5, 7]);
  });

  await t.step("keys, held ones and combinations", async () => {
    recorder.clear();
    await done(service, "press_key", { key: "enter" });
    await done(service, "key_down", { key: "shift" });
    await done(service, "key_up", { key: "shift" });
    await done(service, "hotkey", { keys: ["ctrl_r", "t"] });
    await done(service, "hotkey", { keys: ["command", "v"] });
    await done(service, "hotkey", { keys: ["cmd", "e"] });
    await recorder.sync();
    expect(recorder.strokes).toBe(
      "+Return -Return +Shift_L -Shift_L +Control_R +t -t -Control_R " +
        "+Control_L +v -v -Control_L +Super_L +e -e -Super_L",
    );
    recorder.clear();
    await done(service, "type_text", { text: "Grüße 😀" });
    await recorder.sync();
    expect(recorder.text).toBe("Grüße 😀");
  });

  await t.step("the screen and the clipboard are read", async () => {
    await done(service, "move_cursor", { x: 77, y: 88 });
    expect(await done(service, "get_cursor_position"))
      .toEqual({ success: true, position: { x: 77, y: 88 } });
    expect((await done(service, "get_screen_size")).size).toEqual({ width: 1280, height: 800 });
    const png = await done(service, "screenshot");
    const { width, height } = decodePng(Uint8Array.fromBase64(png.image_data));
    expect([width, height]).toEqual([1280, 800]);
    await done(service, "set_clipboard", { text: "a\n漢" });
    expect(await done(service, "copy_to_clipboard")).toEqual({ success: true, content: "a\n漢" });
  });

  await t.step("what an operation refuses is an error in its words", async () => {
    recorder.clear();
    expect(await failed(service, "left_click", { x: 5_000, y: 1 })).toMatch(/off the screen/);
    expect(await failed(service, "move_cursor", { x: "a", y: 1 })).toMatch(/^x: /);
    expect(await failed(service, "move_cursor", { x: 1 })).toBe("y: Field required");
    expect(await failed(service, "press_key", { key: "no such key" })).toMatch(/unknown key/);
    expect(await failed(service, "drag", { path: [] })).toMatch(/^path /);
    expect(await failed(service, "drag", { path: [[1, 2], [3]] })).toMatch(/y:/);
    expect(await failed(service, "scroll_down", { clicks: {} })).toMatch(/^clicks: /);
    expect(await failed(service, "hotkey", { keys: "ctrl" })).toMatch(/^keys: /);
    await recorder.sync();
    expect([recorder.keyEvents, recorder.buttonEvents]).toEqual([[], []]);
  });
});

Deno.test("files are read, written, appended to and deleted as that server does", async (t) => {
  await using service = await startCompat("cua");
  const folder = `${service.home}/da ta`;
  const path = `${folder}/ü'"$HOME.bin`;
  const bytes = crypto.getRandomValues(new Uint8Array(3_000));

  await t.step("bytes", async () => {
    await done(service, "create_dir", { path: folder });
    await done(service, "write_bytes", { path, content_b64: bytes.subarray(0, 1_000).toBase64() });
    for (const part of [bytes.subarray(1_000, 2_000), bytes.subarray(2_000)]) {
      await done(service, "write_bytes", { path, content_b64: part.toBase64(), append: true });
    }
    expect(await Deno.readFile(path)).toEqual(bytes);
    const { content_b64 } = await done(service, "read_bytes", { path });
    expect(Uint8Array.fromBase64(content_b64)).toEqual(bytes);
    const part = await done(service, "read_bytes", { path, offset: 2_990, length: 100 });
    expect(Uint8Array.fromBase64(part.content_b64)).toEqual(bytes.subarray(2_990));
    expect((await done(service, "read_bytes", { path, length: 0 })).content_b64).toBe("");
    expect((await done(service, "get_file_size", { path })).size).toBe(3_000);
  });

  await t.step("text, and paths below the home", async () => {
    for (const text of ["a\n", "b\n"]) { // the first one is made
      const note = { path: "~/da ta/note", content_b64: btoa(text), append: true };
      await done(service, "write_bytes", note);
    }
    const { content_b64 } = await done(service, "read_bytes", { path: "da ta/note" });
    expect(atob(content_b64)).toBe("a\nb\n");
    const { files } = await done(service, "list_dir", { path: "da ta" });
    expect(files.toSorted()).toEqual(["note", `ü'"$HOME.bin`]);
    expect((await done(service, "directory_exists", { path: "." })).exists).toBe(true);
  });

  await t.step("what is there", async () => {
    const exists = async (path: string) => [
      (await done(service, "file_exists", { path })).exists,
      (await done(service, "directory_exists", { path })).exists,
    ];
    expect(await exists(path)).toEqual([true, false]);
    expect(await exists(folder)).toEqual([false, true]);
    expect(await exists(`${path}/inside`)).toEqual([false, false]);
    expect(await failed(service, "file_exists", { path: "" })).toMatch(/^path /);
  });

  await t.step("more than one answer takes is read in parts", async () => {
    const size = 5 * 1024 * 1024 + 1;
    await Deno.writeFile(`${folder}/large`, new Uint8Array(size).fill(65));
    const large = { path: "da ta/large" };
    expect(await failed(service, "read_bytes", large)).toMatch(/offset and length/);
    expect(await failed(service, "read_bytes", { ...large, length: size })).toMatch(/at a time/);
    const rest = await done(service, "read_bytes", { ...large, offset: size - 3 });
    expect(rest.content_b64).toBe(btoa("AAA"));
    await Deno.remove(`${folder}/large`);
  });

  await t.step("what cannot be", async () => {
    expect(await failed(service, "read_bytes", { path: folder })).toMatch(/it is a folder/);
    expect(await failed(service, "write_bytes", { path, content_b64: "%" })).toMatch(/Base64/);
    const onFolder = { path: folder, content_b64: "AA==", append: true };
    expect(await failed(service, "write_bytes", onFolder)).toMatch(/^Cannot append to /);
    expect(await failed(service, "get_file_size", { path: "none" })).toMatch(/No such file/);
    expect(await failed(service, "delete_file", { path: folder })).toMatch(/it is a directory/);
    expect(await failed(service, "delete_dir", { path })).toMatch(/it is a file/);
    expect(await failed(service, "delete_dir", { path: folder })).toMatch(/not empty/);
    expect(await failed(service, "list_dir", { path: "none" })).toMatch(/no such file/);
    expect(await Deno.readFile(path)).toEqual(bytes);
  });

  await t.step("deleted", async () => {
    for (const each of ["note", `ü'"$HOME.bin`]) {
      await done(service, "delete_file", { path: `${folder}/${each}` });
    }
    await done(service, "delete_dir", { path: folder });
    expect(await Deno.stat(folder).catch(({ name }) => name)).toBe("NotFound");
  });
});

Deno.test("commands answer with standard output and standard error apart", async (t) => {
  await using service = await startCompat("cua");
  const execute = async (command: string) => {
    const { stdout, stderr, return_code, truncated } = await done(service, "run_command", {
      command,
    });
    return { stdout, stderr, code: return_code, truncated };
  };

  await t.step("in the order and with the code of each", async () => {
    expect(await execute("echo out; echo err >&2; echo more; exit 3"))
      .toEqual({ stdout: "out\nmore\n", stderr: "err\n", code: 3, truncated: undefined });
    expect(await execute("true")).toMatchObject({ stdout: "", stderr: "", code: 0 });
    expect(await execute("echo out; kill -9 $$")).toMatchObject({ stdout: "out\n", code: 137 });
  });

  await t.step("every quote is that of the command", async () => {
    const { stdout } = await execute(`printf '%s|' "it's" '"$HOME"' \\\\ "a\nb"`);
    expect(stdout).toBe(`it's|"$HOME"|\\|a\nb|`);
    const open = await execute("echo 'no end");
    expect([open.stdout, open.code === 0]).toEqual(["", false]);
    expect(open.stderr).not.toBe("");
  });

  await t.step(
    "standard error is there after a long output, which says what is missing",
    async () => {
      const { stdout, stderr, truncated } = await execute("seq 400000; echo err >&2");
      expect([stdout.startsWith("1\n2\n"), stdout.endsWith("\n400000\n"), stderr, truncated])
        .toEqual([true, true, "err\n", true]);
    },
  );

  await t.step(
    "the file between has no name, so that none is left when a command is killed",
    async () => {
      expect((await execute("readlink /proc/self/fd/2")).stdout).toMatch(/ \(deleted\)\n$/);
      const closed = "for n in 3 4; do test -e /proc/self/fd/$n || echo closed; done";
      expect((await execute(closed)).stdout).toBe("closed\nclosed\n");
    },
  );

  await t.step("no text is no command", async () => {
    expect(await failed(service, "run_command", { command: 7 })).toMatch(/^command /);
  });
});

Deno.test("a command that takes longer than a request may is ended, and said so", async () => {
  await using service = await startCompat("cua", ["--max-command-timeout", "5"]);
  const late = await cmd(service, "run_command", {
    command: `sleep 3600 & echo $! > "$HOME/pid"; wait`,
  });
  expect(late).toEqual({
    success: false,
    error: "Command timed out after 5s",
    stdout: "",
    stderr: "Command timed out after 5s",
    return_code: -1,
  });
  const pid = (await Deno.readTextFile(`${service.home}/pid`)).trim();
  await waitFor(() => Deno.stat(`/proc/${pid}`).then(() => false, () => true), {
    what: "the end of the command",
  });
});

Deno.test("a group that is disabled is disabled for every client", async () => {
  await using service = await startCompat("cua", ["--disable", "bash"]);
  expect(await failed(service, "run_command", { command: "true" }))
    .toBe('The group "bash" is disabled by --disable');
  expect((await done(service, "get_cursor_position")).position).toBeDefined();
});

Deno.test("nothing is appended where files are disabled", async () => {
  await using service = await startCompat("cua", ["--disable", "filesystem"]);
  const path = `${service.home}/note`;
  await Deno.writeTextFile(path, "as it was");
  expect(await failed(service, "write_bytes", { path, content_b64: btoa("b"), append: true }))
    .toBe('The group "filesystem" is disabled by --disable');
  expect(await Deno.readTextFile(path)).toBe("as it was");
});

Deno.test("the bounds of the active window are those of its frame", async () => {
  await using service = await startCompat("cua");
  await using _manager = await startWindowManager(service.display, "openbox");
  const post = (operation: string, body: object) =>
    service.service.post(`/api/window/${operation}`, body);
  const xterm = { program: "xterm", args: ["-e", "cat"] };
  const { window } = await (await post("open", xterm)).json();
  await post("move", { id: window.id, x: 100, y: 120 });
  const { bounds } = await done(service, "get_active_window_bounds");
  expect(bounds).toMatchObject({ x: 100, y: 120 });
  expect(Object.keys(bounds).toSorted()).toEqual(["height", "width", "x", "y"]);
});

Deno.test("the status, the list of commands, and what is no command", async (t) => {
  await using service = await startCompat("cua");

  await t.step("status and commands", async () => {
    const status = await (await fetch(`${service.address}/status`)).json();
    expect(status).toEqual({ status: "ok", os_type: "linux", features: [] });
    const { commands } = await (await fetch(`${service.address}/commands`)).json();
    expect(commands).toContain("move_cursor");
    expect(commands).not.toContain("maximize_window");
    expect(await done(service, "version")).toMatchObject({ protocol: 1 });
  });

  await t.step("unknown names, also those that every object has", async () => {
    for (const name of ["nothing", "constructor", "__proto__", "toString"]) {
      expect(await send(service, JSON.stringify({ command: name })))
        .toEqual([400, { success: false, error: `Unknown command: ${name}` }]);
    }
    expect((await send(service, "{}"))[0]).toBe(400);
    expect((await send(service, JSON.stringify({ command: "x".repeat(10_000) })))[1].error!.length)
      .toBeLessThan(200);
  });

  await t.step("bodies that are no command", async () => {
    for (const body of ["", "{", "[]", "7", "null", '"version"']) {
      const [status, answer] = await send(service, body);
      expect([status >= 400, answer]).toEqual([true, {
        success: false,
        error: expect.any(String),
      }]);
    }
    for (const params of [[], "a", 7]) {
      expect(await failed(service, "version", params)).toBe("params should be an object");
    }
  });
});

Deno.test("elements have the form of that server's tree", async () => {
  const button = {
    ref: "e2",
    role: "button",
    name: "Save",
    value: "1",
    bounds: { x: 5, y: 6, width: 70, height: 20 },
  };
  const window = {
    ref: "e1",
    role: "window",
    name: "Editor",
    bounds: { x: 1, y: 2, width: 300, height: 200 },
    children: [button, { ref: "e3", role: "text", name: "" }],
  };
  const read = async (elements: readonly object[], truncated: readonly string[]) => {
    const request = new Request("http://localhost/cmd", { method: "POST" });
    const answer = await openCompat("cua", TEST_SERVICE).answer(request, {
      answer: () => Promise.resolve(Response.json({ elements, truncated })),
      readJson: () => Promise.resolve({ command: "get_accessibility_tree" }),
    });
    return JSON.parse((await answer.text()).slice("data: ".length));
  };
  const inTheirForm = {
    role: "button",
    title: "Save",
    value: "1",
    position: { x: 5, y: 6 },
    size: { width: 70, height: 20 },
    children: [],
  };

  expect(await read([window], ["time"])).toEqual({
    success: true,
    tree: {
      role: "window",
      title: "Editor",
      position: { x: 1, y: 2 },
      size: { width: 300, height: 200 },
      children: [inTheirForm, {
        role: "text",
        title: "",
        position: { x: 0, y: 0 },
        size: { width: 0, height: 0 },
        children: [],
      }],
    },
    truncated: ["time"],
  });
  expect(await read([window, button], []))
    .toMatchObject({ tree: { role: "Window", children: [{ title: "Editor" }, inTheirForm] } });
});
