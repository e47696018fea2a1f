/** The tools: which there are, how they are described, and what they answer to what models write. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "expect";
import { allOperations } from "../../src/features/mod.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import type { OpenMcp } from "../../src/http/mcp_route.ts";
import type { Group } from "../../src/core/groups.ts";
import { testApp } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import { callTool, listTools, modernMessage, toolText } from "../support/mcp.ts";
import { bearer, tokenApp } from "../support/tokens.ts";
import { waitFor } from "../support/wait.ts";

const FEW = [
  ...["screenshot", "zoom", "wait"],
  ...["read_elements", "find_elements", "act_on_element"],
  ...["left_click", "right_click", "middle_click", "double_click", "triple_click"],
  ...["left_click_drag", "mouse_move", "left_mouse_down", "left_mouse_up", "scroll"],
  ...["cursor_position", "type", "key", "hold_key"],
  ...["bash", "bash_output", "request_help", "str_replace_based_edit_tool"],
];

// deno-lint-ignore no-explicit-any -- the shape is what is tested
function names(tools: readonly any[]): string[] {
  return tools.map(({ name }) => name);
}

Deno.test("tools/list has the few tools that models know, in a fixed order, with a time to live", async () => {
  const app = testApp();
  expect(names(await listTools(app.fetch))).toEqual(FEW);
  expect(names(await listTools(app.fetch))).toEqual(FEW);
  const { headers, body } = modernMessage("tools/list");
  const answer = await app.send("POST", "/mcp", { headers, body: JSON.stringify(body) });
  expect(answer.json.result).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
});

Deno.test("--mcp-tools all adds every operation but the vendors' doors and the health checks", async () => {
  const { fetch } = testApp({ config: { mcpTools: "all" } });
  const listed = names(await listTools(fetch));
  expect(listed.slice(0, FEW.length)).toEqual(FEW);
  expect(new Set(listed).size).toBe(listed.length);
  const others = (await allOperations(DEFAULT_LIMITS))
    .filter(({ unnamed, group }) => !unnamed && String(group) !== "agents");
  expect(listed.length).toBe(FEW.length + others.length - 1); // mouse_move is there already
  for (const name of ["mouse_left_click", "bash_process_output", "display_pixel_color"]) {
    expect(listed).toContain(name);
  }
});

Deno.test("other work goes on while the tools are made", async () => {
  let turns = 0;
  const openMcp: OpenMcp = async (source) => {
    const { openMcp } = await import("../../src/mcp/server.ts");
    const counting = setInterval(() => turns++, 0);
    const door = await openMcp(source, new AbortController().signal);
    clearInterval(counting);
    return door;
  };
  const app = testApp({ config: { mcpTools: "all" }, openMcp });
  const { headers, body } = modernMessage("tools/list");
  const { status } = await app.send("POST", "/mcp", { headers, body: JSON.stringify(body) });
  expect([status, turns > 1]).toEqual([200, true]);
});

Deno.test("each tool says what it does, in schemas that any model takes", async () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  for (const tool of await listTools(testApp({ config: { mcpTools: "all" } }).fetch)) {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
    expect(tool.description).toMatch(/^[A-Z].*\.$/s);
    expect(tool.title).toMatch(/./);
    expect(tool.inputSchema.type).toBe("object");
    expect(tool.inputSchema.additionalProperties).toBe(false);
    for (const word of ["oneOf", "anyOf", "allOf"]) {
      expect(tool.inputSchema).not.toHaveProperty(word);
    }
    ajv.compile(tool.inputSchema);
    if (tool.outputSchema !== undefined) ajv.compile(tool.outputSchema);
    expect(typeof tool.annotations.readOnlyHint).toBe("boolean");
    expect(tool.annotations.readOnlyHint || "destructiveHint" in tool.annotations).toBe(true);
  }
});

Deno.test("hints: what only looks, what destroys, what can be done twice", async () => {
  const tools = await listTools(testApp().fetch);
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.screenshot).toMatchObject({ readOnlyHint: true });
  expect(hints.bash).toMatchObject({ destructiveHint: true, openWorldHint: true });
  expect(hints.mouse_move).toMatchObject({ destructiveHint: false, idempotentHint: true });
  expect(hints.str_replace_based_edit_tool).toMatchObject({
    destructiveHint: true,
    openWorldHint: false,
  });
});

Deno.test("--disable takes the tools of a group away", async () => {
  const disabled = new Set<Group>(["bash", "editor"]);
  const { fetch } = testApp({ config: { disabled, mcpTools: "all" } });
  const listed = names(await listTools(fetch));
  expect(listed.filter((name) => /^(bash|editor|str_replace)/.test(name))).toEqual([]);
  await expect(callTool(fetch, "bash", { command: "true" })).rejects.toThrow(/There is no tool/);
});

Deno.test("--read-only leaves what looks, and the edit tool can only view", async () => {
  const { fetch } = testApp({ config: { readOnly: true } });
  const tools = await listTools(fetch);
  const left = [
    ...["screenshot", "zoom", "wait", "read_elements", "find_elements"],
    ...["cursor_position", "bash_output", "request_help"],
  ];
  expect(names(tools)).toEqual([...left, "str_replace_based_edit_tool"]);
  const { properties } = tools.at(-1)!.inputSchema;
  expect(properties.command.enum).toEqual(["view"]);
  expect(Object.keys(properties)).toEqual(["command", "path", "view_range"]);
  await expect(callTool(fetch, "left_click")).rejects.toThrow(/There is no tool/);
});

Deno.test("tools/list leaves out what the token of the caller never permits", async () => {
  for (const mcpTools of ["few", "all"] as const) {
    await using opened = await tokenApp(["everything"], { config: { mcpTools } });
    const { app, tokens: [everything] } = opened;
    const view = await opened.add("view", { scopes: ["view"] });
    const bound = await opened.add("bound", { desk: "alice" });
    await waitFor(async () =>
      (await app.send("GET", "/favicon.ico", { headers: bearer(bound) })).status === 200
    );
    const { headers, body } = modernMessage("tools/list");
    const list = async (token: string) =>
      names((await app.post("/mcp", body, { ...headers, ...bearer(token) })).json.result.tools);
    const all = await list(everything!);
    expect(all).toEqual(expect.arrayContaining(FEW));

    const seen = await list(view);
    expect(seen.filter((name) => FEW.includes(name))).toEqual([
      ...["screenshot", "zoom", "wait", "read_elements", "find_elements"],
      ...["cursor_position", "request_help"],
    ]);
    const others = ["mouse_left_click", "filesystem_read", "control_pause", "desk_create"];
    expect(seen.filter((name) => others.includes(name))).toEqual([]);

    const onDesk = await list(bound);
    const ofService = [
      ...["control_link", "control_links", "control_request_help", "control_revoke_link"],
      ...["desk_create", "desk_delete", "request_help"],
    ];
    expect(all.filter((name) => !onDesk.includes(name)).sort())
      .toEqual(ofService.filter((name) => all.includes(name)));
  }
});

Deno.test("a field that a tool does not know is refused with those that it takes", async () => {
  const { fetch } = testApp();
  const { isError, content } = await callTool(fetch, "left_click", { x: 3, coordinate: [1, 2] });
  expect(isError).toBe(true);
  expect(content[0].text).toContain(
    '"left_click" takes "coordinate", "ref", "text", "display_num"',
  );
});

Deno.test("numbers as text, lists as JSON text and fractions are understood", async () => {
  const app = testApp();
  expect(await toolText(app.fetch, "mouse_move", { coordinate: "[12.7, 30]" })).toBe("Moved.");
  const at = await callTool(app.fetch, "cursor_position", { display_num: "1" });
  expect(at.structuredContent).toEqual({ x: 12, y: 30 });
  const text = await toolText(app.fetch, "mouse_move", { coordinate: ["7", " 8 "] });
  expect(text).toBe("Moved.");
  const strict = await app.post("/api/mouse/move", { x: "7", y: 8 });
  expect(strict.status).toBe(422);
});

/** Not written as `command:`, which would look like a program that is started. */
const edit = (what: string, path: string) =>
  Object.fromEntries([["command", what], ["path", path]]);

Deno.test("errors are tool errors in words that help", async () => {
  const { fetch } = testApp();
  const failures: readonly [string, Record<string, unknown>, RegExp][] = [
    [
      "left_click",
      { coordinate: [90_000, 5] },
      /^coordinate: \[90000, 5\] is outside the picture, which is/,
    ],
    ["left_click", { coordinate: [1] }, /^coordinate: List should have at least 2 items/],
    [
      "zoom",
      { region: [50, 50, 50, 60] },
      /^region: it must go from the top left to the bottom right/,
    ],
    ["key", { text: "Retrun" }, /^text: .*nearest/],
    ["type", {}, /^text: Field required/],
    ["scroll", { scroll_direction: "sideways" }, /'up', 'down', 'left' or 'right'/],
    ["bash", {}, /^command: Field required/],
    ["screenshot", { display_num: 57 }, /display 57/i],
    ["str_replace_based_edit_tool", edit("undo_edit", "/x"), /'view', 'create'/],
    [
      "str_replace_based_edit_tool",
      edit("view", "/no/such"),
      /does not exist|no such/i,
    ],
  ];
  for (const [name, args, message] of failures) {
    const { isError, content } = await callTool(fetch, name, args);
    expect([name, isError, content[0].text]).toEqual([name, true, expect.stringMatching(message)]);
  }
});

Deno.test("an answer that no client takes is refused with its size", async () => {
  const { fetch } = testApp();
  await using folder = await testFolder();
  const path = `${folder.path}/large.txt`;
  await Deno.writeTextFile(path, "x".repeat(1_020_000));
  const all = testApp({ config: { mcpTools: "all" } });
  const { isError, content } = await callTool(all.fetch, "editor_view", { path });
  const message = "The answer has 1020000 characters, which is too large: request less";
  expect([isError, content[0].text]).toEqual([true, message]);
  await Deno.writeTextFile(path, "x".repeat(2_000_000));
  const shown = await toolText(fetch, "str_replace_based_edit_tool", edit("view", path));
  expect(shown.length).toBeLessThan(70_000);
  expect(shown).toMatch(/^Here's .*\n {5}1\tx+\n\[\.\.\. the file goes on/);
});

Deno.test("the edit tool edits files of any size, once, and shows where they begin", async () => {
  await using folder = await testFolder();
  const { fetch } = testApp({ config: { stateDir: `${folder.path}/state` } });
  const path = `${folder.path}/large.txt`;
  const line = "a line of an ordinary text\n";
  const rest = line.repeat(100_000);
  await Deno.writeTextFile(path, `${rest}here\n${rest}`);
  const replace = (old_str: string) =>
    callTool(fetch, "str_replace_based_edit_tool", {
      ...edit("str_replace", path),
      old_str,
      new_str: "there",
    });
  const refused = await replace("ordinary");
  expect([refused.isError, refused.content[0].text]).toEqual([
    true,
    expect.stringContaining("occurs 200000 times"),
  ]);
  expect((await replace("here")).content[0].text).toBe(`The file ${path} has been edited.`);
  expect(await Deno.readTextFile(path)).toBe(`${rest}there\n${rest}`);
  const shown = await toolText(fetch, "str_replace_based_edit_tool", edit("view", path));
  const { length } = shown.split("\n");
  expect(shown).toContain(`[... the file goes on: view_range [${length - 1}, -1]]`);
});

Deno.test("an unknown tool is an error of the protocol", async () => {
  const app = testApp();
  for (const name of ["nope", "__proto__", "x".repeat(100_000)]) {
    const { headers, body } = modernMessage("tools/call", { name, arguments: {} });
    const sent = { headers: { ...headers, "mcp-name": name }, body: JSON.stringify(body) };
    const { json } = await app.send("POST", "/mcp", sent);
    expect(json.error.code).toBe(-32602);
    expect(json.error.message.length).toBeLessThan(200);
  }
});

Deno.test("structured content fits the tool's output schema", async () => {
  const { fetch } = testApp({ config: { mcpTools: "all" } });
  const ajv = new Ajv2020({ strict: false, logger: false });
  const schemas = new Map((await listTools(fetch)).map((tool) => [tool.name, tool.outputSchema]));
  const calls: readonly [string, Record<string, unknown>][] = [
    ["cursor_position", {}],
    ["display_screen_size", {}],
    ["display_list", {}],
    ["display_pixel_color", { x: 1, y: 1 }],
    ["filesystem_tree", { path: "/etc", max_depth: 1 }],
    ["system_info", {}],
  ];
  for (const [name, args] of calls) {
    const { structuredContent, isError } = await callTool(fetch, name, args);
    expect([name, isError ?? false]).toEqual([name, false]);
    const validate = ajv.compile(schemas.get(name)!);
    expect([name, validate(structuredContent), validate.errors]).toEqual([name, true, null]);
  }
});
