/** A receiver of OTLP that nobody here wrote takes what the service exports. */

import { fileURLToPath } from "node:url";
import { startCommand } from "../support/command.ts";
import { lineReader } from "../support/lines.ts";
import { type PackagedPython, pythonWith } from "../support/python_packages.ts";
import { testIf } from "../support/test_if.ts";
import { startXvfb } from "../support/xvfb.ts";

const python = await pythonWith(["oteltest==0.49.0"]);
const why = typeof python === "string" ? python : "";

testIf(why === "", why)("oteltest's receiver takes spans and metrics", async () => {
  const script = fileURLToPath(new URL("./run_oteltest_sink.py", import.meta.url));
  await using sink = new Deno.Command("/usr/bin/python3", {
    args: ["-B", script],
    env: { PYTHONPATH: (python as PackagedPython).path },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const taken = lineReader(sink.stdout);
  const port = await taken.next();
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display], {
    OTEL_DENO: "true",
    OTEL_SERVICE_NAME: "desk-of-the-test",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_METRIC_EXPORT_INTERVAL: "500",
  });
  await service.post("/api/mouse/move", { x: 5, y: 6 });
  await taken.until(/'desk-of-the-test'.*'name': 'POST \/api\/mouse\/move'/);
  await taken.until(/'resourceMetrics'.*'desk-of-the-test'/);
  await service[Symbol.asyncDispose](); // which exports the rest
  sink.kill();
  await taken.rest();
});
