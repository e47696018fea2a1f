/** 2,000 ASCII characters into a real xterm at delay 0, beside `xdotool type --delay 0`; every character is checked. */

import { openXterm } from "../tests/support/xterm.ts";
import { time } from "./median.ts";
import { startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";

const TEXT = "The quick brown fox JUMPS over 13 lazy dogs; {[(~`!@#$%^&*_+=|?)]} ".repeat(30)
  .slice(0, 2000);
const ROUNDS = 5;

export async function benchTyping(xDisplay: string): Promise<void> {
  await using service = await startServer("../main.ts", [
    "--port",
    "0",
    "--display",
    `1=${xDisplay}`,
  ]);
  await using xterm = await openXterm(xDisplay);
  const times = { service: [] as number[], xdotool: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.service.push(await time(() => typeByService(service.port)));
    times.xdotool.push(await time(() => typeByXdotool(xDisplay)));
    await xterm.expectNext(TEXT + TEXT); // throws when one is lost
  }
  section("2,000 ASCII characters at delay 0 (median ms of 5, none lost)");
  const [ours, theirs] = [percentile(times.service, 50), percentile(times.xdotool, 50)];
  row("POST /api/keyboard/type", [ours.toFixed(1)]);
  row("xdotool type --delay 0", [theirs.toFixed(1)]);
  row("times faster", [(theirs / ours).toFixed(1)]);
}

async function typeByService(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/keyboard/type`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: TEXT, typing_delay: 0 }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}

async function typeByXdotool(xDisplay: string): Promise<void> {
  const { success } = await new Deno.Command("xdotool", {
    args: ["type", "--delay", "0", "--", TEXT],
    env: { DISPLAY: xDisplay },
  }).output();
  if (!success) throw new Error("xdotool failed");
}
