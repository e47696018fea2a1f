/** The real service and more connections than it has descriptors. */

import { expect } from "expect";
import { startCommand } from "../../support/command.ts";
import { waitFor } from "../../support/wait.ts";

const LIMIT = 1_024;
const IDLE = 1_100;
const FEW_DESCRIPTORS = ["/bin/sh", "-c", `ulimit -n ${LIMIT}; exec "$@"`, "sh"];

const ignore = Deno.build.os !== "linux"; // others have no ulimit, or too few descriptors for the test

Deno.test({
  ignore,
  name:
    `the service answers while ${IDLE} idle connections are open to its ${LIMIT} descriptors, and after`,
  async fn() {
    const args = ["--no-setup", "--display", ":65535"];
    await using service = await startCommand(args, {}, FEW_DESCRIPTORS);
    const { hostname, port } = new URL(service.address);
    const idle: Deno.Conn[] = [];
    for (let count = 0; count < IDLE; count++) {
      idle.push(await Deno.connect({ hostname, port: Number(port) }));
    }
    expect(await health(service.address)).toBe(200);
    expect(await command(service.address)).toBe("fine\n"); // which needs descriptors of its own
    for (const connection of idle) connection.close();
    expect(await health(service.address)).toBe(200);
    await waitFor(() => openAt(Number(port)) === 0, { what: "the connections to be closed" });
    service.signal("SIGTERM");
    expect(await service.ended).toBe(0);
    expect((await service.errors.rest()).join("\n")).not.toContain(" error ");
  },
});

async function health(address: string): Promise<number> {
  const answer = await fetch(`${address}/healthz`, { headers: { connection: "close" } });
  await answer.body?.cancel();
  return answer.status;
}

async function command(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/bash/command`, {
    method: "POST",
    headers: { "content-type": "application/json", "connection": "close" },
    body: JSON.stringify({ command: "echo fine" }),
  });
  return (await answer.json()).output;
}

/** How many connections the service has not closed; only root sees its descriptors (proc_net(5)). */
function openAt(port: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, "0");
  const isOpen = new RegExp(`^ *\\d+: \\S+:${local} \\S+ (01|08) `); // ESTABLISHED, CLOSE_WAIT
  return Deno.readTextFileSync("/proc/net/tcp").split("\n").filter((line) => isOpen.test(line))
    .length;
}
