/**
 * A session bus of its own, with a service that echoes values and passes descriptors, in Python with
 * its module "gi".
 */

import { fileURLToPath } from "node:url";
import { testFolder } from "./folder.ts";
import { lineReader } from "./lines.ts";

const SERVICE = fileURLToPath(new URL("./programs/bus_service.py", import.meta.url));

/** A bus that starts no service by itself. */
const BARE_BUS = `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>`;

export interface TestBus extends AsyncDisposable {
  /** `unix:path=/tmp/dbus-...,guid=...` */
  readonly address: string;
  /** Starts `org.example.Echo` at `/org/example`. */
  startService(): Promise<void>;
  /** Ends the bus as a crash would. */
  kill(): Promise<void>;
  /** Stops the bus, which then reads nothing, or lets it go on. */
  signal(signal: Deno.Signal): void;
}

export async function startBus(): Promise<TestBus> {
  const folder = await testFolder();
  const config = `${folder.path}/bus.conf`;
  await Deno.writeTextFile(config, BARE_BUS);
  const daemon = new Deno.Command("dbus-daemon", {
    args: ["--config-file", config, "--nofork", "--print-address"],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = lineReader(daemon.stdout);
  const [address] = await lines.until(/^unix:.*$/);
  const services: Deno.ChildProcess[] = [];
  const kill = async () => {
    end(daemon);
    await daemon.status;
  };
  return {
    address: address!,
    async startService() {
      const service = new Deno.Command("/usr/bin/python3", {
        args: [SERVICE],
        env: { DBUS_SESSION_BUS_ADDRESS: address! },
        stdin: "null",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      services.push(service);
      const output = lineReader(service.stdout);
      await output.until(/^ready$/);
      output.rest();
    },
    kill,
    signal: (signal) => daemon.kill(signal),
    async [Symbol.asyncDispose]() {
      for (const service of services) end(service);
      await Promise.all(services.map(({ status }) => status));
      await kill();
      await lines.rest();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended already
  }
}
