/** The keychain on the encrypted file: how fast `authenticate` is with 10,000 items, and that its time tells nothing. */

import { type App, createApp } from "../src/http/app.ts";
import { readConfig } from "../src/config/config.ts";
import { itemToText } from "../src/features/secrets/stored.ts";
import { Session } from "../src/features/session.ts";
import { FileKeychain, keychainPath } from "../src/platform/keychain/file_keychain.ts";
import { openLinuxFileSystem } from "../src/platform/linux/files/file_system.ts";
import type { Keychain, Platform } from "../src/platform/types/mod.ts";
import { openUnsupported } from "../src/platform/mod.ts";
import { row, section } from "./report.ts";

const ITEMS = 10_000;
const SECONDS = 3;
const AT_ONCE = 16;
const ROUNDS = 1_500;
/** Rounds before the first that counts, for the compiler. */
const WARM_UP = 500;
/** Below the throttle: each service name is tried this often. */
const TRIES = 5;
const LENGTHS = [1, 16, 17, 1_000, 20_000];
const PASSWORD = "correct-horse-16";

if (import.meta.main) await benchKeychain();

export async function benchKeychain(): Promise<void> {
  const stateDir = await Deno.makeTempDir();
  try {
    await using keychain = new FileKeychain({ path: keychainPath(stateDir) });
    section(`keychain: the encrypted file with ${ITEMS} items`);
    await benchWriting(keychain);
    await benchOpening(keychain, keychainPath(stateDir));
    await benchRate(keychain);
    await benchTiming(keychain);
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function benchWriting(keychain: Keychain): Promise<void> {
  const text = itemToText(new Map([["username", "ann"], ["password", PASSWORD]]));
  const start = performance.now();
  await Promise.all(range(ITEMS).map((number) => keychain.write(`service ${number}`, text)));
  row("items stored per second, all at once", [perSecond(ITEMS, start)]);
  const single = performance.now();
  for (const number of range(50)) await keychain.write(`service ${number}`, text);
  row("items stored per second, one after the other, each synced", [perSecond(50, single)]);
}

async function benchOpening(keychain: Keychain, path: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  row("size of the file in KiB", [Math.round(bytes.byteLength / 1024)]);
  await Deno.utime(path, 1, 1); // as if somebody had replaced it
  const start = performance.now();
  await keychain.names();
  row("ms to read and check the file", [(performance.now() - start).toFixed(1)]);
}

async function benchRate(keychain: Keychain): Promise<void> {
  const app = appOn(keychain);
  row("authenticate inside the process, per second", [await rateOf(answerOf(app.fetch))]);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.fetch);
  const address = `http://127.0.0.1:${server.addr.port}`;
  const overHttp = answerOf((request) =>
    fetch(new Request(request.url.replace("http://localhost", address), request))
  );
  row("authenticate over HTTP, client in the same process", [await rateOf(overHttp)]);
  await server.shutdown();
}

/** Right answers per second. */
async function rateOf(answer: Answer): Promise<number> {
  let done = 0;
  const start = performance.now();
  await Promise.all(
    range(AT_ONCE).map(async (lane) => {
      while (performance.now() - start < SECONDS * 1000) {
        const service = `service ${(lane + AT_ONCE * done) % ITEMS}`;
        if (await answer(service, "password", PASSWORD) !== "true") {
          throw new Error("A wrong answer");
        }
        done++;
      }
    }),
  );
  return perSecond(done, start);
}

interface Kind {
  readonly service: string;
  readonly type: string;
}

/** All kinds in turn, so that a noisy moment hits all; the median of each. */
async function benchTiming(keychain: Keychain): Promise<void> {
  section("median µs of authenticate with a wrong answer, and the widest difference");
  for (const length of LENGTHS) {
    const value = "x".repeat(length);
    const times: Record<string, number[]> = {
      "missing service": [],
      "missing field": [],
      wrong: [],
    };
    let answer = answerOf(appOn(keychain).fetch);
    for (const round of range(WARM_UP + ROUNDS)) {
      if (round % TRIES === 0) answer = answerOf(appOn(keychain).fetch);
      for (const [name, { service, type }] of shuffled(kindsOf(round))) {
        const start = performance.now();
        if (await answer(service, type, value) !== "false") throw new Error("A wrong answer");
        if (round >= WARM_UP) times[name]!.push((performance.now() - start) * 1000);
      }
    }
    const medians = Object.values(times).map(middle);
    const spread = (Math.max(...medians) / Math.min(...medians) - 1) * 100;
    const shown = [...medians.map((one) => one.toFixed(1)), `${spread.toFixed(1)} %`];
    row(`missing service, missing field, wrong value of ${length} characters`, shown);
  }
}

function kindsOf(round: number): [string, Kind][] {
  const number = Math.floor(round / TRIES);
  return [
    ["missing service", { service: `servicf ${number}`, type: "password" }],
    ["missing field", { service: `service ${number}`, type: "passwore" }],
    ["wrong", { service: `service ${number + ITEMS / 2}`, type: "password" }],
  ];
}

type Answer = (service: string, type: string, value: string) => Promise<string>;

/** The service with this keychain, called inside the process. */
function appOn(use: Keychain): App {
  const config = readConfig({ keychain: "file" }, { HOME: "/nonexistent" }, () => {
    throw new Deno.errors.NotFound();
  });
  const choice = { job: "keychain", chosen: "file", reason: "this is a benchmark" } as const;
  const keychain = { ready: true, use } as const;
  const platform: Platform = openUnsupported("no display", {
    ...{ keychain, choice },
    files: openLinuxFileSystem(),
  });
  const session = new Session(platform, config.limits, config);
  return createApp({ platform, config, session });
}

function answerOf(send: App["fetch"]): Answer {
  return async (service, type, value) => {
    const response = await send(
      new Request("http://localhost/api/keychain/authenticate", {
        method: "POST",
        headers: { host: "127.0.0.1", "content-type": "application/json" },
        body: JSON.stringify({ service, authElements: [{ type, value }] }),
      }),
    );
    return await response.text();
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function shuffled<T>(list: readonly T[]): T[] {
  return list.map((each) => ({ each, at: Math.random() })).sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

function perSecond(count: number, start: number): number {
  return Math.round(count / (performance.now() - start) * 1000);
}
