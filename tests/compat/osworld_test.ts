/**
 * The interface of OSWorld's server: by its official client, and by plain requests on a real display
 * with real programs.
 */

import { expect } from "expect";
import { startWindowManager } from "../real_programs/support/window_manager.ts";
import { type CompatService, startCompat } from "../support/compat_service.ts";
import { testFolder } from "../support/folder.ts";
import { decodePng } from "../support/png.ts";
import { pythonWith } from "../support/python_packages.ts";
import { succeeds, testIf, unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { openXterm } from "../support/xterm.ts";

const PNG_START = "89504e470d0a1a0a";
const TOKEN = "a-token-of-the-test";
const JSON_TYPE = { "content-type": "application/json" };

/** Without the packages that only its judges and its virtual machines need. */
const python = await pythonWith([
  ...["--no-deps", "desktop-env==1.0.2"],
  ...["requests", "urllib3", "idna", "certifi", "charset-normalizer"],
]);

type Sent = object | FormData | URLSearchParams;

/** The status and the answer, as JSON where it is that. */
async function ask(
  { address }: Pick<CompatService, "address">,
  path: string,
  body?: Sent,
  headers: Readonly<Record<string, string>> = {},
) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const response = await fetch(address + path, {
    ...(body === undefined ? {} : { method: "POST", body: isForm ? body : JSON.stringify(body) }),
    headers: { ...headers, ...(isForm || body === undefined ? {} : JSON_TYPE) },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  // deno-lint-ignore no-explicit-any -- each route has its own form
  const answer: any = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, answer, bytes };
}

/** A request that must succeed. */
async function done(service: CompatService, path: string, body?: Sent) {
  const { status, answer } = await ask(service, path, body);
  expect([path, status, answer]).toEqual([path, 200, answer]);
  return answer;
}

/** A request that must fail; gives its message, in the form of every error. */
async function failed(service: CompatService, status: number, path: string, body?: Sent) {
  const { status: found, answer } = await ask(service, path, body);
  expect([path, found]).toEqual([path, status]);
  const message = expect.any(String);
  expect(answer).toEqual({ status: "error", message, error: answer.message });
  return answer.message as string;
}

Deno.test({
  name: "the official client of OSWorld controls a terminal, files and commands",
  ignore: unless(typeof python !== "string", `desktop-env cannot be installed: ${python}`),
  async fn() {
    if (typeof python === "string") throw new Error(python);
    await using service = await startCompat("osworld");
    await using terminal = await openXterm(service.display);
    await Deno.mkdir(`${service.home}/Desktop`);
    const script = new URL("./osworld_client.py", import.meta.url);
    const found = JSON.parse(await python.run(script, [service.host, service.home]));
    await terminal.expectNext(`It's "typed" \\ by OSWorld: 50 %\n`);
    expect(found).toEqual({
      screenshot: PNG_START,
      platform: "Linux",
      size: { width: 1280, height: 800 },
      position: "(70, 80)",
      python: {
        ...{ status: "error", message: "a\n\nProcess exited with code 3", need_more: false },
        ...{ output: "a\n", error: "Process exited with code 3", return_code: 3 },
      },
      bash: { status: "error", output: "a\nb\n", error: "", returncode: 4 },
      missing: null,
      desktop: `${service.home}/Desktop`,
      file: true,
      tree: ["directory", true],
    });
  },
});

Deno.test("what a script for pyautogui types reaches a program", async () => {
  await using service = await startCompat("osworld", [], { COMPUTER_CONTROL_TOKEN: TOKEN });
  await using terminal = await openXterm(service.display);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const execute = (command: unknown, shell = false) =>
    ask(service, "/execute", { command, shell }, headers);
  const script = "import pyautogui; import time; pyautogui.FAILSAFE = False; " +
    "pyautogui.write('Grüße'); pyautogui.press('enter'); pyautogui.moveTo(12, 34)";
  const { status, answer } = await execute(["python", "-c", script]);
  const success = { status: "success", output: "", error: "", returncode: 0 };
  expect([status, answer]).toEqual([200, success]);
  await terminal.expectNext("Grüße\n");
  const position = await ask(service.service, "/api/mouse/position", undefined, headers);
  expect(position.answer).toEqual({ x: 12, y: 34 });
  const variables = "printenv COMPUTER_CONTROL_TOKEN; printenv COMPUTER_CONTROL_URL";
  const { output } = (await execute(variables, true)).answer;
  expect(output).toBe(`${TOKEN}\n${service.service.address}\n`);
});

Deno.test("commands answer as OSWorld's server does", async (t) => {
  await using service = await startCompat("osworld");
  const execute = (command: unknown, shell = false) =>
    done(service, "/setup/execute", { command, shell });

  await t.step("words as they are, in no shell", async () => {
    const words = ["printf", "%s|", "it's $HOME", 'a "b"', "*", "", "~/x", "日本"];
    expect(await execute(words)).toEqual({
      status: "success",
      output: `it's $HOME|a "b"|*||${service.home}/x|日本|`,
      error: "",
      returncode: 0,
    });
    expect((await execute("printf %s 'a  b'")).output).toBe("a  b");
  });
  await t.step("a shell, with both outputs apart", async () => {
    const answer = { status: "success", output: "out\n", error: "err\n", returncode: 3 };
    expect(await execute("echo out; echo err >&2; exit 3", true)).toEqual(answer);
    expect((await execute(["echo $0 $1", "a", "b"], true)).output).toBe("a b\n");
  });
  await t.step("what cannot be run is an error", async () => {
    await failed(service, 400, "/execute", { command: [] });
    await failed(service, 400, "/execute", { command: [1] });
    await failed(service, 400, "/execute", { command: "echo 'a" });
    await failed(service, 400, "/execute", [1]);
    await failed(service, 400, "/execute", { command: ["true"], timeout: "soon" });
    expect(await failed(service, 500, "/execute", { command: ["sleep", "600"], timeout: 5 }))
      .toBe("Command timed out after 5 seconds");
    expect(await failed(service, 404, "/no/such/route")).toContain("GET");
  });
  await t.step("run_python", async () => {
    const code = "import sys\nprint('a', file=sys.stderr)\nprint('b' * 3, '\\'')";
    expect(await done(service, "/run_python", { code })).toEqual({
      ...{ status: "success", message: "bbb '\n\na\n", need_more: false },
      ...{ output: "bbb '\n", error: "a\n", return_code: 0 },
    });
    expect(await failed(service, 400, "/run_python", {})).toBe("code is required");
  });
  await t.step("run_bash_script", async () => {
    const script = '#!/bin/bash\ncat\na=(1 2)\necho "$PWD ${a[1]}"\necho e >&2\nfalse';
    const answer = { status: "error", output: "/tmp 2\ne\n", error: "", returncode: 1 };
    expect(await done(service, "/run_bash_script", { script, working_dir: "/tmp" }))
      .toEqual(answer);
    const late = await failed(service, 500, "/run_bash_script", {
      script: "sleep 600",
      timeout: 5,
    });
    expect(late).toContain("timed out");
    await failed(service, 404, "/run_bash_script", { script: "true", working_dir: "/none" });
  });
  await t.step("execute_with_verification", async () => {
    const path = `${service.home}/made later`;
    const passed = await done(service, "/setup/execute_with_verification", {
      command: `(sleep 1; touch '${path}') >/dev/null 2>&1 &`,
      shell: true,
      verification: { command_success: `test -e '${path}'` },
      check_interval: 0.1,
      max_wait_time: 60,
    });
    expect(passed).toMatchObject({ status: "success", returncode: 0, verification: "passed" });
    const late = await ask(service, "/setup/execute_with_verification", {
      command: "true",
      verification: { command_success: "false" },
      max_wait_time: 0.2,
    });
    expect([late.status, late.answer.status, late.answer.verification])
      .toEqual([500, "verification_failed", "failed"]);
  });
});

Deno.test("windows and the screen as OSWorld's server shows them", async (t) => {
  await using service = await startCompat("osworld");
  await using _manager = await startWindowManager(service.display, "openbox");
  const TITLE = "it's OSWorld";

  await t.step("screenshot and screen_size", async () => {
    const { bytes, headers } = await ask(service, "/screenshot");
    expect(headers.get("content-type")).toBe("image/png");
    expect(decodePng(bytes)).toMatchObject({ width: 1280, height: 800 });
    expect(await done(service, "/screen_size", {})).toEqual({ width: 1280, height: 800 });
  });
  await t.step("launch and wait for the window", async () => {
    for (const title of [TITLE, "another"]) {
      const command = ["xterm", "-T", title, "-e", "cat"];
      await done(service, "/setup/launch", { command });
      const { verification } = await done(service, "/setup/execute_with_verification", {
        command: ["true"],
        verification: { window_exists: title.toUpperCase() },
        check_interval: 0.1,
        max_wait_time: 60,
      });
      expect(verification).toBe("passed");
    }
    expect(await failed(service, 500, "/setup/launch", { command: ["no-such-program"] }))
      .toContain("no-such-program");
  });
  await t.step("launch gives a shell python, too", async () => {
    const path = `${service.home}/launched`;
    const command = `python -c 'open("${path}", "w").write("it")'`;
    await done(service, "/setup/launch", { command, shell: true });
    const isWritten = () => Deno.readTextFile(path).then((text) => text === "it", () => false);
    await waitFor(isWritten, { what: "the file of the program" });
  });
  await t.step("activate_window, window_size and close_window", async () => {
    const activeTitle = async () => {
      const response = await fetch(`${service.service.address}/api/window/active`);
      return (await response.json())?.title;
    };
    await done(service, "/setup/activate_window", { window_name: "osworld" });
    await waitFor(async () => await activeTitle() === TITLE, { what: "the window to be active" });
    await failed(service, 404, "/setup/activate_window", { window_name: "osworld", strict: true });
    await failed(service, 400, "/setup/activate_window", {});
    const form = new URLSearchParams({ app_class_name: "xterm" });
    expect(await done(service, "/window_size", form))
      .toEqual({ width: expect.any(Number), height: expect.any(Number) });
    await failed(service, 400, "/window_size", new FormData());
    await done(service, "/setup/close_window", { window_name: TITLE, strict: true });
    await failed(service, 404, "/setup/close_window", { window_name: TITLE });
    await done(service, "/setup/close_window", { window_name: "xterm.XTerm", by_class: true });
  });
  await t.step("open_file starts a program whose window has its name", async () => {
    expect(await done(service, "/setup/open_file", { path: "xterm" }))
      .toBe("File opened and window activated successfully");
    await failed(service, 404, "/setup/open_file", { path: "no-such-program" });
    await failed(service, 400, "/setup/open_file", { path: 7 });
  });
});

Deno.test("files of any name and size go both ways", async (t) => {
  await using service = await startCompat("osworld");
  const formOf = (fields: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const upload = (path: string, content: Uint8Array<ArrayBuffer>) => {
    const form = formOf({ file_path: path });
    form.set("file_data", new Blob([content]), "name.bin");
    return ask(service, "/setup/upload", form);
  };
  const file = (path: string) => ask(service, "/file", formOf({ file_path: path }));

  await t.step("upload and file", async () => {
    const content = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7) % 256);
    const sent = await upload("~/ein Ordner/ünd 'so'.bin", content);
    expect([sent.status, sent.answer]).toEqual([200, "File Uploaded: 3000000 bytes"]);
    const path = `${service.home}/ein Ordner/ünd 'so'.bin`;
    expect(await Deno.readFile(path)).toEqual(content);
    for (const name of [path, "$HOME/ein Ordner/ünd 'so'.bin"]) {
      const { bytes, headers } = await file(name);
      expect(bytes).toEqual(content);
      expect(headers.get("content-length")).toBe("3000000");
      expect(headers.get("content-disposition")).toContain("attachment");
    }
    expect((await upload(path, new Uint8Array())).answer).toBe("File Uploaded: 0 bytes");
    expect((await file(path)).bytes.length).toBe(0);
  });
  await t.step("what is missing or wrong", async () => {
    await failed(service, 404, "/file", formOf({ file_path: `${service.home}/none` }));
    await failed(service, 400, "/file", new FormData());
    await failed(service, 400, "/setup/upload", formOf({ file_path: "x" }));
    const broken = await fetch(`${service.address}/file`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: "no part",
    });
    expect([broken.status, (await broken.json()).status]).toEqual([400, "error"]);
    expect((await upload("~/large", new Uint8Array(17 * 1024 * 1024))).status).toBe(413);
  });
  await t.step("list_directory and desktop_path", async () => {
    await failed(service, 404, "/desktop_path", {});
    const path = `${service.home}/Desktop`;
    await Deno.mkdir(path);
    expect(await done(service, "/desktop_path", {})).toEqual({ desktop_path: path });
    const { directory_tree } = await done(service, "/list_directory", { path: service.home });
    expect(directory_tree.type).toBe("directory");
    const named = ({ name }: { readonly name: string }) => name === "ein Ordner";
    expect(directory_tree.children.find(named)).toEqual({
      type: "directory",
      name: "ein Ordner",
      children: [{ type: "file", name: "ünd 'so'.bin" }],
    });
    await failed(service, 400, "/list_directory", {});
    await failed(service, 404, "/list_directory", { path: "/none" });
  });
});

Deno.test("a module for scripts that cannot be written is 503, and leaves nothing", async () => {
  await using folder = await testFolder();
  await Deno.mkdir(`${folder.path}/python/pyautogui.py/something`, { recursive: true });
  await using service = await startCompat("osworld", ["--state-dir", folder.path]);
  expect(await failed(service, 503, "/run_python", { code: "1" })).toContain("pyautogui.py");
  const left = await Array.fromAsync(Deno.readDir(`${folder.path}/python`));
  expect(left.map(({ name }) => name)).toEqual(["pyautogui.py"]);
});

const canRecord = await succeeds("ffmpeg", ["-version"]);

testIf(canRecord, "there is no ffmpeg")(
  "a recording is one at a time, and its file is sent",
  async () => {
    await using service = await startCompat("osworld");
    const hasPicture = async () => {
      const response = await fetch(`${service.service.address}/api/recording/list`);
      const [newest] = await response.json();
      return newest?.state === "recording" && newest.frames > 0;
    };
    expect(await failed(service, 400, "/end_recording", {})).toContain("No recording");
    for (let round = 0; round < 2; round++) {
      expect((await done(service, "/start_recording", {})).status).toBe("success");
      expect(await failed(service, 400, "/start_recording", {})).toContain("already");
      await waitFor(hasPicture, { what: "the first picture" });
      const { status, headers, bytes } = await ask(service, "/end_recording", {});
      expect([status, headers.get("content-type")]).toEqual([
        200,
        expect.stringMatching(/^video\//),
      ]);
      expect(bytes.length).toBeGreaterThan(100);
    }
  },
);
