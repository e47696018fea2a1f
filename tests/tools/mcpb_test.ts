/**
 * The bundles that clients install with one click: their own tool checks and unpacks them, and they start. Its 55
 * packages have a configuration of their own, so that other tests do not fetch them.
 */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { TARGETS } from "../../tools/compile/targets.ts";
import { bundleName, makeBundle } from "../../tools/release/mcpb.ts";
import { testFolder } from "../support/folder.ts";
import { lineReader } from "../support/lines.ts";
import { ownPlaces } from "../support/own_places.ts";
import { unless } from "../support/test_if.ts";

const TOOL = "npm:@anthropic-ai/mcpb@2.1.2";
const ROOT = new URL("../../", import.meta.url);
const CONFIG = fileURLToPath(new URL("./mcpb.json", import.meta.url));
const onLinux = { ignore: unless(Deno.build.os === "linux", "its bundle starts on Linux") };

async function mcpb(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "-c", CONFIG, TOOL, ...args],
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  expect([args[0], code, said]).toEqual([args[0], 0, said]);
  return said;
}

for (const target of TARGETS) {
  Deno.test(`the manifest in ${bundleName(target)} is valid, and its program is there`, async () => {
    await using folder = await testFolder();
    const file = `${folder.path}/${bundleName(target)}`;
    const program = new TextEncoder().encode("a program");
    await Deno.writeFile(file, makeBundle(program, { target, version: "0.1.0" }));
    await mcpb("unpack", file, `${folder.path}/out`);
    expect(await mcpb("validate", `${folder.path}/out/manifest.json`)).toMatch(/valid/i);
    const manifest = JSON.parse(await Deno.readTextFile(`${folder.path}/out/manifest.json`));
    const { entry_point, mcp_config } = manifest.server;
    expect(mcp_config.command).toBe(`\${__dirname}/${entry_point}`);
    expect(await Deno.readFile(`${folder.path}/out/${entry_point}`)).toEqual(program);
  });
}

Deno.test({
  name: "a bundle starts as a client starts it, and answers",
  ...onLinux,
  async fn() {
    await using folder = await testFolder();
    await using places = await ownPlaces();
    const main = fileURLToPath(new URL("main.ts", ROOT));
    const script = `#!/bin/sh\nexec "${Deno.execPath()}" run -A "${main}" "$@"\n`;
    const target = TARGETS.find(({ name }) => name === "linux-x86_64")!;
    const file = `${folder.path}/x.mcpb`;
    const program = new TextEncoder().encode(script);
    await Deno.writeFile(file, makeBundle(program, { target, version: "0.1.0" }));
    await mcpb("unpack", file, `${folder.path}/out`);
    const { server } = JSON.parse(await Deno.readTextFile(`${folder.path}/out/manifest.json`));
    const { command, args } = server.mcp_config;
    const process = new Deno.Command(command.replace("${__dirname}", `${folder.path}/out`), {
      args: [...args, "--virtual-display", "--no-setup"],
      env: { ...places.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const lines = lineReader(process.stdout);
    const writer = process.stdin.getWriter();
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    await writer.write(new TextEncoder().encode(`${JSON.stringify(hello)}\n`));
    expect(JSON.parse((await lines.next())!).result.serverInfo.name).toBe("computer-control");
    await writer.close();
    expect((await process.status).code).toBe(0);
    await lines.rest();
  },
});
