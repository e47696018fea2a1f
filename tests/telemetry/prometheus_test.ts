/** `/metrics`, read by the parser of Prometheus' own client for Python. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { pythonWith } from "../support/python_packages.ts";
import { testIf } from "../support/test_if.ts";
import { startXvfb } from "../support/xvfb.ts";

const python = await pythonWith(["prometheus-client==0.26.0"]);
const testWithParser = testIf(
  typeof python !== "string",
  typeof python === "string" ? python : "",
);

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly (readonly [string, Readonly<Record<string, string>>, number])[];
}

testWithParser("a stranger's parser reads all figures of a service that has worked", async () => {
  if (typeof python === "string") throw new Error(python);
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display]);
  for (let at = 0; at < 20; at++) await service.post("/api/mouse/move", { x: at, y: at });
  await service.post("/api/bash/command", { command: "sleep 60", timeout: 0 });
  await (await fetch(`${service.address}/api/display/screenshot`)).body?.cancel();
  const script = new URL("./parse_metrics.py", import.meta.url);
  const families: Record<string, Family> = JSON.parse(
    await python.run(script, [`${service.address}/metrics`]),
  );
  const values = (name: string) => {
    const { samples } = families[`computer_control_${name}`]!;
    return samples.map(([, , value]) => value);
  };
  expect(families["computer_control_http_requests"]!.type).toBe("counter");
  expect(families["computer_control_http_requests"]!.samples).toContainEqual([
    "computer_control_http_requests_total",
    { operation: "moveMouse", status: "204" },
    20,
  ]);
  const times = families["computer_control_http_requests_duration_seconds"]!;
  expect(times.type).toBe("histogram");
  const moves = times.samples.filter(([, { operation }]) => operation === "moveMouse");
  const buckets = moves.filter(([name]) => name.endsWith("_bucket")).map(([, , value]) => value);
  expect(buckets.toSorted((a, b) => a - b)).toEqual(buckets);
  expect(buckets.at(-1)).toBe(20);
  expect(values("commands_running")).toEqual([1]);
  expect(values("pictures")).toEqual([1]);
  expect(values("connections")[0]).toBeGreaterThan(0);
  for (const { type, help } of Object.values(families)) {
    expect(["counter", "gauge", "histogram"]).toContain(type);
    expect(help).toMatch(/^[A-Z].*\.$/);
  }
});
