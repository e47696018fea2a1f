/** display/wait for an image, whose search takes longer than the wait may. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { Pictures } from "../../../src/features/display/pictures.ts";

Deno.test("wait for an image ends when its time is over, and when its client leaves, while it searches", async () => {
  await using desktop = await startDesktop({ server: { size: "1280x1024" } });
  const folder = await Deno.makeTempDir();
  const path = `${folder}/wanted.png`;
  const shot = await desktop.service.send("/api/display/screenshot?x=0&y=0&width=400&height=300");
  await Deno.writeFile(path, new Uint8Array(await shot.arrayBuffer()));
  const pictures = desktop.service.session.use(Pictures);
  const running = Promise.withResolvers<void>();
  const never = Promise.withResolvers<never>();
  pictures.run = ((_name, _display, _job, signal) => {
    running.resolve();
    return Promise.race([never.promise, ended(signal)]);
  }) as typeof pictures.run;
  const until = { image: path, confidence: 0.95 };
  for (const timeout_ms of [0, 50]) {
    const answer = await desktop.service.call("/api/display/wait", { until, timeout_ms });
    expect(answer).toMatchObject({ status: "timeout" });
  }
  const client = new AbortController();
  const left = desktop.service.send(
    "/api/display/wait",
    { until, timeout_ms: 30_000 },
    client.signal,
  );
  await running.promise;
  client.abort();
  expect((await left).status).toBe(499);
  await Deno.remove(folder, { recursive: true });
});

/** Rejects as soon as nobody waits any more. */
function ended(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}
