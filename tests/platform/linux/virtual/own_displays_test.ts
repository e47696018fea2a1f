/** Several services on a computer without a display: each has one of its own, and keeps it when another one stops. */

import { expect } from "expect";
import { type RunningCommand, startCommand } from "../../../support/command.ts";
import { lineReader } from "../../../support/lines.ts";
import { isRunning, serverPid } from "../../../support/processes.ts";
import { testIf } from "../../../support/test_if.ts";

const test = testIf(
  Deno.build.os === "linux" && Deno.uid() === 0,
  "needs Linux and root, to hide the displays of this computer",
);

test("four services that start at once have four displays, and go on when another one stops", async () => {
  await using nowhere = await withoutDisplays();
  const start = () => startCommand([], { DISPLAY: "" }, nowhere.enter);
  const services = await Promise.all([start(), start(), start(), start()]);
  try {
    const displays = services.map(displayOf);
    expect(new Set(displays).size).toBe(4);
    for (const display of displays) {
      expect(Number(display.slice(1))).toBeGreaterThanOrEqual(99);
    }
    const servers = displays.map(serverPid);
    await Promise.all(services.map((service, index) => move(service, 10 + index)));
    expect(await Promise.all(services.map(position))).toEqual([10, 11, 12, 13]);

    services[0]!.signal("SIGTERM");
    expect(await services[0]!.ended).toBe(0);
    services[1]!.signal("SIGKILL");
    await services[1]!.ended;
    expect(await Promise.all(services.slice(2).map(position))).toEqual([12, 13]);
    expect(servers.slice(2).map(isRunning)).toEqual([true, true]);
  } finally {
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
  }
});

test("a service that another one has started with its display uses that one", async () => {
  await using nowhere = await withoutDisplays();
  await using first = await startCommand([], { DISPLAY: "" }, nowhere.enter);
  const display = displayOf(first);
  await using second = await startCommand([], { DISPLAY: display }, nowhere.enter);
  expect(second.output.seen.join("\n")).toContain(`display 1 is "${display}": it is $DISPLAY`);
});

interface Nowhere extends AsyncDisposable {
  /** What starts a program there. */
  readonly enter: readonly string[];
}

/** A view of the file system without the sockets of this computer's X servers. */
async function withoutDisplays(): Promise<Nowhere> {
  const script =
    "mount -t tmpfs none /tmp/.X11-unix && chmod 1777 /tmp/.X11-unix && echo ready && cat";
  const child = new Deno.Command("unshare", {
    args: ["--mount", "sh", "-c", script],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = lineReader(child.stdout);
  await output.until(/^ready$/);
  return {
    enter: ["nsenter", `--mount=/proc/${child.pid}/ns/mnt`, "--"],
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await Promise.all([child.status, output.rest()]);
    },
  };
}

function displayOf(service: RunningCommand): string {
  return service.output.seen.join("\n").match(/display 1 is "(:\d+)"/)![1]!;
}

async function move(service: RunningCommand, x: number): Promise<void> {
  const answer = await fetch(`${service.address}/api/mouse/move`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ x, y: 5 }),
  });
  expect(answer.status).toBe(204);
}

async function position(service: RunningCommand): Promise<number> {
  const answer = await fetch(`${service.address}/api/mouse/position`);
  return (await answer.json()).x;
}
