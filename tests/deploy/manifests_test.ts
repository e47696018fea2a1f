/** What is in `deploy/` and the Dockerfile, as far as it can be seen without building it or a cluster. */

import { expect } from "expect";
import { parse, parseAllDocuments } from "yaml";
import { readCommandLine } from "../../src/cli/command_line.ts";
import { readValues } from "../../src/config/config.ts";
import { OPTIONS } from "../../src/config/options.ts";
import { RUN_FLAGS } from "../../tools/compile/run_flags.ts";
import { CACHE, startScript } from "../../tools/container/program.ts";
import { sources } from "../support/source_files.ts";

const ROOT = new URL("../../", import.meta.url);
const KUBERNETES = new URL("deploy/kubernetes/", ROOT);
/** What the user makes, and Git leaves out. */
const SECRETS = ["token", "signing-key"];

// deno-lint-ignore no-explicit-any -- what Kubernetes takes has no types here
type Manifest = any;

interface Kustomization {
  readonly folder: URL;
  readonly name: string;
  readonly content: Manifest;
  readonly manifests: readonly Manifest[];
}

const kustomizations = await Array.fromAsync(readKustomizations());
const manifests = kustomizations.flatMap((each) => each.manifests);

async function* readKustomizations(): AsyncGenerator<Kustomization> {
  for await (const { name } of Deno.readDir(KUBERNETES)) {
    const folder = new URL(`${name}/`, KUBERNETES);
    const content = parse(await Deno.readTextFile(new URL("kustomization.yaml", folder)));
    const files = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name)
      .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml");
    const documents = await Promise.all(
      files.map(async (file) =>
        parseAllDocuments(await Deno.readTextFile(new URL(file, folder))).map((document) => {
          expect([file, document.errors]).toEqual([file, []]);
          return document.toJS();
        })
      ),
    );
    yield { folder, name, content, manifests: documents.flat() };
  }
}

/** What runs containers, with the description of its pods. */
const workloads = manifests.flatMap((manifest): { name: string; pod: Manifest }[] => {
  const template = manifest.spec?.template ?? manifest.spec?.podTemplate;
  return template === undefined
    ? []
    : [{ name: `${manifest.kind}/${manifest.metadata.name}`, pod: template }];
});
const containers = workloads.flatMap(({ name, pod }) =>
  [...pod.spec.initContainers ?? [], ...pod.spec.containers].map((container: Manifest) => ({
    name: `${name}/${container.name}`,
    pod,
    container,
  }))
);

Deno.test("there is a Job, a StatefulSet and a pool, and each desktop is one of these", () => {
  expect(workloads.map(({ name }) => name).sort()).toEqual([
    ...["Deployment/sandbox-router", "Job/tasks", "SandboxTemplate/desktop", "StatefulSet/desktop"],
  ]);
  const desktops = containers.filter(({ container }) => container.name === "desktop");
  expect(desktops.length).toBe(3);
});

for (const { name, folder, content } of kustomizations) {
  Deno.test(`deploy/kubernetes/${name} names files that are there, or that the user makes`, async () => {
    for (const path of [...content.resources ?? [], ...content.components ?? []]) {
      await Deno.stat(new URL(path, folder));
    }
    const files = (content.secretGenerator ?? []).flatMap((each: Manifest) => each.files);
    expect(files.filter((file: string) => !SECRETS.includes(file))).toEqual([]);
    const ignored = await Deno.readTextFile(new URL(".gitignore", ROOT));
    for (const file of files) expect(ignored).toContain(`/deploy/kubernetes/*/${file}\n`);
  });

  Deno.test(`deploy/kubernetes/${name} patches what there is`, () => {
    const known = manifests.map(({ kind }) => kind);
    for (const { target } of content.patches ?? []) expect(known).toContain(target.kind);
  });
}

Deno.test("what is bound to an account is told its namespace, which the API server asks for", () => {
  const binding = kustomizations.filter((each) =>
    each.manifests.some(({ kind }) => kind === "RoleBinding")
  );
  expect(binding.map(({ name, content }) => [name, typeof content.namespace])).toEqual([
    ...[["agent-sandbox-router", "string"]],
  ]);
});

Deno.test("no manifest holds a secret", () => {
  expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
});

for (const { name, pod, container } of containers) {
  Deno.test(`${name} is admitted by Pod Security "restricted", with a root that nobody writes to`, () => {
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.spec.securityContext;
    expect([runAsNonRoot, runAsUser > 0, seccompProfile.type]).toEqual([
      ...[true, true, "RuntimeDefault"],
    ]);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(Object.keys(container.resources.requests)).toEqual(["cpu", "memory"]);
  });

  Deno.test(`${name} mounts volumes that there are, and asks ports that it opens`, () => {
    const volumes = (pod.spec.volumes ?? []).map((volume: Manifest) => volume.name);
    const mounts = (container.volumeMounts ?? []).map((mount: Manifest) => mount.name);
    expect(mounts.filter((mount: string) => !volumes.includes(mount))).toEqual([]);
    const ports = (container.ports ?? []).map((port: Manifest) => port.name);
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      const asked = container[probe]?.httpGet;
      if (asked !== undefined) {
        expect(ports).toContain(asked.port);
        expect(["/healthz", "/readyz"]).toContain(asked.path);
      }
    }
  });
}

for (
  const { name, container } of containers.filter(({ container: { name } }) => name === "desktop")
) {
  Deno.test(`${name} starts the image with flags that the service takes`, () => {
    const args = container.args.map((arg: string) => arg.replaceAll(/\$\(\w+\)/g, "desk-0"));
    const request = readCommandLine(args);
    expect(request.kind).toBe("serve");
    if (request.kind === "serve") readValues(OPTIONS, request.flags);
    expect(container.image).toBe("computer-control");
    expect(container.command).toBeUndefined();
    const paths = container.volumeMounts.map((mount: Manifest) => mount.mountPath);
    expect(paths).toEqual(expect.arrayContaining(["/home/agent", "/tmp"]));
    expect(args).toContain("--trust-home"); // the folder of a volume belongs to root
    const token = args.find((arg: string) => arg.startsWith("--token-file="));
    if (token === undefined) expect(args.slice(0, 2)).toEqual(["--host", "127.0.0.1"]);
    else expect(paths).toContain(token.slice("--token-file=".length).replace(/\/token$/, ""));
  });
}

Deno.test("what selects pods selects some", () => {
  const labels = workloads.map(({ pod }) => pod.metadata.labels as Record<string, string>);
  const selectors = manifests.flatMap(({ kind, spec }) => {
    if (kind === "Service") return [spec.selector];
    const { podSelector, selector } = spec ?? {};
    return [podSelector, selector].flatMap((each) => each?.matchLabels ?? []);
  });
  expect(selectors.length).toBeGreaterThan(4);
  for (const selector of selectors) {
    const pairs = Object.entries(selector as Record<string, string>);
    expect([
      selector,
      labels.some((each) => pairs.every(([key, value]) => each[key] === value)),
    ]).toEqual([selector, true]);
  }
});

Deno.test("compose.yaml has three computers, each with its name, and Caddy knows all of them", async () => {
  const folder = new URL("deploy/compose/", ROOT);
  const { services, volumes } = parse(
    await Deno.readTextFile(new URL("compose.yaml", folder)),
    { merge: true },
  ) as Manifest;
  const caddy = await Deno.readTextFile(new URL("Caddyfile", folder));
  const names = Object.keys(services).filter((name) => name !== "caddy");
  expect(names.length).toBe(3);
  expect(caddy.match(/\^\/\(([\w|]+)\)/)?.[1]).toBe(names.join("|"));
  for (const name of names) {
    const { command, read_only, cap_drop, mem_limit, pids_limit, volumes: mounted, build } =
      services[name];
    const request = readCommandLine(command);
    expect(request).toMatchObject({ kind: "serve", flags: { name } });
    expect([read_only, cap_drop, mem_limit, pids_limit]).toEqual([true, ["ALL"], "2g", 1024]);
    expect(mounted).toEqual([`${name}:/home/agent`]);
    expect(Object.keys(volumes)).toContain(name);
    await Deno.stat(new URL(`${build}/Dockerfile`, folder));
  }
});

const dockerfile = (await Deno.readTextFile(new URL("Dockerfile", ROOT)))
  .replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "");
const steps = dockerfile.split("\n").filter((line) => line !== "");

Deno.test("the image starts the service under tini, as a user that is not root", () => {
  expect(steps.at(-1)).toBe('ENTRYPOINT ["/usr/bin/tini", "--", "start-desktop"]');
  expect(steps.filter((step) => step.startsWith("USER "))).toEqual(["USER agent"]);
  expect(dockerfile).toContain("useradd --create-home --uid 1000");
});

Deno.test("the image is built on one release, and keeps no list of packages", () => {
  const bases = steps.filter((step) => step.startsWith("FROM "));
  expect(bases.length).toBe(2);
  for (const base of bases) expect(base).toMatch(/ debian:bookworm-slim(?: AS program)?$/);
  const installing = steps.filter((step) => step.includes("apt-get install"));
  expect(installing.length).toBe(4);
  for (const step of installing) {
    expect(step).toContain("--no-install-recommends");
    expect(step).toContain("rm -rf /var/lib/apt/lists/*");
  }
});

Deno.test(".dockerignore lets in all that the image is built from", async () => {
  const lines = (await Deno.readTextFile(new URL(".dockerignore", ROOT))).split("\n");
  expect(lines).toContain("*");
  const allowed = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  for (const path of allowed) await Deno.stat(new URL(path, ROOT));
  const isAllowed = (path: string) =>
    allowed.some((each) => path === each || path.startsWith(`${each}/`));
  const program = ["main.ts", "tools/compile/", "tools/container/", "tools/deno_version.ts"];
  const built = sources("src", "ffi", "tools").filter(({ path }) =>
    !path.startsWith("tools/") || program.some((each) => path.startsWith(each))
  );
  const missing = built.flatMap(({ imports }) => imports)
    .filter((path) => isThere(path) && !isAllowed(path));
  expect([...new Set(missing)]).toEqual([]);
  const copied = steps.flatMap((step) => step.match(/\bdeploy\/\S+/g) ?? []);
  expect(copied.length).toBe(3);
  for (const path of copied) {
    await Deno.stat(new URL(path, ROOT));
    expect(isAllowed(path)).toBe(true);
  }
  for (const path of ["main.ts", "deno.json", "deno.lock", ".dvmrc"]) {
    expect(isAllowed(path)).toBe(true);
  }
});

Deno.test("the image starts Deno with the flags that an executable has, and with the cache that was filled", () => {
  const script = startScript("/opt/computer-control");
  expect(script).toContain(
    ` run ${RUN_FLAGS.join(" ")} /opt/computer-control/program/main.js "$@"`,
  );
  expect(dockerfile).toMatch(new RegExp(`install -d -m 700 -o agent .*${CACHE}`));
  expect(steps.indexOf("RUN warm-up")).toBeGreaterThan(steps.indexOf("USER agent"));
});

/** Whether it is a file of this repository, and not of a package. */
function isThere(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, ROOT)).isFile;
  } catch {
    return false;
  }
}
