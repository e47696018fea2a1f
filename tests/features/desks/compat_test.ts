/** Other projects' interfaces, by tokens that are for one desk. */

import { expect } from "expect";
import { addToken } from "../../../src/http/tokens/token_store.ts";
import { startCompat } from "../../support/compat_service.ts";
import { waitFor } from "../../support/wait.ts";

const TOKEN = "a-token-of-the-test";

Deno.test("a script on a desk gets the token of its client, and no other one", async () => {
  await using service = await startCompat("osworld", [], { COMPUTER_CONTROL_TOKEN: TOKEN });
  const stateDir = `${service.home}/.local/state/computer-control`;
  const own = await addToken(stateDir, { name: "agent", scopes: ["all"], desk: "alice" });
  const ask = async (address: string, token: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(address, { headers, ...sent });
    const text = await response.text();
    return { status: response.status, answer: text === "" ? undefined : JSON.parse(text) };
  };
  const api = `${service.service.address}/api`;
  for (const name of ["alice", "bob"]) {
    expect((await ask(`${api}/desk/create`, TOKEN, { name })).status).toBe(200);
  }
  const execute = async (command: string) => {
    const { answer } = await ask(`${service.address}/execute`, own, { command, shell: true });
    return answer.output as string;
  };
  expect(await waitFor(() => execute("printenv COMPUTER_CONTROL_TOKEN"))).toBe(`${own}\n`);
  const script = "import pyautogui; pyautogui.FAILSAFE = False; pyautogui.moveTo(12, 34)";
  await execute(`python -c '${script}'`);
  expect((await ask(`${api}/mouse/position?desk=alice`, TOKEN)).answer).toEqual({ x: 12, y: 34 });
  // what programs of this user may read of each other
  expect(programsWith(TOKEN, service.service.pid)).toEqual([]);
});

Deno.test("recordings of clients on several desks do not meet", async () => {
  await using service = await startCompat("osworld", [], { COMPUTER_CONTROL_TOKEN: TOKEN });
  const stateDir = `${service.home}/.local/state/computer-control`;
  const names = ["alice", "bob"];
  const tokens = await Promise.all(names.map(async (name) => {
    const own = await addToken(stateDir, { name, scopes: ["all"], desk: name });
    const response = await fetch(`${service.service.address}/api/desk/create`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
    expect([response.status, (await response.json()).name]).toEqual([200, name]);
    return own;
  }));
  const post = async (path: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(service.address + path, { method: "POST", headers });
    await response.arrayBuffer();
    return response.status;
  };
  for (const token of tokens) await waitFor(async () => await post("/screen_size", token) === 200);
  for (const token of tokens) expect(await post("/start_recording", token)).toBe(200);
  for (const token of tokens) expect(await post("/end_recording", token)).toBe(200);
});

/** The names of the programs, but for one, that have a text in their variables. */
function programsWith(text: string, but: number): string[] {
  return [...Deno.readDirSync("/proc")].flatMap(({ name }) => {
    try {
      const isOne = name !== String(but) &&
        Deno.readTextFileSync(`/proc/${name}/environ`).includes(text);
      return isOne ? [Deno.readTextFileSync(`/proc/${name}/comm`).trim()] : [];
    } catch {
      return [];
    }
  });
}
