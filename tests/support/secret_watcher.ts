/** A worker that looks at all processes again and again, until it is told to end. */

import { hasSecret, type Sightings, withoutAsked } from "./secrets.ts";

/** Between two looks, so that the tests have the processor, too. */
const REST_MS = 5;

const channel = self as unknown as {
  onmessage: () => void;
  postMessage(message: unknown): void;
};
const seen = new Set<string>();
let rounds = 0;
let ended = false;

channel.onmessage = () => ended = true;
await watch();

async function watch(): Promise<void> {
  lookAtAll();
  channel.postMessage("watching");
  while (!ended) {
    lookAtAll();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  lookAtAll();
  channel.postMessage({ seen: [...seen], rounds } satisfies Sightings);
}

function lookAtAll(): void {
  rounds++;
  for (const { name: pid } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const command = contentOf(`/proc/${pid}/cmdline`);
    note(`cmdline of ${pid}`, command, command);
    note(`environ of ${pid}`, withoutAsked(contentOf(`/proc/${pid}/environ`)), command);
  }
}

function note(place: string, text: string, command: string): void {
  if (hasSecret(text)) seen.add(`${place}: ${command.split("\0")[0]}`);
}

function contentOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // the process has ended, or belongs to another user
  }
}
