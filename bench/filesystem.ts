/** A tree of a million entries: search and tree beside GNU find and fd, memory, other requests meanwhile; and str-replace beside sed. */

import { startXvfb } from "../tests/support/xvfb.ts";
import { makeMillionEntries, makeTextFile } from "./filesystem_data.ts";
import { growthDuring, repeatWhile, timeCommand, timePost } from "./filesystem_measure.ts";
import { type Started, startServer } from "./process.ts";
import { describeMachine, row, section } from "./report.ts";
import { type Figures, measure } from "./wrk.ts";

const ROUNDS = 5;
const MATCHES = 1_000;
const FILE_BYTES = 10 * 1024 * 1024;
const WHOLE = { max_depth: 4_096, max_entries: 1_000_000 };

if (import.meta.main) {
  section(`${new Date().toISOString().slice(0, 10)}, ${await describeMachine()}`);
  await benchFilesystem();
}

export async function benchFilesystem(): Promise<void> {
  await using xvfb = await startXvfb({ size: "1920x1080" });
  const memory = await exists("/dev/shm") ? "/dev/shm" : "/tmp";
  const root = await Deno.makeTempDir({ dir: memory });
  const disk = await Deno.makeTempDir();
  try {
    const args = ["--port", "0", "--display", `1=${xvfb.display}`, "--state-dir", `${disk}/state`];
    await using service = await startServer("../main.ts", args);
    await makeMillionEntries(root);
    await benchWalks(service, root);
    await benchOthersMeanwhile(service, root);
    section(`str-replace of ${MATCHES} matches in 10 MiB: median ms of ${ROUNDS}`);
    await benchReplace(service, `${root}/text`, "in memory");
    await benchReplace(service, `${disk}/text`, "on disk");
  } finally {
    await Deno.remove(root, { recursive: true });
    await Deno.remove(disk, { recursive: true });
  }
}

async function benchWalks({ port, pid }: Started, root: string): Promise<void> {
  const few = { root_path: root, pattern: "*.needle", max_results: 10_000 };
  const early = { root_path: root, pattern: "*.txt", max_results: 100 };
  const jobs: Record<string, () => Promise<number>> = {
    search: () => timePost(port, "/api/filesystem/search", few),
    "search, early": () => timePost(port, "/api/filesystem/search", early),
    tree: () => timePost(port, "/api/filesystem/tree", { path: root, ...WHOLE }),
    find: () => timeCommand("find", [root, "-name", "*.needle"]),
    "find, all": () => timeCommand("find", [root]),
    fd: () => timeCommand("fdfind", ["-uu", "-g", "*.needle", root]),
  };
  const times = await inTurn(jobs);
  section(`a tree of 1,000,000 entries: median ms of ${ROUNDS}, share of find`);
  for (const [name, ms] of Object.entries(times)) {
    const beside = name === "tree" ? times["find, all"]! : times["find"]!;
    row(name, [ms.toFixed(0), (ms / beside).toFixed(2)]);
  }
  row("early search, share of the whole search", [
    (times["search, early"]! / times["search"]!).toFixed(4),
  ]);
  section("growth of the service's memory at its peak, MiB");
  row("search", [await growthDuring(pid, jobs["search"]!)]);
  row("tree", [await growthDuring(pid, jobs["tree"]!)]);
}

/** Rounds of all, one after the other, so that a noisy moment hits all; the first only warms up. */
async function inTurn(
  jobs: Readonly<Record<string, () => Promise<number>>>,
): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, job] of Object.entries(jobs)) {
      const ms = await job();
      if (round > 0) (times[name] ??= []).push(ms);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, middle(all)]));
}

async function benchOthersMeanwhile({ port }: Started, root: string): Promise<void> {
  const search = { root_path: root, pattern: "*.needle", max_results: 10_000 };
  const tree = { path: root, ...WHOLE };
  const loads = {
    idle: undefined,
    "during searches": () => timePost(port, "/api/filesystem/search", search),
    "during trees": () => timePost(port, "/api/filesystem/tree", tree),
    "during find, for comparison": () => timeCommand("find", [root]),
  } as const;
  const figures: Record<string, Figures[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, load] of Object.entries(loads)) {
      const moved = load === undefined
        ? await moves(port)
        : await repeatWhile(load, () => moves(port));
      (figures[name] ??= []).push(moved);
    }
  }
  section("mouse/move, 1 connection: requests/s, p50 µs, p99 µs, p99 times idle; all p99 µs");
  const idle = byP99(figures["idle"]!);
  for (const [name, all] of Object.entries(figures)) {
    const { perSecond, p50, p99 } = byP99(all);
    row(name, [...[perSecond, p50, p99].map(Math.round), (p99 / idle.p99).toFixed(2)]);
    row("", all.map((each) => Math.round(each.p99)));
  }
}

function moves(port: number): Promise<Figures> {
  const body = { x: 300, y: 200 };
  return measure({ port, path: "/api/mouse/move", body, connections: 1, seconds: 3 });
}

/** The middle of several runs, by the slowest hundredth. */
function byP99(runs: readonly Figures[]): Figures {
  return runs.toSorted((one, other) => one.p99 - other.p99)[Math.floor(runs.length / 2)]!;
}

async function benchReplace({ port }: Started, path: string, where: string): Promise<void> {
  await makeTextFile(path, { bytes: FILE_BYTES, matches: MATCHES, word: "needle-a" });
  let [from, to] = ["needle-a", "needle-bb"];
  const times = await inTurn({
    service: () => {
      const body = { path, old_str: from, new_str: to };
      [from, to] = [to, from];
      return timePost(port, "/api/editor/str-replace", body);
    },
    "sed -i": () => {
      const script = `s/${from}/${to}/g`;
      [from, to] = [to, from];
      return timeCommand("sed", ["-i", script, path]);
    },
    "sed -i, then sync of the file and its folder": () => {
      const script = `s/${from}/${to}/g`;
      [from, to] = [to, from];
      const synced = `sed -i '${script}' '${path}' && sync '${path}' "$(dirname '${path}')"`;
      return timeCommand("sh", ["-c", synced]);
    },
  });
  for (const [name, ms] of Object.entries(times)) {
    row(`${name}, ${where}`, [ms.toFixed(1), (ms / times["sed -i"]!).toFixed(2)]);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
