/** The image, built from a fresh clone and run as narrowly as it can be: `deno task test:image`. */

import { expect } from "expect";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { typeIntoChromium } from "./chromium.ts";
import { type Engine, openEngine, whyNoEngine } from "./engine.ts";

const IMAGE = "localhost/computer-control-test";
const WITHOUT_BROWSER = "localhost/computer-control-test-small";
const TOKEN = "try-this-container";
const HEADERS = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
/** Nothing can be written but /tmp and the home folder, no rights, no more than it needs. */
const NARROW = [
  ...["--read-only", "--volume", "/home/agent", "--cap-drop", "all"],
  ...["--security-opt", "no-new-privileges", "--memory", "2g", "--pids-limit", "512"],
];
const READY_MS = 60_000;

interface Desktop extends AsyncDisposable {
  readonly service: string;
  readonly name: string;
  /** From the command to the first answer that it is ready. */
  readonly readyMs: number;
  call(path: string, body?: unknown): Promise<Response>;
  command(command: string): Promise<string>;
}

const reason = whyNoEngine();

Deno.test({
  name: "the image is built from a clone, and works read-only, not as root and without rights",
  ignore: unless(reason === undefined, reason ?? ""),
  async fn(test) {
    const engine = await openEngine();
    await test.step("it is built from a fresh clone", () => engine.build(IMAGE));
    await test.step("it says what it is", async () => {
      const [image] = JSON.parse(await engine.podman("image", "inspect", IMAGE));
      expect(image.Config.User).toBe("agent");
      expect(image.Labels["org.opencontainers.image.title"]).toBe("Computer Control");
      expect(image.Healthcheck.Test.at(-1)).toMatch(/\/healthz$/);
      console.log(`Size: ${Math.round(image.Size / 1e6)} MB`);
    });
    await test.step("without a token it refuses to start, with exit code 2", async () => {
      const { code, stderr } = await engine.tryPodman("run", "--rm", ...NARROW, IMAGE);
      expect([code, stderr]).toEqual([2, expect.stringContaining("without a token")]);
    });
    await test.step("it is as narrow as it was started", () => isNarrow(engine));
    await test.step("its browser gets what is typed, and SIGTERM ends it with 0", async () => {
      await using desktop = await startDesktop(engine, IMAGE);
      const { text, picture } = await typeIntoChromium(desktop.service, TOKEN);
      expect(text).toBe("Grüße, 漢字 😀");
      await Deno.mkdir("dist", { recursive: true });
      await Deno.writeFile("dist/container.png", picture);
      await engine.podman("stop", "--time", "30", desktop.name);
      const [{ State: state }] = JSON.parse(await engine.podman("inspect", desktop.name));
      expect([state.ExitCode, state.OOMKilled]).toEqual([0, false]);
    });
    for (const [how, flags] of [["read-only", NARROW], ["writable", []]] as const) {
      await test.step(`a ${how} start finds its cache filled`, () => hasCache(engine, flags));
    }
    await test.step("without a browser it is smaller, and works", async () => {
      await engine.build(WITHOUT_BROWSER, "--build-arg", "BROWSER=");
      await using desktop = await startDesktop(engine, WITHOUT_BROWSER);
      const picture = await desktop.call("/api/display/screenshot");
      expect(picture.headers.get("content-type")).toBe("image/png");
      await picture.body?.cancel();
      expect(await desktop.command("command -v chromium || echo none")).toBe("none\n");
      const sizeOf = async (name: string): Promise<number> =>
        JSON.parse(await engine.podman("image", "inspect", name))[0].Size;
      expect(await sizeOf(WITHOUT_BROWSER)).toBeLessThan(await sizeOf(IMAGE) - 200e6);
    });
  },
});

async function isNarrow(engine: Engine): Promise<void> {
  await using desktop = await startDesktop(engine, IMAGE);
  const status = await desktop.command("id -u; cat /proc/1/status");
  expect(status).toMatch(/^1000\n/);
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^Seccomp:\t2$/m);
  expect(await desktop.command("touch /opt/x /usr/x /var/x 2>&1 || true")).toMatch(
    /(.*Read-only file system\n){3}/,
  );
  const [{ HostConfig: host }] = JSON.parse(await engine.podman("inspect", desktop.name));
  expect([host.Memory, host.PidsLimit, host.ReadonlyRootfs]).toEqual([2 * 2 ** 30, 512, true]);
}

/** What Deno compiles it adds to its cache. */
async function hasCache(engine: Engine, how: readonly string[]): Promise<void> {
  await using desktop = await startDesktop(engine, IMAGE, how);
  const { readyMs } = desktop;
  const sizeOf = async (folder: string) =>
    Number(await desktop.command(`cat ${folder}/*_cache_v2* | wc -c`));
  const inImage = Number(
    await engine.podman(
      ...["run", "--rm", "--entrypoint", "sh", IMAGE, "-c"],
      "cat /var/cache/computer-control/*_cache_v2* | wc -c",
    ),
  );
  const folder = how.length > 0 ? "/tmp/tmp.*" : "/var/cache/computer-control";
  expect(inImage).toBeGreaterThan(1e6);
  expect(await sizeOf(folder)).toBeLessThan(1.1 * inImage);
  console.log(`Ready after ${readyMs} ms`);
}

async function startDesktop(
  engine: Engine,
  image: string,
  how: readonly string[] = NARROW,
): Promise<Desktop> {
  const port = freePort();
  const service = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const name = await engine.podman(
    ...["run", "--detach", "--network", "host", "--no-healthcheck"],
    ...["--env", `COMPUTER_CONTROL_TOKEN=${TOKEN}`, ...how, image],
    ...["--host", "127.0.0.1", "--port", String(port)],
  );
  const isReady = async () => {
    const response = await fetch(`${service}/readyz`, { headers: HEADERS }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true;
  };
  try {
    await waitFor(isReady, { what: "the desktop", timeoutMs: READY_MS });
  } catch (error) {
    const { stdout, stderr } = await engine.tryPodman("logs", name);
    await engine.tryPodman("rm", "--force", "--volumes", name);
    throw new Error(`The desktop is not ready: ${stdout}${stderr}`, { cause: error });
  }
  const readyMs = Math.round(performance.now() - startedAt);
  const call = async (path: string, body?: unknown) => {
    const method = body === undefined ? "GET" : "POST";
    const init = { method, headers: HEADERS, body: JSON.stringify(body) ?? null };
    const response = await fetch(service + path, init);
    if (response.ok) return response;
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  };
  return {
    service,
    name,
    readyMs,
    call,
    command: async (command) =>
      (await (await call("/api/bash/command", { command, timeout: 20 })).json()).output,
    async [Symbol.asyncDispose]() {
      await engine.tryPodman("rm", "--force", "--volumes", name);
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
