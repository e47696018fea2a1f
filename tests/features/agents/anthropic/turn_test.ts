/** Turns as a whole: which calls are whose, what is refused at once, and a client that leaves. */

import { expect } from "expect";
import {
  blindTurn,
  errorOf,
  member,
  startWithoutDisplay,
  turn,
  use,
} from "../../../support/anthropic.ts";
import { testApp } from "../../../support/client.ts";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import { waitFor } from "../../../support/wait.ts";

const PATH = "/api/agents/anthropic";

function editorCall(command: string, input: Readonly<Record<string, unknown>>) {
  return use("str_replace_based_edit_tool", { command, ...input });
}

Deno.test("a turn answers every call of its tools, and leaves those of the caller's own", async () => {
  const { post } = testApp();
  const tools = [
    { type: "computer_toolset_20260801" },
    { type: "custom", name: "weather", input_schema: { type: "object" } },
    { name: "news", input_schema: { type: "object" } },
    { type: "web_search_20250305", name: "web_search" },
  ];
  const content = [
    { type: "thinking", thinking: "...", signature: "x" },
    use("weather", { city: "Rome" }, "a"),
    { type: "server_tool_use", id: "s", name: "web_search", input: {} },
    use("nothing", {}, "b"),
    use("news", {}, "c"),
    member("wait", { duration: 0 }, "d"),
    { type: "tool_use", id: "e", name: "navigate", toolset_name: "browser", input: {} },
  ];
  const { status, json } = await post(PATH, { content, tools, then_screenshot: false });
  expect(status).toBe(200);
  expect(json).toEqual({
    content: [
      {
        type: "tool_result",
        tool_use_id: "b",
        content: [{ type: "text", text: 'There is no tool "nothing" in this request' }],
        is_error: true,
      },
      {
        type: "tool_result",
        tool_use_id: "d",
        toolset_name: "computer",
        content: [{ type: "text", text: "Waited 0s." }],
      },
    ],
    unhandled: ["a", "c", "e"],
  });
  expect((await post(PATH, { content: [{ type: "text", text: "Done." }] })).json)
    .toEqual({ content: [], unhandled: [] });
});

Deno.test("of a turn with 101 calls none is performed, and each is answered", async () => {
  await using desktop = await startRecordedDesktop();
  const calls = Array.from({ length: 101 }, (_, index) => member("key", { text: "a" }, `${index}`));
  const results = await turn(desktop.service, calls);
  expect(results.length).toBe(101);
  for (const [index, result] of results.entries()) {
    expect(result).toMatchObject({
      tool_use_id: `${index}`,
      toolset_name: "computer",
      is_error: true,
    });
    expect(result.content[0]!.text).toContain("at most 100 calls, and this one has 101");
  }
  await desktop.recorder.sync();
  expect(desktop.recorder.presses).toEqual([]);
  const hundred = await blindTurn(desktop.service, calls.slice(1));
  expect(hundred.filter(({ is_error }) => is_error)).toEqual([]);
  await desktop.recorder.sync();
  expect(desktop.recorder.presses.length).toBe(100);
});

Deno.test("a turn that cannot be answered is refused with the field that is wrong", async () => {
  const { post } = testApp();
  const wrong: [unknown, unknown[]][] = [
    [{}, ["body", "content"]],
    [{ content: "text" }, ["body", "content"]],
    [{ content: [5] }, ["body", "content", 0]],
    [{ content: [{}] }, ["body", "content", 0, "type"]],
    [{ content: [{ type: "tool_use", name: "bash", input: {} }] }, ["body", "content", 0, "id"]],
    [{ content: [{ type: "tool_use", id: "a", name: 5 }] }, ["body", "content", 0, "name"]],
    [{ content: [], tools: {} }, ["body", "tools"]],
    [{ content: [], display_num: -1 }, ["body", "display_num"]],
    [{ content: [], bash_timeout: 0 }, ["body", "bash_timeout"]],
    [{ content: [], format: "gif" }, ["body", "format"]],
    [{ content: Array(2_001).fill({ type: "text" }) }, ["body", "content"]],
  ];
  for (const [body, loc] of wrong) {
    const { status, json } = await post(PATH, body);
    expect([status, json.detail[0].loc]).toEqual([422, loc]);
  }
});

Deno.test("options that cannot be met are errors of the actions that need them", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "800x600" } });
  const { service } = desktop;
  const click = member("left_click", { coordinate: [1, 1] });
  expect(await errorOf(service, click, { fit: "claude-9" })).toContain("fit should be claude");
  expect(await errorOf(service, click, { frame: "none" })).toContain('There is no picture "none"');
  const [after] = await turn(service, [member("wait", { duration: 0 })], { fit: "claude-9" });
  expect(after!.content[1]!.text).toContain("There is no screenshot: fit: fit should be");
  await desktop.recorder.sync();
  expect(desktop.recorder.buttonEvents).toEqual([]);
  await using none = await startWithoutDisplay();
  expect(await errorOf(none, member("screenshot"))).toMatch(/display/i);
});

Deno.test("what is switched off is an error in a turn, and the whole group is 403", async () => {
  const some = testApp({ config: { disabled: new Set(["mouse", "editor"]) } });
  const { json } = await some.post(PATH, {
    content: [
      editorCall("create", { path: "/x", file_text: "" }),
      member("left_click", {}, "a"),
    ],
  });
  expect(json.content.map(({ content }: { content: { text: string }[] }) => content[0]!.text))
    .toEqual([
      'The group "editor" is disabled by --disable',
      'The group "mouse" is disabled by --disable',
    ]);
  const off = testApp({ config: { disabled: new Set(["agents"]) } });
  expect((await off.post(PATH, { content: [] })).status).toBe(403);
  const reading = testApp({ config: { readOnly: true } });
  expect((await reading.post(PATH, { content: [] })).status).toBe(403);
});

Deno.test("a client that leaves ends typing, the rest of the turn, and what the turn holds", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const address = service.listen();
  const leaving = new AbortController();
  const content = [
    member("left_mouse_down"),
    member("type", { text: "abc".repeat(30_000) }),
    member("key", { text: "Return" }),
  ];
  const sent = fetch(address + PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content }),
    signal: leaving.signal,
  });
  await waitFor(() => recorder.presses.length > 10, { what: "the first characters" });
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await waitFor(async () => {
    await recorder.sync();
    return recorder.buttonEvents.some(({ what }) => what === "button up");
  }, { what: "the release of the button" });
  const typed = recorder.presses.length;
  await blindTurn(service, [member("key", { text: "Escape" })]); // waits for its turn
  await recorder.sync();
  expect(recorder.presses.length).toBe(typed + 1);
  expect(typed).toBeLessThan(90_000);
  expect(recorder.text).not.toContain("\n");
  const balance = recorder.keyEvents.reduce(
    (sum, { what }) => sum + (what === "press" ? 1 : -1),
    0,
  );
  expect(balance).toBe(0);
});

Deno.test("a client that leaves ends waiting and a held key", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  for (
    const [name, input] of [["hold_key", { text: "shift", duration: 300 }], ["wait", {
      duration: 300,
    }]] as const
  ) {
    recorder.clear();
    const leaving = new AbortController();
    const content = [
      member("key", { text: "a" }),
      member(name, input),
      member("key", { text: "b" }),
    ];
    const sent = service.send(PATH, { content }, leaving.signal);
    await waitFor(async () => {
      await recorder.sync();
      return recorder.presses.length >= (name === "wait" ? 1 : 2);
    }, { what: name });
    leaving.abort();
    expect((await sent).status).toBe(499);
    await recorder.sync();
    const expected = name === "wait" ? "+a -a" : "+a -a +Shift_L -Shift_L";
    expect(recorder.strokes).toBe(expected);
  }
});

Deno.test("a folder that cannot be one is refused, also where no call uses it", async () => {
  const app = testApp();
  for (
    const [path, body, field] of [
      ["anthropic", { content: [] }, "memory_dir"],
      ["openai", { output: [] }, "workspace"],
    ] as const
  ) {
    for (const folder of ["~somebody", "", "a\0b"]) {
      const { status, json } = await app.post(`/api/agents/${path}`, { ...body, [field]: folder });
      expect([folder, status]).toEqual([folder, 422]);
      expect(json.detail).toMatchObject([{ loc: ["body", field], type: "value_error" }]);
    }
  }
});
