/** A real Secret Service: gnome-keyring on a session bus of its own, with a keyring of its own. */

import { lineReader } from "./lines.ts";
import { testFolder } from "./folder.ts";

export interface Keyring extends AsyncDisposable {
  /** `unix:path=/tmp/dbus-...` */
  readonly address: string;
  /** Runs secret-tool as another program would, with the text as its input. */
  secretTool(args: readonly string[], stdin?: string): Promise<string>;
  /** Ends the daemon of an unlocked one as a crash would; its bus and what it has stored stay. */
  kill(): Promise<void>;
  /** Starts it again, unlocked. */
  restart(): Promise<void>;
}

/** `fresh`: there is no keyring yet; `absent`: nothing on the bus answers. */
export type KeyringState = "unlocked" | "locked" | "fresh" | "absent";

const DAEMON = `
printf "test password" | gnome-keyring-daemon --unlock --components=secrets --foreground &
daemon=$!
until printf x | secret-tool store --label=probe probe probe; do :; done
secret-tool clear probe probe
`;
const START: Readonly<Record<KeyringState, string>> = {
  unlocked: DAEMON,
  locked: `${DAEMON} secret-tool lock --collection=login\n`,
  fresh: `
gnome-keyring-daemon --components=secrets --foreground &
until secret-tool search probe probe; do :; done
`,
  absent: "",
};

/** Until the test ends its input. */
const ORDERS = `
while read -r order; do
  case "$order" in
    kill) kill -KILL "$daemon"; wait "$daemon"; echo killed;;
    restart) ${DAEMON} echo restarted;;
  esac
done
kill 0`;

/** A bus that starts no service by itself: there is one keyring, or none. */
const BARE_BUS = `<busconfig>
<type>session</type>
<listen>unix:tmpdir=/tmp</listen>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>`;

export async function startKeyring(state: KeyringState): Promise<Keyring> {
  const folder = await testFolder();
  const env = {
    HOME: folder.path,
    XDG_DATA_HOME: folder.path,
    XDG_RUNTIME_DIR: folder.path,
  };
  const script = `exec 2>/dev/null\n${
    START[state]
  }\necho "bus $DBUS_SESSION_BUS_ADDRESS"\n${ORDERS}`;
  const config = `${folder.path}/bus.conf`;
  await Deno.writeTextFile(config, BARE_BUS);
  const child = new Deno.Command("dbus-run-session", {
    args: ["--config-file", config, "--", "sh", "-c", script],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    detached: true,
  }).spawn();
  const lines = lineReader(child.stdout);
  const [, address] = await lines.until(/^bus (.*)$/);
  const input = child.stdin.getWriter();
  async function order(word: string, answer: RegExp): Promise<void> {
    await input.write(new TextEncoder().encode(`${word}\n`));
    await lines.until(answer);
  }
  return {
    address: address!,
    async secretTool(args, stdin = "") {
      const tool = new Deno.Command("secret-tool", {
        args: [...args],
        env: { ...env, DBUS_SESSION_BUS_ADDRESS: address!, LC_ALL: "C.UTF-8" },
        stdin: "piped",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const writer = tool.stdin.getWriter();
      await writer.write(new TextEncoder().encode(stdin));
      await writer.close();
      return new TextDecoder().decode((await tool.output()).stdout);
    },
    kill: () => order("kill", /^killed$/),
    restart: () => order("restart", /^restarted$/),
    async [Symbol.asyncDispose]() {
      await input.close();
      await lines.rest();
      await child.status;
      await folder[Symbol.asyncDispose]();
    },
  };
}
