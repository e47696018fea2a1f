/** `--open`: programs and pages on the display of the service, which end with it. */

import { expect } from "expect";
import { withDemo } from "../../src/cli/open_programs.ts";
import { checkOpenings, installOpenings, openCommand } from "../../src/cli/open_command.ts";
import type { Config } from "../../src/config/config.ts";
import { readOpening } from "../../src/config/flag_values.ts";
import { IN_SHELL, splitWords } from "../../src/core/texts.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { fakeConfig, fakeHost } from "../support/fake_host.ts";
import { testFolder } from "../support/folder.ts";
import { isRunning } from "../support/processes.ts";
import { waitFor } from "../support/wait.ts";
import { writeProgram } from "../support/written_program.ts";

const split: [string, string[]][] = [
  ["xterm", ["xterm"]],
  ["  xterm  -e\ttop ", ["xterm", "-e", "top"]],
  [`xterm -T 'two words' -e "a 'b'"`, ["xterm", "-T", "two words", "-e", "a 'b'"]],
  [`a\\ b "c\\"d" e"f g"h`, ["a b", 'c"d', "ef gh"]],
  [`echo $HOME; rm * | x > y \`z\` && é 漢字 😀`, [
    ...["echo", "$HOME;", "rm", "*", "|", "x", ">", "y", "`z`", "&&", "é", "漢字", "😀"],
  ]],
  [`x ''`, ["x", ""]],
  ["", []],
];

for (const [text, words] of split) {
  Deno.test(`splitWords() of ${JSON.stringify(text)}`, () => {
    expect(splitWords(text, IN_SHELL)).toEqual(words);
  });
}

for (const text of [`a "b`, `a 'b`, "a\\"]) {
  Deno.test(`readOpening() refuses ${JSON.stringify(text)}`, () => {
    expect(() => readOpening(text)).toThrow("a quote is not closed");
  });
}

const NO_DISPLAY = ["--virtual-display", "640x480", "--no-setup", "--keychain", "file"];

for (const open of ["no-such-program --x", "./no-such-program", "", "/etc/passwd", `xterm "`]) {
  Deno.test(`a start with --open ${JSON.stringify(open)} is refused with 2, and starts nothing`, async () => {
    const { code, stdout, stderr } = await runCommand([
      "--port",
      "0",
      ...NO_DISPLAY,
      "--open",
      open,
    ]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`--open "${open}`);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
}

Deno.test("--open shows a program on the virtual display, which ends with all that it has started", async () => {
  await using folder = await testFolder();
  const script =
    `#!/bin/sh\nsleep 1000 &\necho $$ $! >"$1"\nexec xterm -bg '#ff0000' -geometry 200x60\n`;
  await writeProgram(`${folder.path}/two words`, script);
  const command = `"${folder.path}/two words" ${folder.path}/pids`;
  await using service = await startCommand([...NO_DISPLAY, "--open", command]);
  const banner = service.output.seen.join("\n");
  expect(banner).toContain(`Screen   ${service.address}/api/display/screenshot`);
  expect(banner).toContain(`Open     ${command}`);
  await waitFor(async () => (await pixel(service.address)).join() === "255,0,0", {
    what: "the red window",
    timeoutMs: 60_000,
  });
  const pids = (await Deno.readTextFile(`${folder.path}/pids`)).trim().split(" ").map(Number);
  expect(pids.map(isRunning)).toEqual([true, true]);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  await waitFor(() => !pids.some(isRunning), { what: "the end of what was opened" });
});

Deno.test("what --open has started ends with a service that is killed", async () => {
  await using folder = await testFolder();
  const command = `sh -c 'echo $$ >"${folder.path}/pid"; trap "" TERM; sleep 1000; sleep 1000'`;
  await using service = await startCommand([...NO_DISPLAY, "--open", command]);
  // the file is empty for a moment
  const pid = await waitFor(async () =>
    Number(await Deno.readTextFile(`${folder.path}/pid`)) || undefined
  );
  expect(isRunning(pid)).toBe(true);
  service.signal("SIGKILL");
  await service.ended;
  await waitFor(() => !isRunning(pid), { what: "the end of what was opened" });
});

Deno.test("a program of --open that fails is logged with its code and its last words", async () => {
  const command = `sh -c 'echo "cannot do it" >&2; exit 7'`;
  await using service = await startCommand([...NO_DISPLAY, "--open", command]);
  const [line] = await service.errors.until(/ error opened program has ended .*$/);
  expect(line).toContain('code=7 said="cannot do it"');
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
});

Deno.test("--open waits for a display that comes later", async () => {
  await using folder = await testFolder();
  const flags = ["--display", ":4093", "--no-setup", "--open", `touch ${folder.path}/opened`];
  await using service = await startCommand(flags);
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
  await expect(Deno.stat(`${folder.path}/opened`)).rejects.toThrow();
  const xvfb = new Deno.Command("Xvfb", { args: [":4093"], stderr: "null" }).spawn();
  await waitFor(() => Deno.stat(`${folder.path}/opened`), { what: "the program" });
  xvfb.kill();
  await xvfb.status;
});

const PAGE = "data:text/html,<body style='background:%230000ff'>";

Deno.test("--open shows an address in a browser of its own", async () => {
  const page = PAGE.replaceAll(" ", "%20");
  await using service = await startCommand([...NO_DISPLAY, "--open", page]);
  await waitFor(async () => (await pixel(service.address)).join() === "0,0,255", {
    what: "the blue page",
    timeoutMs: 60_000,
  });
});

const browsers: [string, string[], number, string | undefined, string][] = [
  ["the session's own opener", ["xdg-open", "chromium"], 1000, undefined, "/usr/bin/xdg-open U"],
  ["a browser where there is none", ["firefox"], 1000, undefined, "/usr/bin/firefox U"],
  [
    "a profile of its own",
    ["xdg-open", "firefox-esr"],
    0,
    "/p",
    "/usr/bin/firefox-esr --no-remote --profile /p U",
  ],
  [
    "a sandbox",
    ["chromium"],
    1000,
    "/p",
    "/usr/bin/chromium --user-data-dir=/p --no-first-run " +
    "--no-default-browser-check --password-store=basic --disable-dev-shm-usage " +
    "--force-renderer-accessibility U",
  ],
  ["no sandbox for root", ["chromium"], 0, undefined, "/usr/bin/chromium --no-sandbox U"],
];

for (const [name, programs, uid, profile, expected] of browsers) {
  Deno.test(`openCommand() takes ${name}`, () => {
    const opening = readOpening("https://a.example/?q=1&r");
    const host = fakeHost({ programs, uid });
    expect(openCommand(opening, host, { cwd: "/", profile }).join(" "))
      .toBe(expected.replace(/U$/, "https://a.example/?q=1&r"));
  });
}

Deno.test("checkOpenings() refuses an address without a browser, and every program on Windows", () => {
  const page = readOpening("https://a.example");
  expect(() => checkOpenings([page], fakeHost(), "/")).toThrow("install chromium or firefox");
  const windows = fakeHost({ os: "windows", programs: ["xterm"] });
  expect(() => checkOpenings([readOpening("xterm")], windows, "/")).toThrow("Linux and macOS only");
});

async function pixel(address: string): Promise<number[]> {
  const answer = await fetch(`${address}/api/display/pixel_color`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ x: 320, y: 300 }),
  });
  return await answer.json();
}

Deno.test("installOpenings() installs what the table of programs names, and nothing else", async () => {
  const openings = ["xterm -e top", "no-such-program", "https://example.org", "sh -c x"];
  const read = openings.map(readOpening);
  const host = fakeHost({ programs: ["apt-get", "sh"], uid: 0 });
  await installOpenings(read, host, true);
  expect(host.ran).toHaveLength(1);
  expect(host.ran[0]).toMatch(/apt-get install .* xterm$/);
  const forbidden = fakeHost({ programs: ["apt-get", "sh"], uid: 0 });
  await installOpenings(read, forbidden, false);
  expect(forbidden.ran).toEqual([]);
});

Deno.test("withDemo() opens a terminal on an empty virtual display, and nowhere else", () => {
  const host = fakeHost({ programs: ["xterm", "bash"] });
  const virtual = { display: ":99", variables: { DISPLAY: ":99" } };
  const texts = (config: Partial<Config>, platform = { virtual }) =>
    withDemo(fakeConfig(config), host, platform).map(({ words }) => words[0]);
  expect(texts({})).toEqual(["xterm"]);
  expect(texts({ open: [readOpening("xclock")] })).toEqual(["xclock"]);
  expect(texts({ readOnly: true })).toEqual([]);
  expect(texts({ disabled: new Set(["bash"]) })).toEqual([]);
  expect(withDemo(fakeConfig(), host, {})).toEqual([]);
  expect(withDemo(fakeConfig(), fakeHost(), { virtual })).toEqual([]);
});
