/** The service files of the three systems: what they start, and that no value breaks out of its place. */

import { expect } from "expect";
import { readCommandLine } from "../../../src/cli/command_line.ts";
import {
  launchAgent,
  scheduledTask,
  serviceKind,
  systemdUnit,
  utf16,
} from "../../../src/cli/install_service/service_kinds.ts";
import { serviceFlags } from "../../../src/cli/install_service/install.ts";
import { fakeHost } from "../../support/fake_host.ts";
import { testFolder } from "../../support/folder.ts";
import { succeeds, testIf } from "../../support/test_if.ts";

const NASTY = [
  ...["/opt/my tools/cc", 'a "b" c', "50%", "$HOME", "back\\slash", "<&>'", "é 漢字", ""],
  "a\r\n\tb",
];

function flagsOf(args: readonly string[], env = {}): readonly string[] {
  const request = readCommandLine(["install-service", ...args]);
  if (request.kind !== "install") throw new Error(JSON.stringify(request));
  return serviceFlags(request.flags, env, "/here");
}

Deno.test("serviceFlags() gives back every flag, once, with whole paths", () => {
  expect(flagsOf([])).toEqual([]);
  expect(flagsOf(["--port", "5000", "--read-only", "--no-auth", "--no-redact", "--no-setup"]))
    .toEqual(["--port=5000", "--read-only", "--no-auth", "--no-setup", "--no-redact"]);
  expect(flagsOf(["--display", ":5", "--display", "2=:6", "--max-hold", "9"]))
    .toEqual(["--display=:5", "--display=2=:6", "--max-hold=9"]);
  expect(flagsOf(["--virtual-display"])).toEqual(["--virtual-display"]);
  expect(flagsOf(["--token-file", "t", "--state-dir=/s", "--keychain-key-file", "../k"]))
    .toEqual(["--token-file=/here/t", "--state-dir=/s", "--keychain-key-file=/k"]);
});

Deno.test("serviceFlags() refuses to write the token of the environment", () => {
  const env = { COMPUTER_CONTROL_TOKEN: "s3cret" };
  expect(() => flagsOf([], env)).toThrow("--token-file");
  expect(() => flagsOf([], env)).not.toThrow("s3cret");
  expect(flagsOf(["--token-file", "/t"], env)).toEqual(["--token-file=/t"]);
});

Deno.test("systemdUnit() starts the command as it is", () => {
  const unit = systemdUnit(NASTY, { DISPLAY: ":0", XAUTHORITY: '/a b%"' });
  expect(unit).toContain(
    `ExecStart="/opt/my tools/cc" "a \\"b\\" c" 50%% "$$HOME" "back\\\\slash" "<&>'" "é 漢字" "" "a\\x0d\\x0a\\x09b"\n`,
  );
  expect(unit).toContain(
    `Environment=DISPLAY=:0\nEnvironment="XAUTHORITY=/a b%%\\""\nRestart=on-failure\n`,
  );
});

const systemd = await succeeds("systemd-analyze", ["--version"]);
testIf(systemd, "systemd-analyze is not installed: the unit is compared as text only")(
  "systemd accepts the unit and reads the command as it was written",
  async () => {
    await using folder = await testFolder();
    const unit = `${folder.path}/computer-control.service`;
    await Deno.writeTextFile(unit, systemdUnit(["/bin/true", ...NASTY], { DISPLAY: ":0" }));
    const verify = new Deno.Command("systemd-analyze", {
      args: ["verify", "--user", unit],
      env: { XDG_RUNTIME_DIR: folder.path },
    });
    const { stderr } = await verify.output();
    const said = new TextDecoder().decode(stderr).split("\n")
      .filter((line) => line.includes("computer-control.service"));
    expect(said).toEqual([]);
  },
);

Deno.test("launchAgent() escapes what would end its text", async () => {
  const text = launchAgent(NASTY, { logFile: "/logs/a&b.log" });
  expect(text).toContain("<string>&lt;&amp;&gt;&apos;</string>");
  expect(text).toContain("<string>a &quot;b&quot; c</string>");
  expect(text).toContain("<string>/logs/a&amp;b.log</string>");
  expect(await readPlist(text)).toMatchObject({ ProgramArguments: NASTY });
});

for (const changed of ["--state-dir=%APPDATA%\\cc", "--name=$(Arg0)"]) {
  Deno.test(`scheduledTask() refuses what Windows would change: ${changed}`, () => {
    expect(() => scheduledTask(["C:\\cc.exe", changed], "me")).toThrow("write its value instead");
  });
}

Deno.test("scheduledTask() takes a percent sign alone", () => {
  expect(scheduledTask(["C:\\cc.exe", "--name=50%"], "me")).toContain("--name=50%");
});

Deno.test("scheduledTask() quotes its arguments as Windows splits them", () => {
  const command = ["C:\\My Tools\\cc.exe", "a b", 'say "hi"', "C:\\end\\ b\\", "--x=1", "<&>"];
  const text = scheduledTask(command, "DESK\\müller & co");
  expect(text).toContain("<Command>C:\\My Tools\\cc.exe</Command>");
  expect(text).toContain(
    '<Arguments>"a b" "say \\"hi\\"" "C:\\end\\ b\\\\" --x=1 <&></Arguments>'
      .replace("<&>", "&lt;&amp;&gt;").replaceAll(/(?<=<Arguments>.*)"(?=.*<\/)/g, "&quot;"),
  );
  expect(text).toContain("<UserId>DESK\\müller &amp; co</UserId>");
  expect(text).toContain("<RunLevel>LeastPrivilege</RunLevel>");
  const bytes = utf16(text);
  expect(new TextDecoder("utf-16le").decode(bytes)).toBe(text);
  expect([...bytes.subarray(0, 4)]).toEqual([0xff, 0xfe, 0x3c, 0]);
});

Deno.test("serviceFlags() refuses what no service file can hold", () => {
  expect(() => flagsOf(["--state-dir", "/a\x01b"])).toThrow("--state-dir: a service file cannot");
});

const places = { home: "/home/me", stateDir: "C:\\Users\\me\\AppData\\Local\\computer-control" };

Deno.test("serviceKind() knows the commands of Windows", () => {
  const env = { USERDOMAIN: "DESK", USERNAME: "me" };
  const kind = serviceKind(fakeHost({ os: "windows", env }), places, ["C:\\cc.exe"])!;
  const path = `${places.stateDir}\\service.xml`;
  const task = "Computer Control Service";
  expect(kind.path).toBe(path);
  expect(kind.text).toContain("<UserId>DESK\\me</UserId>");
  expect(kind.enable.map(({ line }) => line)).toEqual([
    ["schtasks", "/Create", "/TN", task, "/XML", path, "/F"],
    ["schtasks", "/Run", "/TN", task],
  ]);
  expect(kind.disable.map(({ line }) => line)).toEqual([
    ["schtasks", "/End", "/TN", task],
    ["schtasks", "/Delete", "/TN", task, "/F"],
  ]);
});

Deno.test("serviceKind() knows the commands of macOS", () => {
  const kind = serviceKind(fakeHost({ os: "darwin", uid: 501 }), places, ["/cc"])!;
  const path = "/home/me/Library/LaunchAgents/computer-control.plist";
  expect(kind.path).toBe(path);
  expect(kind.enable.map(({ line }) => line)).toEqual([
    ["launchctl", "bootout", "gui/501/computer-control"],
    ["launchctl", "bootstrap", "gui/501", path],
  ]);
  expect(serviceKind(fakeHost({ os: "freebsd" }), places, ["/cc"])).toBe(undefined);
});

Deno.test("the service unpacks itself where its installer did", async () => {
  const env = { COMPUTER_CONTROL_CACHE: "/a & b", COMPUTER_CONTROL_TOKEN: "s3cret" };
  const unit = serviceKind(fakeHost({ env }), places, ["/cc"])!;
  expect(unit.text).toContain('\nEnvironment="COMPUTER_CONTROL_CACHE=/a & b"\n');
  const agent = serviceKind(fakeHost({ os: "darwin", env }), places, ["/cc"])!;
  expect(await readPlist(agent.text)).toMatchObject({
    EnvironmentVariables: { COMPUTER_CONTROL_CACHE: "/a & b" },
  });
  expect(unit.text + agent.text).not.toContain("s3cret");
});

const displays: [string[], string[]][] = [
  [[], ["WAYLAND_DISPLAY=wayland-5", "DISPLAY=:7", "XAUTHORITY=/x"]],
  [["--display=2=:9"], ["WAYLAND_DISPLAY=wayland-5", "DISPLAY=:7", "XAUTHORITY=/x"]],
  [["--display=:9"], ["XAUTHORITY=/x"]],
  [["--virtual-display=800x600"], ["XAUTHORITY=/x"]],
];

for (const [flags, expected] of displays) {
  Deno.test(`the systemd unit keeps the display where no flag says it: ${flags}`, () => {
    const session = { WAYLAND_DISPLAY: "wayland-5", DISPLAY: ":7", XAUTHORITY: "/x" };
    const host = fakeHost({ env: { ...session, TOKEN: "s3cret" } });
    const { text } = serviceKind(host, places, ["/cc", ...flags])!;
    expect(text.match(/(?<=^Environment=).*/gm) ?? []).toEqual(expected);
  });
}

/** By Python's own reader of property lists. */
async function readPlist(text: string): Promise<unknown> {
  await using folder = await testFolder();
  await Deno.writeTextFile(`${folder.path}/plist`, text);
  const script = "import plistlib,json,sys; " +
    "print(json.dumps(plistlib.load(open(sys.argv[1], 'rb'))))";
  const command = new Deno.Command("/usr/bin/python3", {
    args: ["-c", script, `${folder.path}/plist`],
  });
  const { stdout, stderr, success } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
