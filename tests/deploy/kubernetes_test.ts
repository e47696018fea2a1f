/** The manifests of deploy/kubernetes on a real node of Kubernetes: `deno task test:kubernetes`. */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { testFolder } from "../support/folder.ts";
import { pythonWith } from "../support/python_packages.ts";
import { writePythonClient } from "../support/python_client.ts";
import { isOnPath, succeeds, unless } from "../support/test_if.ts";
import { openEngine, whyNoEngine } from "./engine.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPTS = `${ROOT}tests/deploy/kubernetes`;
const KUBERNETES = "1.37.2";
const HOME = Deno.env.get("HOME");
/** Kept: it takes 13 minutes of a processor. */
const BUILT = `${HOME}/.cache/computer-control/kubernetes-${KUBERNETES}`;
const IMAGE = "localhost/computer-control:latest";
/** As the manifest names it; what is in it comes from the Go module proxy. */
const ROUTER = "registry.k8s.io/agent-sandbox/sandbox-router-go:v0.5.6";
const PAUSE = "localhost/pause:1";
const NEEDED = ["go", "containerd", "ctr", "runc", "nsenter", "openssl", "/usr/lib/cni/bridge"];

const reason = await whyNoCluster();

Deno.test({
  name: "the manifests run on a node of Kubernetes",
  ignore: unless(reason === undefined, reason ?? ""),
  async fn(test) {
    const engine = await openEngine();
    await using folder = await testFolder();
    const node = `${folder.path}/node-${Deno.pid}`;
    const images = `${folder.path}/images.tar`;
    await test.step("Kubernetes and agent-sandbox are built", () => script("build.sh", BUILT));
    await test.step("the images are made", async () => {
      await engine.build(IMAGE);
      await script("image_of.sh", `${BUILT}/pause`, PAUSE);
      await script("image_of.sh", `${BUILT}/sandbox-router`, ROUTER);
      await engine.podman(
        ...["save", "--quiet", "--format", "docker-archive", "--multi-image-archive"],
        ...["--output", images, PAUSE, IMAGE, ROUTER],
      );
    });
    const [client, packages] = [await writePythonClient(), await python()];
    try {
      await test.step("a node is ready", () => script("node.sh", "up", node, `${BUILT}/node`));
      const inside = (...command: readonly string[]) => script("node.sh", "run", node, ...command);
      await test.step("it has the images", async () => {
        await inside(
          ...["ctr", "--namespace", "k8s.io", "--address", "/run/containerd/containerd.sock"],
          ...["images", "import", images],
        );
        await Deno.remove(images);
      });
      await test.step("the manifests run there", () =>
        inside(
          ...["env", `NODE_BUILT=${BUILT}`, `NODE_FOLDER=${node}`],
          ...[`PYTHONPATH=${client}:${packages}`, Deno.execPath(), "test", "--allow-all"],
          ...["--config", `${ROOT}deno.dev.json`, "--no-check", `${SCRIPTS}/in_cluster.ts`],
        ));
    } finally {
      await script("node.sh", "down", node);
    }
  },
});

/** Why there can be no cluster here; `undefined` where there can. */
async function whyNoCluster(): Promise<string | undefined> {
  const noEngine = whyNoEngine();
  if (noEngine !== undefined) return noEngine;
  if (Deno.uid() !== 0) return "a node needs root";
  const missing = NEEDED.filter((program) => !isOnPath(program));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  if (!await isThere("/sys/fs/cgroup/memory/cgroup.procs")) {
    return "its node is for version 1 of cgroups";
  }
  const namespaces = ["--net", "--mount", "--pid", "--cgroup", "--uts", "--ipc", "--fork"];
  if (!await succeeds("unshare", [...namespaces, "true"])) return "nobody may make namespaces here";
  if (typeof await packages() === "string") {
    return `no client of agent-sandbox: ${await packages()}`;
  }
  if (await isThere(`${BUILT}/node`)) return undefined;
  if (Deno.env.get("CI") !== undefined) {
    return `${BUILT} is not there, and to build it takes 13 minutes of a processor`;
  }
  const fetched = await succeeds("bash", [`${SCRIPTS}/build.sh`, BUILT, "fetch"]);
  return fetched ? undefined : "the source of Kubernetes cannot be fetched";
}

async function packages() {
  return await pythonWith(["k8s-agent-sandbox==1.0.8", "httpx"]);
}

async function python(): Promise<string> {
  const found = await packages();
  if (typeof found === "string") throw new Error(found);
  return found.path;
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Runs one of the scripts, whose output is shown. */
async function script(name: string, ...args: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command("bash", {
    args: [`${SCRIPTS}/${name}`, ...args],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  expect([name, code]).toEqual([name, 0]);
}
