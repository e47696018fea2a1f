/** A display whose server cannot share memory with the service: pictures come through the socket, and nothing is left behind. */

import { expect } from "expect";
import { type RunningCommand, startCommand } from "../../../support/command.ts";
import { run } from "../../../support/desktop.ts";
import { unless } from "../../../support/test_if.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const OWN_IPC = ["unshare", "--ipc"];
const { success: mayUnshare } = new Deno.Command("unshare", {
  args: ["--ipc", "true"],
  stderr: "null",
}).outputSync();
const ignore = unless(mayUnshare, "no IPC namespace of its own can be made by this user");

Deno.test({
  name: "pictures come through the socket where the X server is in another container",
  ignore,
  async fn() {
    await using server = await startXvfb({ through: OWN_IPC });
    await using service = await startCommand(["--display", `1=${server.display}`]);
    expect(await infoOf(service)).toEqual([]);
    for (let n = 0; n < 3; n++) expect(await takePicture(service)).toEqual([200, "PNG"]);

    expect(await infoOf(service)).toEqual([{
      display: server.display,
      way: "socket",
      reason: "the X server cannot attach our memory: it is in another container",
    }]);
    expect(mappedSegments(service.pid)).toEqual([]);
  },
});

Deno.test({
  name:
    "pictures come through the socket from the first one that no shared memory is large enough for",
  ignore,
  async fn() {
    await using server = await startXvfb({ through: OWN_IPC });
    const there = ["nsenter", "--ipc", "--target", `${server.pid}`];
    const smaller = ["sh", "-c", "echo 65536 > /proc/sys/kernel/shmmax"];
    await run("nsenter", [...there.slice(1), ...smaller]);
    await using service = await startCommand(["--display", `1=${server.display}`], {}, there);

    expect(await takePicture(service, "?width=20&height=20")).toEqual([200, "PNG"]);
    expect(await infoOf(service)).toMatchObject([{ way: "shared_memory" }]);
    for (let n = 0; n < 3; n++) expect(await takePicture(service)).toEqual([200, "PNG"]);
    expect(await infoOf(service)).toMatchObject([{
      way: "socket",
      reason: "the system cannot allocate shared memory of 4096000 bytes",
    }]);
    expect(mappedSegments(service.pid)).toEqual([]);
    expect(mappedSegments(server.pid)).toEqual([]);
  },
});

async function takePicture({ address }: RunningCommand, query = ""): Promise<[number, string]> {
  const response = await fetch(`${address}/api/display/screenshot${query}`);
  const bytes = await response.bytes();
  return [response.status, new TextDecoder().decode(bytes.subarray(1, 4))];
}

async function infoOf({ address }: RunningCommand): Promise<unknown> {
  const response = await fetch(`${address}/api/system/info`);
  return (await response.json()).pictures;
}

/** The System V segments that a process has mapped. */
function mappedSegments(pid: number): string[] {
  const maps = Deno.readTextFileSync(`/proc/${pid}/maps`).split("\n");
  return maps.filter((line) => line.includes("/SYSV"));
}
