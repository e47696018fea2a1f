/**
 * The manifests of deploy/kubernetes on a node of Kubernetes. Runs in the namespaces of that node, which
 * `kubernetes_test.ts` starts, with its `kubectl`, and prints how long each part took.
 */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { waitFor } from "../../support/wait.ts";
import {
  copyFolder,
  Desktop,
  get,
  kubectl,
  PATIENCE_MS,
  PORT,
  tryKubectl,
  until,
} from "./cluster.ts";

const ROOT = new URL("../../../", import.meta.url);
/** What `build.sh` has made, and a folder for this run. */
const [BUILT, FOLDER] = [Deno.env.get("NODE_BUILT")!, Deno.env.get("NODE_FOLDER")!];
const MANIFESTS = `${FOLDER}/manifests`;
const TOKEN = "the-first-token-of-these-desktops";
const NEXT_TOKEN = "another-token-of-these-desktops";
const SIGNING_KEY = "a-key-that-signs-the-tokens-of-the-router";
const ADMIN = ["-H", "Authorization: Bearer admin-token"];
const TASKS = 12;
/** The node, as its pods reach it. */
const NODE = "10.200.0.1";

Deno.test("the manifests run on a node of Kubernetes", async (test) => {
  await copyFolder(new URL("deploy/kubernetes/", ROOT), MANIFESTS);
  await writeSecrets(TOKEN);
  for (const mode of ["enforce", "warn"]) {
    await kubectl("label", "namespace", "default", `pod-security.kubernetes.io/${mode}=restricted`);
  }
  await using _controller = await startAgentSandbox();
  const laps: string[] = [];
  const step = async (name: string, run: () => Promise<void>) => {
    const begun = performance.now();
    const passed = await test.step(name, run);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    laps.push(passed ? `${seconds.padStart(7)} s  ${name}` : `   failed  ${name}`);
  };
  await step("the API server takes every manifest, without a word of Pod Security", dryRun);
  await step(`a Job: ${TASKS} tasks, 4 at a time, each with a desktop beside it`, runJob);
  await step("a StatefulSet: two desktops with names are ready", startDesktops);
  await step("a desktop is as narrow as its manifest says, and its home is its own", isNarrow);
  await step("the API server's proxy lets the second header through", askThroughApiServer);
  await step(
    "a new token in the Secret takes the place of the old one, and no pod starts again",
    rotate,
  );
  await step("drain: a pod that is deleted finishes what runs, and refuses what is new", drain);
  await step(
    "eviction: the budget lets one go, which finishes what runs, and refuses the other",
    evict,
  );
  await step("a rolling update loses no request", update);
  await kubectl("delete", "--kustomize", `${MANIFESTS}/statefulset`);
  await step("agent-sandbox: a pool of three desktops is ready", startPool);
  await step("agent-sandbox: 8 tasks on 8 desktops by its own client", mapDesktops);
  await step("agent-sandbox: its router lets each token reach one desktop", askThroughRouter);
  console.log(laps.join("\n"));
});

async function writeSecrets(token: string): Promise<void> {
  for (const name of ["agent-sandbox", "statefulset"]) {
    await Deno.writeTextFile(`${MANIFESTS}/${name}/token`, `${token}\n`);
  }
  await Deno.writeTextFile(`${MANIFESTS}/agent-sandbox-router/signing-key`, `${SIGNING_KEY}\n`);
}

/** The controller is a process beside the node; in a cluster it would be a pod. */
async function startAgentSandbox(): Promise<AsyncDisposable> {
  await kubectl("apply", "--filename", `${BUILT}/crds`);
  const { items } = await get("crd");
  for (const { metadata: { name } } of items) {
    // its webhook only converts older versions, and nobody answers it here
    const patch = '[{"op":"replace","path":"/spec/conversion","value":{"strategy":"None"}}]';
    await kubectl("patch", "crd", name, "--type", "json", "--patch", patch);
    await kubectl("wait", "--for=condition=Established", `crd/${name}`, "--timeout=300s");
  }
  const log = await Deno.create(`${FOLDER}/log/agent-sandbox.log`);
  const controller = new Deno.Command(`${BUILT}/agent-sandbox-controller`, {
    args: [
      ...["--extensions", "--enable-webhook=false", "--leader-elect=false"],
      ...["--kubeconfig", Deno.env.get("KUBECONFIG")!],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const logging = controller.stderr.pipeTo(log.writable);
  return {
    async [Symbol.asyncDispose]() {
      controller.kill("SIGKILL");
      await controller.status;
      await logging;
    },
  };
}

async function dryRun(): Promise<void> {
  const plain = ["job", "statefulset", "agent-sandbox", "agent-sandbox-router"];
  const walled = ["job", "statefulset", "agent-sandbox"].map((name) => `walled-${name}`);
  for (const name of walled) {
    await Deno.mkdir(`${MANIFESTS}/${name}`);
    const resources = `resources: [../${name.replace("walled-", "")}]`;
    const text = `${resources}\ncomponents: [../runtime-class]\n`;
    await Deno.writeTextFile(`${MANIFESTS}/${name}/kustomization.yaml`, text);
  }
  for (
    const what of [
      ...[...plain, ...walled].map((name) => ["--kustomize", `${MANIFESTS}/${name}`]),
      ["--filename", `${MANIFESTS}/agent-sandbox/claim.yaml`],
    ]
  ) {
    const { success, stdout, stderr } = await tryKubectl("apply", "--dry-run=server", ...what);
    expect([what, success, stderr]).toEqual([what, true, ""]);
    expect(stdout).toContain("created (server dry run)");
  }
}

async function runJob(): Promise<void> {
  await kubectl("apply", "--kustomize", `${MANIFESTS}/job`);
  const { status } = await until(
    ["job", "tasks"],
    ({ status: { conditions = [] } }) =>
      conditions.some(({ type, status }: { type: string; status: string }) =>
        ["Complete", "Failed"].includes(type) && status === "True"
      ),
  );
  expect([status.succeeded, status.failed ?? 0]).toEqual([TASKS, 0]);
  const log = await kubectl(
    ...["logs", "--selector", "app=desktop-task", "--container", "task", "--tail=-1"],
    ...["--max-log-requests", String(TASKS)],
  );
  const done = new Set(log.match(/task \d+/g));
  expect(done).toEqual(new Set(Array.from({ length: TASKS }, (_, index) => `task ${index}`)));
  await kubectl("delete", "--kustomize", `${MANIFESTS}/job`);
}

async function startDesktops(): Promise<void> {
  await kubectl("apply", "--kustomize", `${MANIFESTS}/statefulset`);
  await allReady();
  const desktop = await Desktop.ofPod("desktop-0", TOKEN);
  expect(await desktop.status("/desktop-0/api/mouse/position")).toBe(200);
  expect(await desktop.status("/desktop-1/api/mouse/position")).toBe(404);
  const stranger = new Desktop(desktop.address, {});
  expect(await stranger.status("/api/mouse/position")).toBe(401);
  const readyz = await stranger.send("/readyz"); // as the kubelet asks
  expect([readyz.status, await readyz.text()]).toEqual([
    200,
    expect.not.stringContaining("Display"),
  ]);
  const name = "desktop-0.desktop.default.svc.cluster.local";
  const { hostname } = new URL(desktop.address);
  const byName = await curl(
    ...["--resolve", `${name}:${PORT}:${hostname}`, "-H", `Authorization: Bearer ${TOKEN}`],
    `http://${name}:${PORT}/desktop-0/api/mouse/position`,
  );
  expect(byName).toBe("200");
}

async function allReady(): Promise<void> {
  await until(
    ["statefulset", "desktop"],
    ({ status, metadata }) =>
      status.readyReplicas === 2 && status.updatedReplicas === 2 &&
      status.observedGeneration === metadata.generation,
  );
  await until(
    ["--selector=app=desktop", "pods"],
    ({ items }) =>
      items.every(({ metadata }: { metadata: { deletionTimestamp?: string } }) =>
        metadata.deletionTimestamp === undefined
      ),
  );
}

async function isNarrow(): Promise<void> {
  const desktop = await Desktop.ofPod("desktop-0", TOKEN);
  const status = await desktop.command("id -u; cat /proc/1/status");
  expect(status).toMatch(/^1000\n/);
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^Seccomp:\t2$/m);
  expect(await desktop.command("touch /opt/x /usr/x /var/x 2>&1 || true"))
    .toMatch(/(.*Read-only file system\n){3}/);
  // the kubelet makes it: of root, and writable for the group
  expect(await desktop.command("stat -c '%u %g %a' ~; echo kept >~/note; cat ~/note"))
    .toBe("0 1000 2777\nkept\n");
}

/** It keeps `Authorization` for itself. */
async function askThroughApiServer(): Promise<void> {
  const address = "https://127.0.0.1/api/v1/namespaces/default/pods/desktop-0" +
    `:${PORT}/proxy/desktop-0/api/mouse/position`;
  expect(await curl(...ADMIN, address)).toBe("401");
  expect(await curl(...ADMIN, "-H", `X-Computer-Control-Token: ${TOKEN}`, address)).toBe("200");
}

async function rotate(): Promise<void> {
  await writeSecrets(NEXT_TOKEN);
  await kubectl("apply", "--kustomize", `${MANIFESTS}/statefulset`);
  for (const name of ["desktop-0", "desktop-1"]) {
    const [old, next] = [await Desktop.ofPod(name, TOKEN), await Desktop.ofPod(name, NEXT_TOKEN)];
    const isTaken = async () => await next.status("/api/mouse/position") === 200;
    await waitFor(isTaken, { what: "the new token", timeoutMs: PATIENCE_MS, everyMs: 500 });
    expect(await old.status("/api/mouse/position")).toBe(401);
    const { status } = await get("pod", name);
    expect(status.containerStatuses[0].restartCount).toBe(0);
  }
}

async function drain(): Promise<void> {
  await endsWell("desktop-1", async () => {
    await kubectl("delete", "pod", "desktop-1", "--wait=false");
  });
}

async function evict(): Promise<void> {
  const evict = async (name: string) => {
    const metadata = { name, namespace: "default" };
    const path = `${FOLDER}/eviction.json`;
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata };
    await Deno.writeTextFile(path, JSON.stringify(eviction));
    const address = `/api/v1/namespaces/default/pods/${name}/eviction`;
    return await tryKubectl("create", "--raw", address, "--filename", path);
  };
  await until(["pdb", "desktop"], ({ status }) => status.disruptionsAllowed === 1);
  await endsWell("desktop-0", async () => {
    expect((await evict("desktop-0")).success).toBe(true);
    const { success, stderr } = await evict("desktop-1");
    expect([success, stderr]).toEqual([false, expect.stringContaining("disruption budget")]);
  });
}

/** What runs is answered, and what comes while it is ends is told to come again. */
async function endsWell(name: string, end: () => Promise<void>): Promise<void> {
  const desktop = await Desktop.ofPod(name, NEXT_TOKEN);
  const { metadata: { uid } } = await get("pod", name);
  const running = desktop.command("echo begun >~/begun; sleep 10; echo done");
  const hasBegun = async () => await desktop.status("/v1/files/begun") === 200;
  await waitFor(hasBegun, { what: "the command", timeoutMs: PATIENCE_MS });
  await end();
  const refused = await waitFor(async () => {
    const response = await desktop.send("/api/mouse/move", { x: 5, y: 5 });
    await response.body?.cancel();
    return !response.ok && response;
  }, { what: "the refusal", timeoutMs: PATIENCE_MS });
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
  expect(await running).toBe("done\n");
  await until(["pod", name], ({ metadata }) => metadata.uid !== uid);
  await allReady();
}

/** Commands report that they run: what has begun is answered, whatever happens to the pod. */
async function update(): Promise<void> {
  const begun = new Set<string>();
  await using server = Deno.serve({ hostname: NODE, port: 0, onListen() {} }, ({ url }) => {
    begun.add(new URL(url).pathname);
    return new Response("ok\n");
  });
  const stop = new AbortController();
  const reports = `http://${NODE}:${server.addr.port}`;
  const callers = ["desktop-0", "desktop-1"].map((name) => callUntil(stop.signal, name, reports));
  await kubectl("set", "env", "statefulset/desktop", "UPDATED=1");
  await kubectl("rollout", "status", "statefulset/desktop", "--timeout=900s");
  stop.abort();
  for (const { answered, refused } of await Promise.all(callers)) {
    console.log(`${answered.length} answered, ${refused.length} not taken, and asked again`);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.filter((each) => !begun.has(each))).toEqual([]);
    expect(refused.filter((each) => begun.has(each))).toEqual([]);
  }
  for (const name of ["desktop-0", "desktop-1"]) {
    expect(await (await Desktop.ofPod(name, NEXT_TOKEN)).command("echo $UPDATED")).toBe("1\n");
  }
}

/** One call after the other, by a client that asks again when it has no answer. */
async function callUntil(signal: AbortSignal, name: string, reports: string) {
  const calls = { answered: [] as string[], refused: [] as string[] };
  let address: string | undefined;
  for (let number = 1; !signal.aborted; number++) {
    const id = `/${name}/${number}`;
    address ??= (await Desktop.ofPod(name, NEXT_TOKEN).catch(() => undefined))?.address;
    if (address === undefined) continue;
    const command = { command: `curl -s ${reports}${id}; sleep 0.3`, timeout: 30 };
    const { stdout } = await new Deno.Command("curl", {
      args: [
        ...["-s", "--connect-timeout", "3", "-m", "120", "-d", JSON.stringify(command)],
        ...["-H", `Authorization: Bearer ${NEXT_TOKEN}`, "-H", "Content-Type: application/json"],
        `${address}/api/bash/command`,
      ],
      stdin: "null",
    }).output();
    if (new TextDecoder().decode(stdout).includes('"output":"ok\\n"')) calls.answered.push(id);
    else {
      calls.refused.push(id);
      address = undefined; // it may have another one by now
    }
  }
  return calls;
}

async function startPool(): Promise<void> {
  await kubectl("apply", "--kustomize", `${MANIFESTS}/agent-sandbox`);
  await poolIsReady();
}

async function poolIsReady(): Promise<void> {
  await until(["sandboxwarmpool", "desktop"], ({ status }) => status?.readyReplicas === 3);
}

async function mapDesktops(): Promise<void> {
  const script = fileURLToPath(new URL("examples/map_desktops.py", ROOT));
  const { success, stdout, stderr } = await new Deno.Command("/usr/bin/python3", {
    args: ["-B", "-W", "ignore", script, "3", "8"],
    env: { COMPUTER_CONTROL_TOKEN: NEXT_TOKEN, HOME: FOLDER },
    stdin: "null",
  }).output();
  const [said, complained] = [stdout, stderr].map((part) => new TextDecoder().decode(part));
  expect([success, success || complained]).toEqual([true, true]);
  expect(said).toContain("8 tasks on 8 desktops in ");
  console.log(said!.trim());
  await until(["sandboxclaims"], ({ items }) => items.length === 0); // all are given back
}

async function askThroughRouter(): Promise<void> {
  await kubectl("apply", "--kustomize", `${MANIFESTS}/agent-sandbox-router`);
  await until(["deployment", "sandbox-router"], ({ status }) => status.availableReplicas === 2);
  await poolIsReady();
  const claim = await Deno.readTextFile(`${MANIFESTS}/agent-sandbox/claim.yaml`);
  const names = await Promise.all(["mine", "yours"].map(async (name) => {
    const path = `${FOLDER}/${name}.yaml`;
    await Deno.writeTextFile(path, claim.replace("name: mine", `name: ${name}`));
    await kubectl("apply", "--filename", path);
    const isGiven = ({ status }: { status?: { sandbox?: { name?: string } } }) =>
      status?.sandbox?.name !== undefined;
    return (await until(["sandboxclaim", name], isGiven)).status.sandbox.name as string;
  }));
  const [mine, yours] = names as [string, string];
  const { items: routers } = await get("pods", "--selector", "app=sandbox-router");
  const address = `http://${routers[0].status.podIP}:8080/api/mouse/position`;
  const ask = (name: string, ...more: readonly string[]) =>
    curl(
      ...["-H", `X-Sandbox-ID: ${name}`, "-H", "X-Sandbox-Namespace: default"],
      ...["-H", `X-Sandbox-Port: ${PORT}`, ...more, address],
    );
  const own = ["-H", `Authorization: Bearer ${await mint("default", mine)}`];
  const second = ["-H", `X-Computer-Control-Token: ${NEXT_TOKEN}`];
  const isReached = async () => await ask(mine, ...own, ...second) === "200";
  await waitFor(isReached, { what: "the own desktop", timeoutMs: PATIENCE_MS, everyMs: 500 });
  expect(await ask(mine, ...own)).toBe("401"); // the desktop asks for its own token
  expect(await ask(yours, ...own, ...second)).toBe("403");
  expect(await ask(mine, ...second)).toBe("401");
}

/** A token of agent-sandbox's router for one desktop. */
async function mint(ns: string, name: string): Promise<string> {
  const encoder = new TextEncoder();
  const options = { alphabet: "base64url", omitPadding: true } as const;
  const claims = { ns, name, exp: Math.floor(Date.now() / 1_000) + 3_600 };
  const payload = encoder.encode(JSON.stringify(claims)).toBase64(options);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secret = encoder.encode(SIGNING_KEY);
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const signed = encoder.encode(`agent-sandbox/scoped-token/v1.${payload}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return `v1.${payload}.${signature.toBase64(options)}`;
}

/** Gives the status. */
async function curl(...args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command("curl", {
    args: ["-sk", "-m", "60", "-o", "/dev/null", "-w", "%{http_code}", ...args],
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}
