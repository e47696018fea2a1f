/** Harbor's own validator takes the exports of sessions made of any operations. */

import { expect } from "expect";
import { testApp } from "../../../support/client.ts";
import { testFolder } from "../../../support/folder.ts";
import { harborModels } from "../../../support/harbor.ts";

const SESSIONS = 60;
const harbor = await harborModels();

Deno.test({
  name: `Harbor's validator takes ${SESSIONS} exports of random sessions${
    typeof harbor === "string" ? ` (${harbor.split("\n").at(-1)})` : ""
  }`,
  ignore: typeof harbor === "string",
  async fn() {
    if (typeof harbor === "string") throw new TypeError("This test is ignored");
    await using folder = await testFolder();
    await exportSessions(folder.path, SESSIONS, 1);
    const verdicts = JSON.parse(await harbor.run([folder.path]));
    expect(verdicts).toEqual({ valid: SESSIONS, refused: [], broken: "refused" });
  },
});

/** Repeatable random numbers (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296;
  };
}

const TEXTS = ["", "é日本🙂", "a\nb\tc", '"</script>', "x".repeat(3_000), "\u202e\ufffd", "null"];

/** Each in a folder of its own, with all that an operation can answer. */
export async function exportSessions(folder: string, count: number, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const number = (below: number) => Math.floor(random() * below);
  const any = <T>(values: readonly T[]) => values[number(values.length)]!;
  const app = testApp();
  const calls: readonly (() => readonly [path: string, body: object])[] = [
    () => ["mouse/move", { x: number(3_000), y: number(3_000), effect: random() < 0.5 }],
    () => ["mouse/left-click", { x: number(1_280), y: number(800) }],
    () => ["mouse/left-click", { ref: `e${number(9)}` }],
    () => ["mouse/drag", {
      from: { x: 1, y: 2 },
      x: number(900),
      y: 5,
      path: [{ x: 3, y: 4 }],
      duration_ms: 0,
    }],
    () => ["mouse/scroll", { clicks: number(9) - 4 }],
    () => ["keyboard/type", { text: any(TEXTS), typing_delay: 0 }],
    () => ["keyboard/key", { key: any(["a", "enter", "ctrl+s", "nonsense"]) }],
    () => ["clipboard/set", { text: any(TEXTS) }],
    () => ["window/focus", { id: "w1" }],
    () => ["accessibility/act", { ref: "e1", action: "click" }],
    () => ["browser/fill", { ref: "e1", value: any<unknown>([...TEXTS, 3.5, true, ["a"]]) }],
    () => ["filesystem/write", { path: `/nowhere/${any(TEXTS).slice(0, 50)}`, content: "x" }],
    () => ["bash/command", { command: "true", env: { A: "b" } }],
    () => ["display/wait", { until: "stable", timeout_ms: 1 }],
    () => ["batch", { steps: [{ operation: "mouse.move", input: { x: 1, y: 1 } }] }],
    () => ["keychain/authenticate", {
      service: `shop${number(1e9)}`,
      authElements: [{ type: "u", value: "x" }],
    }],
  ];
  for (let session = 0; session < count; session++) {
    const options = { texts: random() < 0.5, pictures: false, trees: false };
    const { json } = await app.post("/api/trail/start", options);
    for (let left = number(12); left > 0; left--) {
      const [path, body] = any(calls)();
      await app.post(`/api/${path}`, body);
    }
    const path = `${folder}/${session}`;
    const exported = await app.post("/api/trail/export", { id: json.id, format: "atif", path });
    if (exported.status !== 200) throw new Error(exported.text);
    await app.post("/api/trail/stop", { id: json.id });
  }
  await app.session[Symbol.asyncDispose]();
}
