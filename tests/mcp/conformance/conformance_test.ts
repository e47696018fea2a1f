/**
 * The conformance suite of the Model Context Protocol, which nobody here wrote, against `/mcp` behind
 * the guard. `left_out_*.yml` says what does not pass, and why; the suite judges that list, too. Its 117 packages have
 * a configuration of their own, so that other tests do not fetch them.
 */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import type { OpenMcp } from "../../../src/http/mcp_route.ts";
import { serveApp, testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { FIXTURE_TOOLS } from "./fixture_tools.ts";

const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
const CONFIG = fileURLToPath(new URL("./conformance.json", import.meta.url));
/** Of each revision, scenarios that must be among those that passed. */
const REVISIONS = {
  "2026-07-28": ["server-stateless: 28 passed, 0 failed", "tools-list", "dns-rebinding-protection"],
  "2025-11-25": ["server-initialize: 2 passed, 0 failed", "tools-list", "dns-rebinding-protection"],
} as const;

/** The very handler of the service, with the suite's tools before its own. */
const withFixtures: OpenMcp = async (source) => {
  const { openHttpEndpoint: openHttpDoor } = await import("../../../src/mcp/server.ts");
  const { makeTools } = await import("../../../src/mcp/tools.ts");
  const tools = [...FIXTURE_TOOLS, ...await makeTools(source)];
  const parts = { version: "1", tools, capabilities: { logging: {} } };
  return openHttpDoor(parts, new AbortController().signal);
};

for (const [revision, scenarios] of Object.entries(REVISIONS)) {
  Deno.test(`the conformance suite passes for ${revision}, but for what is left out on purpose`, async () => {
    const app = testApp({ openMcp: withFixtures });
    await using server = serveApp(app);
    await using folder = await testFolder(); // for its reports
    const leftOut = fileURLToPath(new URL(`./left_out_${revision}.yml`, import.meta.url));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", "-c", CONFIG, SUITE, "server", "--url", `${server.url}/mcp`],
        ...["--requirements", revision, "--expected-failures", leftOut],
      ],
      cwd: folder.path,
      env: { NO_COLOR: "1" },
    }).output();
    const said = new TextDecoder().decode(stdout);
    expect([code, said + new TextDecoder().decode(stderr)]).toEqual([0, said]);
    for (const scenario of scenarios) expect(said).toContain(`✓ ${scenario}`);
    expect(app.logged).toEqual([]);
  });
}
