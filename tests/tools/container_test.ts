/** The container image: what its Dockerfile says, and that the tool which proves it reads every step. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { readDockerfile, readList, readPairs } from "../../tools/container/dockerfile.ts";
import { sizeTable } from "../../tools/container/size_table.ts";
import { testFolder } from "../support/folder.ts";

const ROOT = new URL("../../", import.meta.url);
const text = await Deno.readTextFile(new URL("deploy/container/Dockerfile", ROOT));
const steps = readDockerfile(text);

/** The steps with this keyword, in their order. */
function all(keyword: string): string[] {
  return steps.filter((step) => step.keyword === keyword).map(({ rest }) => rest);
}

Deno.test("readDockerfile() joins lines, leaves comments out and keeps flags", () => {
  const read = readDockerfile("# one\nRUN a \\\n    && b\n\nCOPY --chmod=755 --link=true x /y\n");
  expect(read).toEqual([
    { keyword: "RUN", flags: {}, rest: "a && b" },
    { keyword: "COPY", flags: { chmod: "755", link: "true" }, rest: "x /y" },
  ]);
  expect(readPairs("A=1 B=x=y")).toEqual({ A: "1", B: "x=y" });
});

for (const line of ['SHELL ["bash"]', "run a", "VOLUME /x", "&& b"]) {
  Deno.test(`readDockerfile() refuses "${line}", because the proof would leave it out`, () => {
    expect(() => readDockerfile(`FROM x\n${line}\n`)).toThrow(`Cannot read "${line}"`);
  });
}

Deno.test("readList() refuses the form that a shell would read", () => {
  expect(() => readList("tini -- x")).toThrow();
  expect(() => readList("[1]")).toThrow("must be a list of texts");
});

Deno.test("the image starts the service under tini, as a user that is not root", () => {
  const [entrypoint] = all("ENTRYPOINT");
  expect(readList(entrypoint!)).toEqual(["/usr/bin/tini", "--", "/usr/local/bin/start-desktop"]);
  expect(all("USER")).toEqual(["agent"]);
  const user = steps.findIndex(({ keyword }) => keyword === "USER");
  expect(steps.slice(user).filter(({ keyword }) => keyword === "RUN")).toEqual([]);
  expect(all("RUN").join("\n")).toContain("useradd --create-home --uid 1000");
});

Deno.test("the image has a health check and names no moving release", () => {
  const [check] = all("HEALTHCHECK");
  expect(readList(check!.replace(/^CMD /, "")).at(-1)).toMatch(/:4242\/healthz$/);
  expect(all("FROM")).toEqual(["debian:bookworm-slim"]);
  expect(all("FROM").join()).not.toContain("latest");
});

Deno.test("the image copies files that are there, or that the release makes", async () => {
  for (const source of all("COPY").map((rest) => rest.split(" ")[0]!)) {
    if (source.startsWith("dist/container/")) continue;
    expect((await Deno.stat(new URL(source, ROOT))).isFile).toBe(true);
  }
});

Deno.test("sizeTable() names packages and files, and adds up", () => {
  const layers = [
    { step: "FROM debian:bookworm-slim", bytes: 80_000_000 },
    { step: "RUN apt-get install -y --no-install-recommends curl tini && rm x", bytes: 4_250_000 },
  ];
  expect(sizeTable(layers).split("\n").slice(2)).toEqual([
    "| `FROM debian:bookworm-slim` | 80 MB |",
    "| `curl` `tini` | 4.3 MB |",
    "| all | 84 MB |",
  ]);
});

Deno.test("container-root says how the executable is made when it is missing", async () => {
  await using folder = await testFolder();
  const program = `${folder.path}/none`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", fileURLToPath(new URL("tools/container_root.ts", ROOT))]
      .concat(["--program", program]),
    env: { NO_COLOR: "1" },
  }).output();
  const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  const command = `deno task compile --kind stand-in --target ${Deno.build.target}`;
  expect([code, output, errors]).toEqual([
    ...[1, "", `container-root: Cannot find "${program}": make it with "${command}"\n`],
  ]);
});
