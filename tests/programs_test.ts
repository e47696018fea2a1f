/** Every program that is started stands in the table of packages, from which setup installs. */

import { expect } from "expect";
import { PACKAGES } from "../src/platform/linux/setup/programs.ts";
import { programsInShell, programsInWords } from "./support/programs/shell_words.ts";
import { startedPrograms } from "./support/programs/started_programs.ts";

const ROOT = new URL("../", import.meta.url);
const FOLDERS = ["src/", "tests/", "tools/", "bench/", ".ci/", ".github/", "examples/", "deploy/"];

/**
 * Used where present and never installed, because they belong to the system, to Node or to another
 * system.
 */
const NEVER_INSTALLED = (
  "apt-config apt-get deno docker dpkg dpkg-query git ip node npm npx open openssl sudo systemctl systemd-analyze sha256 " +
  "shasum xdg-open"
).split(" ");

/** Of systems that no Debian package is for. */
const OTHER_SYSTEMS = {
  macos: ["cliclick", "osascript", "screencapture", "security"],
  windows: ["attrib", "call", "cmd", "notepad", "npm.cmd", "ping", "start", "taskkill"],
};
/** Programs of wine, which it starts itself. */
const OF_WINE = ["wineboot", "winecfg"];
/** Tests make them up, or expect them to be missing. */
const MADE_UP = ["/bin/deno", "/cc", "a", "b", "fake", "no-such-program", "no-such-program-here"];
/** What looks like a program to this test: words of the service's own command line. */
const OWN = [
  "computer-control",
  "install-service",
  "uninstall-service",
  "token",
  "tools/newcomer.sh",
];
/** What tasks of their own need, which say so where it is missing: `deno task test:image`, `test:kubernetes`. */
const OF_DEPLOYMENT = [
  ...["podman", "go", "nice", "containerd", "etcd", "nsenter", "openssl", "ip", "realpath"],
  ...["kubectl", "kubelet", "kube-apiserver", "kube-controller-manager", "kube-scheduler"],
];
/** The same in requests to interfaces of other projects: their commands, and lines of Python. */
const OF_INTERFACES = [
  ...["file_exists", "get_accessibility_tree", "run_command", "python", "enter"],
  ...["pyautogui.FAILSAFE", "pyautogui.moveTo", "pyautogui.press", "pyautogui.write"],
];

/** File and start of the line -> where its program is named; the finder does not see it. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = {
  "tests/examples_test.ts": "the table of examples",
  "tests/features/waiting/wait_for_process_test.ts": "scripts and copies of sh that it makes",
  "tests/readme_test.ts": "the table of languages; the terminal one is curl",
  "bench/pictures.ts": "peers in the same function",
  "tests/support/windows/program.ts": "openProgram(desktop, name)",
  "tests/support/wine.ts": "findWine(), and setarch in fixedAddresses()",
  "tests/tools/mcpb_test.ts": "the program in a bundle, which is this one",
  "tests/tools/unpacking_test.ts": "builtExecutable()",
  "src/platform/helper_program.ts": "what calls spawnInSession(), and setsid there",
};

const typescript = await filesEndingWith(".ts");
const started = startedPrograms(typescript);
const scripts = await filesEndingWith(".sh", ".ci/run");

Deno.test("every program that is started stands in the table of packages", () => {
  const known = new Set([
    ...PACKAGES.flatMap(({ programs }) => programs.flat()),
    ...[
      ...NEVER_INSTALLED,
      ...Object.values(OTHER_SYSTEMS).flat(),
      ...OF_WINE,
      ...MADE_UP,
      ...OWN,
      ...OF_DEPLOYMENT,
      ...OF_INTERFACES,
    ],
  ]);
  const unknown = [...started.programs].filter(([program]) => !known.has(program));
  expect(Object.fromEntries(unknown)).toEqual({});
  // parts of one script, which call each other's functions
  const inScripts = programsInShell([...scripts.values()].join("\n"));
  expect(inScripts.filter((program) => !known.has(program))).toEqual([]);
});

Deno.test("a program that is started is named where this test can see it", () => {
  const files = started.unnamed.map((place) => place.split(":")[0]!);
  expect(files.filter((file) => !(file in NAMED_ELSEWHERE))).toEqual([]);
  expect(Object.keys(NAMED_ELSEWHERE).filter((file) => !files.includes(file))).toEqual([]);
});

Deno.test("no script in Python starts a program", async () => {
  const scripts = await filesEndingWith(".py");
  expect(scripts.size).toBeGreaterThan(0);
  const starting = /\b(subprocess|popen|pty\.spawn|os\.(system|exec\w+|spawn\w+|posix_spawn\w*))\b/;
  expect([...scripts].filter(([, text]) => starting.test(text)).map(([path]) => path)).toEqual([]);
});

Deno.test("no promise is expected of a program that is missing: output() throws at once", () => {
  const waiting = /\.output\(\)\s*\.(catch|then)\(/;
  expect([...typescript].filter(([, text]) => waiting.test(text)).map(([path]) => path)).toEqual(
    [],
  );
});

Deno.test("every package of the table is needed", () => {
  const text = [...typescript, ...scripts].filter(([path]) => !path.endsWith("setup/programs.ts"))
    .map(([, text]) => text).join("\n");
  const words = new Set(text.match(/[\w./+-]+/g));
  const unused = PACKAGES.filter((
    { programs, module = "" },
  ) => ![...programs.flat(), module].some((name) => words.has(name)));
  expect(unused.map(({ name }) => name)).toEqual([]);
});

const sources: [string, string, string[]][] = [
  ["a name", `new Deno.Command("one", { args: ["x"] });`, ["one"]],
  ["a constant", `const A = "one"; new Deno.Command(A);`, ["one"]],
  ["one of two", `new Deno.Command(a ? "one" : "two");`, ["one", "two"]],
  ["what is looked for", `host.which("one") ?? host.run("two", []);`, ["one", "two"]],
  ["a shell", `new Deno.Command("sh", { args: ["-c", "one | two"] });`, ["sh", "one", "two"]],
  ["a shell in a list", `f(["unshare", "-n", "sh", "-c", \`one \${x}; two\`]);`, [
    ...["unshare", "sh", "one", "two"],
  ]],
  ["wrappers", `new Deno.Command("nice", { args: ["-n", "5", "one"] });`, ["nice", "one"]],
  ["a command line", `const [p, ...rest] = [...through, "one", "x"];`, ["one"]],
  ["a list of its own", `const kinds = [["x", ["one", "--"]]]; f(["two", "-x", y]);`, [
    "one",
    "two",
  ]],
  ["spread lists", `const u = a ? ["setpriv", "--x"] : []; const [p, ...r] = [...u, "one"];`, [
    ...["setpriv", "one"],
  ]],
  ["a function of its own", `function f(p: string) { new Deno.Command(p); } f("one");`, ["one"]],
  [
    "what it gives to a shell",
    `const f = (p: string) => {
    new Deno.Command("sh", { args: ["-c", 'exec "$@"', p] });
  }; f("one");`,
    ["sh", "one"],
  ],
  ["a command of the service", `call("bash/command", { command: "one && two" });`, ["one", "two"]],
];

for (const [name, source, expected] of sources) {
  Deno.test(`startedPrograms() finds ${name}`, () => {
    const { programs, unnamed } = startedPrograms(new Map([["tests/x.ts", source]]));
    expect([[...programs.keys()].sort(), unnamed]).toEqual([[...expected].sort(), []]);
  });
}

Deno.test("startedPrograms() says where a program is not named", () => {
  const files = new Map([["tests/x.ts", "\nnew Deno.Command(find());"]]);
  expect(startedPrograms(files).unnamed).toEqual(["tests/x.ts:2"]);
});

const lines: [string, string[]][] = [
  ["A=1 one -x 'two three' > four; five & six", ["one", "five", "six"]],
  ["if one; then two; fi || exec three 2>&1", ["one", "two", "three"]],
  ['echo "$(one "$(two)")" $(three) $((1 + 2)) # four', ["one", "two", "three"]],
  ['for a in b c; do one "$a"; done', ["one"]],
  ["timeout -s KILL 5 env -u A B=1 sudo one | xargs -n 1 two", [
    ...["timeout", "env", "sudo", "one", "xargs", "two"],
  ]],
  ["sh -ec 'one; two' x", ["sh", "one", "two"]],
  ["find . -name x -exec one {} +", ["find", "one"]],
  ["cat <<END\none\nEND\ntwo", ["cat", "two"]],
  ["a() { one; }\na", ["one"]],
  ["$program x; ${other}; \\\n one", ["one"]],
];

for (const [line, expected] of lines) {
  Deno.test(`programsInShell() finds the programs of ${JSON.stringify(line)}`, () => {
    expect(programsInShell(line).sort()).toEqual([...expected].sort());
  });
}

Deno.test("programsInWords() leaves out what is no name", () => {
  expect(["two words", "-x", "3", ""].flatMap((word) => programsInWords([word]))).toEqual([]);
});

async function filesEndingWith(...ends: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of FOLDERS) {
    for await (const path of filesBelow(folder)) {
      if (!ends.some((end) => path.endsWith(end))) continue;
      found.set(path, await Deno.readTextFile(new URL(path, ROOT)));
    }
  }
  return found;
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
      if (isDirectory) yield* filesBelow(`${folder}${name}/`);
      else yield `${folder}${name}`;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // no examples yet
  }
}
