/**
 * The inspector of the Model Context Protocol, which nobody here wrote, over HTTP. Its packages are as large as all
 * others together: they have a configuration of their own, so that other tests do not fetch them.
 */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { serveApp, testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";

const INSPECTOR = "npm:@modelcontextprotocol/inspector@2.12.0";
const CONFIG = fileURLToPath(new URL("./inspector.json", import.meta.url));

Deno.test("the inspector's command line lists the tools and calls one", async () => {
  const app = testApp();
  await using server = serveApp(app);
  await using folder = await testFolder();
  const inspect = async (...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", "-c", CONFIG, INSPECTOR, "--cli", `${server.url}/mcp`],
        ...args,
      ],
      cwd: folder.path,
      env: { NO_COLOR: "1", HOME: folder.path, DENO_DIR: await denoDir() },
    }).output();
    const said = new TextDecoder().decode(stdout);
    expect([code, new TextDecoder().decode(stderr)]).toEqual([0, expect.anything()]);
    return JSON.parse(said);
  };
  const { tools } = await inspect("--method", "tools/list");
  expect(tools.map(({ name }: { name: string }) => name)).toContain("left_click");
  const call = ["--method", "tools/call", "--tool-name", "mouse_move"];
  const { content } = await inspect(...call, "--tool-arg", "coordinate=[30,40]");
  expect(content).toEqual([{ type: "text", text: "Moved." }]);
  const position = await app.send("GET", "/api/mouse/position");
  expect(position.json).toEqual({ x: 30, y: 40 });
});

/** Where this Deno keeps packages: it is below the home folder otherwise. */
async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
