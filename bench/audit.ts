/** `mouse/move` of a service with an audit file beside one without, in turns, with one caller and with 32. */

import { testFolder } from "../tests/support/folder.ts";
import { startServer } from "./process.ts";
import { percentile } from "./raw_client.ts";
import { row, section } from "./report.ts";
import { type Figures, measure } from "./wrk.ts";

const ROUNDS = 12;
const SECONDS = 3;
const MOVE = { path: "/api/mouse/move", body: { x: 300, y: 200 }, other: { x: 310, y: 210 } };

export async function benchAudit(xDisplay: string): Promise<void> {
  section("mouse/move with an audit file: requests/s and p50 beside those without (medians)");
  await using folder = await testFolder();
  const args = ["--port", "0", "--display", `1=${xDisplay}`];
  await using without = await startServer("../main.ts", args);
  const file = `${folder.path}/audit.jsonl`;
  await using audited = await startServer("../main.ts", [...args, "--audit-file", file]);
  row("", ["requests/s", "p50"]);
  for (const connections of [1, 32]) {
    const shares: { readonly rate: number; readonly p50: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const run = ({ port }: { readonly port: number }): Promise<Figures> =>
        measure({ ...MOVE, port, connections, seconds: round === 0 ? 1 : SECONDS });
      const isFirst = round % 2 === 0; // whoever comes second finds a warmer machine
      const [one, other] = isFirst ? [without, audited] : [audited, without];
      const [first, second] = [await run(one), await run(other)];
      const [plain, noted] = isFirst ? [first, second] : [second, first];
      if (round === 0) continue; // it warms up
      shares.push({ rate: noted.perSecond / plain.perSecond, p50: noted.p50 / plain.p50 });
    }
    row(`${connections} caller${connections > 1 ? "s" : ""}`, [
      percentile(shares.map(({ rate }) => rate), 50).toFixed(3),
      percentile(shares.map(({ p50 }) => p50), 50).toFixed(3),
    ]);
  }
}
