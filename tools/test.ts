/**
 * `deno task test`: runs the tests that are quick, most files side by side in one process, and beside them another
 * process with one file after the other; last, the few that need the computer for themselves. `deno task test:all`
 * (`--all`) runs all files, and in full what repeats something many times; `deno task test:rest` (`--rest`) what
 * `deno task test` leaves to it. Types are not checked: `deno task verify` does that. With other arguments it runs
 * `deno test` with them.
 */

import { stripVTControlCharacters } from "node:util";
import { readImports, reasonToLeaveOut } from "./test_systems.ts";

interface Left {
  readonly reason: string;
  /** Beginnings of paths. */
  readonly files: readonly string[];
}

/**
 * What `deno task test` leaves to `deno task test:all`. Whatever is not named here, and so every new file, is in both:
 * a file comes here when it needs programs that only `deno task setup --for wine wayland` installs, or when it alone
 * takes a processor for more than 10 seconds.
 */
export const LEFT_TO_ALL: readonly Left[] = [
  { reason: "they run under wine", files: ["tests/windows/"] },
  {
    reason: "they need whole Wayland desktops",
    files: [
      "tests/platform/linux/pipewire/stream_test.ts",
      "tests/platform/linux/wayland/contract/",
      "tests/platform/linux/wayland/data_control_test.ts",
      "tests/platform/linux/wayland/kde/",
      "tests/platform/linux/wayland/mutter/",
      "tests/platform/linux/wayland/portal/",
      "tests/platform/linux/wayland/trouble/",
      "tests/platform/linux/wayland/wlroots/",
      "tests/cli/doctor_wayland_test.ts",
      "tests/support/wayland/",
    ],
  },
  {
    reason: "they need Firefox, LibreOffice or the editors of three toolkits",
    files: [
      "tests/real_programs/",
      "tests/strangers/day_test.ts",
      "tests/strangers/osworld/tree_load_test.ts",
      "tests/platform/linux/atspi/browsers_test.ts",
      "tests/platform/linux/atspi/editors_test.ts",
      "tests/platform/linux/atspi/trouble_test.ts",
    ],
  },
  {
    reason: "they ask, kill or attack many times",
    files: [
      "tests/attacks/",
      "tests/chaos/",
      "tests/fuzz/",
      "tests/features/agents/any_answer_test.ts",
      "tests/features/bash/many_commands_test.ts",
      "tests/features/browser/hostile_pages_test.ts",
      "tests/features/filesystem/failing_disk_test.ts",
      "tests/features/trail/faults_test.ts",
      "tests/features/trail/trajectory/harbor_test.ts",
      "tests/platform/linux/atspi/hostile_test.ts",
      "tests/simulation/failing_accessibility_bus_test.ts",
      "tests/simulation/failing_browser_test.ts",
      "tests/simulation/failing_calls_test.ts",
      "tests/simulation/failing_files_test.ts",
      "tests/simulation/failing_keyring_test.ts",
      "tests/simulation/failing_trail_test.ts",
      "tests/simulation/failing_wayland_test.ts",
      "tests/simulation/failing_x_server_test.ts",
      "tests/simulation/new_seeds_test.ts",
      "tests/simulation/regressions_test.ts",
    ],
  },
  {
    reason: "they start the program dozens of times, or build it",
    files: [
      "tests/cli/call_requests_test.ts",
      "tests/cli/call_test.ts",
      "tests/cli/completion_test.ts",
      "tests/cli/doctor",
      "tests/cli/npx_test.ts",
      "tests/cli/serve_test.ts",
      "tests/cli/stop_test.ts",
      "tests/examples_test.ts",
      "tests/mcp/stdio_test.ts",
      "tests/tools/bundle_test.ts",
      "tests/tools/executable_test.ts",
      "tests/tools/npm_package_test.ts",
      "tests/tools/unpacking",
    ],
  },
  {
    reason: "they start stand-ins for the programs of macOS, hundreds of times",
    files: [
      "tests/platform/macos/changes_test.ts",
      "tests/platform/macos/operations_test.ts",
      "tests/platform/macos/typing_test.ts",
    ],
  },
  {
    reason: "they fetch many packages of their own",
    files: [
      "tests/client/node_desk_test.ts",
      "tests/client/pytest_desk_test.ts",
      "tests/compat/agent_sandbox_test.ts",
      "tests/compat/cua_test.ts",
      "tests/compat/osworld_test.ts",
      "tests/mcp/conformance/",
      "tests/mcp/inspector/",
      "tests/telemetry/",
      "tests/tools/mcpb_test.ts",
    ],
  },
  {
    reason: "they are slow otherwise",
    files: [
      "tests/client/browser_toolsets_test.ts",
      "tests/features/agents/anthropic/precision_test.ts",
      "tests/features/agents/gemini/functions_test.ts",
      "tests/features/agents/ui_tars/actions_test.ts",
      "tests/features/browser/logins_test.ts",
      "tests/features/browser/reached_test.ts",
      "tests/features/browser/trouble_test.ts",
      "tests/features/clipboard/x11_test.ts",
      "tests/features/desks/agents_test.ts",
      "tests/features/desks/lifecycle_test.ts",
      "tests/features/display/formats_test.ts",
      "tests/features/display/model_clicks_test.ts",
      "tests/features/editor/crash_test.ts",
      "tests/features/recording/endings_test.ts",
      "tests/features/recording/files_test.ts",
      "tests/features/recording/order_of_start_test.ts",
      "tests/features/recording/recording_test.ts",
      "tests/features/recording/service_end_test.ts",
      "tests/mcp/effects_test.ts",
      "tests/platform/linux/virtual/own_buses_test.ts",
    ],
  },
];

/** What builds images, and a cluster: tasks of their own, `deno task test:image` and `test:kubernetes`. */
export const OWN_TASKS = ["tests/deploy/image_test.ts", "tests/deploy/kubernetes_test.ts"];

/** Folders and beginnings of files: they count the programs that run under wine, and there is one at a time. */
export const WINE = ["tests/windows/"];

/** Those whose tests need a process for themselves. */
export const ALONE = [
  "tests/platform/windows/", // on Windows they share one desktop, with one keyboard
  "tests/platform/posix/", // they look at the children and the priority of their process
  "tests/features/bash/", // the same
  "tests/platform/keychain/full_disk_test.ts", // programs that others start hold its lock until they run
  "tests/platform/linux/displays/other_user_test.ts",
  "tests/platform/linux/x11/screen_reader_test.ts", // it counts the shared memory of its process
  "tests/platform/linux/bus/message_bus_test.ts", // it counts its open files, as those that follow
  "tests/platform/linux/pipewire/stream_test.ts",
  "tests/simulation/failing_keyring_test.ts",
  "tests/simulation/failing_wayland_test.ts",
  "tests/platform/linux/wayland/client_test.ts",
  "tests/platform/linux/wayland/message_socket_test.ts",
  "tests/platform/linux/sockets/pipe_test.ts",
  "tests/platform/linux/wayland/wlroots/pictures_test.ts",
  "tests/platform/linux/wayland/wlroots/trouble_test.ts",
  "tests/platform/linux/wayland/trouble/nonsense_test.ts",
  "tests/support/wayland/proxy_test.ts",
  "tests/cli/terminal_test.ts",
  "tests/http/body_test.ts", // they measure the memory of their process
  "tests/http/files_route_test.ts",
  "tests/features/recording/endings_test.ts", // it looks for the ffmpeg that its process has started, and hides it
  "tests/features/editor/view_test.ts", // it counts what its process reads
  "tests/features/editor/in_place_test.ts", // these become another user for a while, with the whole process
  "tests/features/filesystem/copy_rights_test.ts",
  "tests/features/filesystem/move_to_other_test.ts",
  "tests/features/filesystem/move_whole_test.ts",
  "tests/features/filesystem/strange_entries_test.ts",
  "tests/platform/private_folder_test.ts",
];

/** Those that hardly do anything but wait until something is given up: they would only keep others from running. */
export const WAITING = [
  "tests/cli/doctor_wayland_test.ts",
  "tests/cli/serve_test.ts",
  "tests/cli/stop_test.ts",
  "tests/features/accessibility/act_test.ts",
  "tests/features/accessibility/target_test.ts",
  "tests/features/keychain/order_test.ts",
  "tests/features/keychain/throttle_service_test.ts",
  "tests/http/connections/crowded_test.ts",
  "tests/platform/linux/clipboard/pasting_test.ts",
  "tests/platform/linux/virtual/display_records_test.ts",
  "tests/platform/linux/x11/scratch_key",
  "tests/platform/macos/",
];

/**
 * Those that need a computer which does nothing else meanwhile: they drive programs that merge or lose
 * what comes while they have no processor. They come last.
 */
export const LAST = [
  "tests/real_programs/",
  "tests/strangers/day_test.ts",
  "tests/platform/linux/xdotool/xdotool_test.ts",
  "tests/platform/linux/wayland/contract/",
  "tests/platform/linux/wayland/portal/gnome_version_2_test.ts", // the same contract
  // GTK 3 ends itself when a compositor without a processor does not read its answers
  "tests/platform/linux/wayland/mutter/slow_field_test.ts",
];

const CONFIG = ["-c", "deno.dev.json"];
const OF_TESTS = [...CONFIG, "--preload", "tests/support/last_turn.ts"];
/** Beside them run one under wine and one of the others: most tests wait for something. */
const FILES_AT_ONCE = navigator.hardwareConcurrency;
/** Several times what the longest run takes: then a test hangs, and which one is better said than waited for. */
const LIMIT_MS = 40 * 60_000;

/** Of a run that crashed: they name the files that ran then. */
const LAST_LINES = 20;

/** Each run of everything is one line: a test that fails only sometimes can be told by them. */
const VERDICTS = "tests/verdicts.tsv";

interface Outcome {
  readonly success: boolean;
  readonly output: string;
}

type Part = "quick" | "all" | "rest";

if (import.meta.main) {
  const [first, ...others] = Deno.args;
  const part = first === "--all" ? "all" : first === "--rest" ? "rest" : "quick";
  const args = part === "quick" ? Deno.args : others;
  Deno.exit(args.length > 0 ? await runAsItIs(args, part !== "quick") : await runFiles(part));
}

async function runAsItIs(args: readonly string[], isFull: boolean): Promise<number> {
  const test = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", ...OF_TESTS, ...args],
    env: extent(isFull),
  });
  return (await test.spawn().status).code;
}

/** See `tests/support/extent.ts`. */
function extent(isFull: boolean): Record<string, string> {
  return isFull ? { TEST_EXTENT: "full" } : {};
}

async function runFiles(part: Part): Promise<number> {
  const startedAt = performance.now();
  const isFull = part !== "quick";
  const commit = await commitNow();
  await fetchPackages();
  const every = [...testFiles("tests")].filter((file) => !OWN_TASKS.includes(file));
  const all = await filesOfThisSystem(every.sort());
  const files = part === "all" ? all : part === "rest" ? await left(all) : withoutSlow(all);
  const of = (starts: readonly string[]) =>
    files.filter((file) => starts.some((start) => file.startsWith(start)));
  const [wine, last] = [of(WINE), of(LAST)];
  const single = [...of(ALONE), ...of(WAITING)];
  const apart = new Set([...wine, ...last, ...single]);
  const quiet = [wine, single].map((lane) => runTests(lane, { isShown: false, isFull }));
  const others = files.filter((file) => !apart.has(file));
  const outcomes = [await runTests(["--parallel", ...others], { isShown: true, isFull })];
  for (const outcome of await Promise.all(quiet)) {
    console.log(`\n${outcome.output}`);
    outcomes.push(outcome);
  }
  // `deno task test:programs` runs the real programs in full: 20 minutes of them
  outcomes.push(await runTests(last, { isShown: true, isFull: false }));
  for (const { success, output } of outcomes) if (!success) console.log(errorsIn(output));
  const elapsedMs = performance.now() - startedAt;
  console.log(summary(outcomes, elapsedMs));
  if (isFull) await noteVerdict({ part, commit }, outcomes, elapsedMs);
  return outcomes.every(({ success }) => success) ? 0 : 1;
}

/** By one process, before those that run side by side would each fetch all; what is missing then, the tests say. */
async function fetchPackages(): Promise<void> {
  const install = new Deno.Command(Deno.execPath(), {
    args: ["install", ...CONFIG],
    // Deno asks for the address once per package, and some name servers drop what comes at once: by default the
    // system asks again after 5 seconds only
    env: { RES_OPTIONS: "timeout:1 attempts:5" },
    stdin: "null",
  });
  await install.spawn().status;
}

/** What went wrong, once more: it may stand far above. */
function errorsIn(output: string): string {
  const at = output.lastIndexOf("\n ERRORS \n");
  return at < 0 ? output.slice(-4_000) : output.slice(at);
}

function reasonToLeave(file: string): string | undefined {
  return LEFT_TO_ALL.find((left) => left.files.some((start) => file.startsWith(start)))?.reason;
}

/** The files that `deno task test` leaves out, and those that it runs in part. */
async function left(files: readonly string[]): Promise<string[]> {
  const isLeft = async (file: string) =>
    reasonToLeave(file) !== undefined || (await Deno.readTextFile(file)).includes('/extent.ts"');
  const those = await Promise.all(files.map(isLeft));
  return files.filter((_, index) => those[index]);
}

/** Prints what is left to `deno task test:all`. */
function withoutSlow(files: readonly string[]): string[] {
  const reasons = Map.groupBy(files, reasonToLeave);
  for (const [reason, left] of reasons) {
    if (reason === undefined) continue;
    console.log(`Left to \`deno task test:all\`: ${left.length} files, because ${reason}`);
  }
  return reasons.get(undefined) ?? [];
}

/** Prints what is left out, and why. */
async function filesOfThisSystem(files: readonly string[]): Promise<string[]> {
  const imports = await readImports(new URL("../", import.meta.url));
  const reasons = Map.groupBy(
    files,
    (file) => reasonToLeaveOut(file.replaceAll("\\", "/"), Deno.build.os, imports),
  );
  for (const [reason, left] of reasons) {
    if (reason === undefined) continue;
    console.log(`Left out on ${Deno.build.os}: ${left.length} files, because ${reason}`);
  }
  return reasons.get(undefined) ?? [];
}

export function* testFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testFiles(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

/** Runs `deno test`; its output comes at once where it is shown, and in any case at the end. */
async function runTests(
  args: readonly string[],
  { isShown, isFull }: { readonly isShown: boolean; readonly isFull: boolean },
): Promise<Outcome> {
  if (args.length === 0) return { success: true, output: "" }; // it would run all
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...OF_TESTS, ...args],
    env: { DENO_JOBS: String(FILES_AT_ONCE), ...extent(isFull) },
    stdin: "null",
    stdout: "piped",
    stderr: isShown ? "inherit" : "piped",
  }).spawn();
  const interrupted = setTimeout(() => child.kill("SIGINT"), LIMIT_MS); // Deno names what still runs
  const killed = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS + 10_000);
  let output = "";
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      output += decoder.decode(bytes, { stream: true });
      if (isShown) Deno.stdout.writeSync(bytes);
    }
  };
  await Promise.all([read(child.stdout), ...(isShown ? [] : [read(child.stderr)])]);
  const { success, code, signal } = await child.status;
  clearTimeout(interrupted);
  clearTimeout(killed);
  if (!success && summaryOf(output) === undefined) {
    const last = output.trimEnd().split("\n").slice(-LAST_LINES).map((line) => `  | ${line}`);
    const how = `error: Deno ended before the tests did, by ${
      signal ?? `exit code ${code}`
    }, after`;
    output += ["", how, ...last, ""].join("\n");
  }
  return { success, output };
}

/** Deno's last line. */
function summaryOf(output: string): string | undefined {
  return stripVTControlCharacters(output).match(/^(?:ok|FAILED) \| .*$/gm)?.at(-1);
}

/** A run that ended without a summary has failed. */
function count(outcomes: readonly Outcome[]) {
  const lines = outcomes.map(({ output }) => summaryOf(output) ?? "");
  const countOf = (word: string) =>
    lines.map((line) => Number(line.match(`\\| (\\d+) ${word}`)?.[1] ?? 0))
      .reduce((sum, each) => sum + each);
  const broken = outcomes.filter(({ success }) => !success).length;
  const failed = Math.max(countOf("failed"), broken);
  return { passed: countOf("passed"), failed, ignored: countOf("ignored") };
}

/** One line in the form of Deno's own, for all runs. */
function summary(outcomes: readonly Outcome[], elapsedMs: number): string {
  const { passed, failed, ignored } = count(outcomes);
  const seconds = Math.round(elapsedMs / 1000);
  const words = `${passed} passed | ${failed} failed | ${ignored} ignored`;
  const time = `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `${failed === 0 ? "ok" : "FAILED"} | ${words} (${time})`;
}

async function noteVerdict(
  { part, commit }: { readonly part: Part; readonly commit: string },
  outcomes: readonly Outcome[],
  elapsedMs: number,
): Promise<void> {
  const { passed, failed } = count(outcomes);
  const fields = [
    commit,
    new Date().toISOString().slice(0, 16),
    part,
    navigator.hardwareConcurrency,
    Deno.loadavg()[2]!.toFixed(1),
    Math.round(elapsedMs / 1000),
    passed,
    failed,
    namesOfFailed(outcomes).join(", "),
  ];
  await Deno.writeTextFile(VERDICTS, `${fields.join("\t")}\n`, { append: true });
}

/** With `+` where something is not committed. */
async function commitNow(): Promise<string> {
  try {
    const { stdout: head } = await new Deno.Command("git", {
      args: ["rev-parse", "--short", "HEAD"],
      stderr: "null",
    }).output();
    const { stdout: changes } = await new Deno.Command("git", {
      args: ["status", "--porcelain", "--", ".", `:!${VERDICTS}`],
      stderr: "null",
    }).output();
    return new TextDecoder().decode(head).trim() + (changes.length > 0 ? "+" : "");
  } catch {
    return ""; // a copy without its history, or no git
  }
}

/** As Deno lists them last. */
function namesOfFailed(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ success }) => !success).flatMap(({ output }) => {
    const last = stripVTControlCharacters(output).split("\n FAILURES \n").at(-1)!;
    return [...last.matchAll(/^(.+) => \.\/\S+$/gm)].map((match) => match[1]!);
  });
}
