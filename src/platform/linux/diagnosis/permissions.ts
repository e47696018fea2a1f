/** Checks what the kernel, the container or an administrator may have taken away. */

import { statfs } from "node:fs/promises";
import { type Examine, note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";

const MIB = 1_024 * 1_024;
/** Docker gives 64 MiB, with which browsers crash. */
const MIN_SHARED = 65 * MIB;
const UINPUT = "/dev/uinput";
const SHM = "/dev/shm";

export async function examinePermissions(examine: Examine, host: Host): Promise<void> {
  await examine("input devices", checkInputDevices, { asked: false });
  await examine("processes", () => checkProcesses(host), { asked: false });
  await examine("shared memory", checkSharedMemory, { asked: false });
}

async function checkInputDevices(): Promise<Verdict> {
  const state = await openForWriting(UINPUT);
  return ok(`X11 needs none (${UINPUT} ${state})`);
}

async function openForWriting(path: string): Promise<string> {
  try {
    (await Deno.open(path, { write: true })).close();
    return "can be written";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "is not there" : "cannot be written";
  }
}

/** The parent of all others belongs to root: an ordinary user sees it unless `hidepid` hides it. */
async function checkProcesses({ uid }: Host): Promise<Verdict> {
  try {
    await Deno.readTextFile("/proc/1/stat");
    return ok(`those of other users are visible${uid === 0 ? ", this is root" : ""}`);
  } catch {
    const detail = "those of other users are hidden (hidepid): who has a port is not known then";
    return note(detail, "sudo mount -o remount,hidepid=0 /proc");
  }
}

async function checkSharedMemory(): Promise<Verdict> {
  const more = "docker run --shm-size=1g, or start browsers with --disable-dev-shm-usage";
  try {
    const { bavail, bsize } = await statfs(SHM);
    const path = await Deno.makeTempFile({ dir: SHM, prefix: "computer-control-" });
    await Deno.remove(path);
    const free = bavail * bsize;
    const text = `${SHM} has ${Math.floor(free / MIB)} MiB free`;
    return free < MIN_SHARED ? note(`${text}: browsers need more`, more) : ok(text);
  } catch (error) {
    return note(`${SHM} cannot be used (${(error as Error).message}): browsers crash`, more);
  }
}
