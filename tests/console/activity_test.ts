/** What is done is kept with who did it and how it ended, and without what nobody else may read. */

import { expect } from "expect";
import { Activity } from "../../src/console/activity.ts";
import { visibleFields } from "../../src/features/trail/operation_log.ts";
import { testApp } from "../support/client.ts";
import { waitFor } from "../support/wait.ts";

Deno.test("each operation is kept with its outcome, also one that is refused", async () => {
  const app = testApp();
  using activity = new Activity(app);
  await app.post("/api/mouse/move", { x: 3, y: 4 });
  await app.post("/api/filesystem/read", { path: "/nonexistent/file" });
  await waitFor(() =>
    activity.kept.every(({ outcome }) => outcome !== "running") && activity.kept.length === 2
  );
  expect(activity.kept).toMatchObject([
    { who: "anyone", operation: "mouse.move", fields: { x: 3, y: 4 }, outcome: "done" },
    { operation: "filesystem.read", fields: { path: "/nonexistent/file" }, outcome: "not_found" },
  ]);
});

Deno.test("probes, which need no token, push nothing out of what is kept", async () => {
  const app = testApp();
  using activity = new Activity(app);
  for (const path of ["/healthz", "/readyz", "/api/system/info"]) await app.send("GET", path);
  await waitFor(() => activity.kept.length > 0);
  expect(activity.kept.map(({ operation }) => operation)).toEqual(["system.info"]);
});

Deno.test("neither typed text nor what is stored or written is kept", async () => {
  const app = testApp();
  using activity = new Activity(app);
  await app.post("/api/keyboard/type", { text: "open sesame" });
  await app.post("/api/keyboard/key", { key: "s" });
  await app.post("/api/keyboard/key", { key: "shift+E" });
  await app.post("/api/clipboard/set", { text: "open sesame" });
  await app.post("/api/batch", {
    steps: [{ operation: "keyboard.type", input: { text: "open sesame" } }],
  });
  await waitFor(() =>
    activity.kept.length === 6 && activity.kept.every(({ outcome }) => outcome !== "running")
  );
  const all = JSON.stringify(activity.kept);
  expect(all).not.toContain("sesame");
  expect(all).not.toContain('"s"');
  expect(all).not.toContain("shift+E");
  expect(activity.kept[0]!.omitted).toContain("text");
});

const visible: [string, string, unknown, unknown][] = [
  ["keyboard", "key", "ctrl+c", "ctrl+c"],
  ["keyboard", "key", "enter", "enter"],
  ["keyboard", "key", "KeyA", undefined],
  ["keyboard", "key", "shift+KeyA", undefined],
  ["keyboard", "key", "shift+enter", "shift+enter"],
  ["keyboard", "key", "\u00e9", undefined],
  ["keychain", "key", "ctrl+c", undefined],
  ["browser", "url", "https://example.org/a?token=1#b", "https://example.org/a"],
  ["browser", "url", "https://ada:pw@example.org/a", "https://example.org/a"],
  ["browser", "url", " ht\ntps:\\\\ada:pw@example.org/a@b", "https:\\\\example.org/a@b"],
  ["browser", "url", "data:text/html,secret", "data:…"],
  ["browser", "url", "file:///home/ada/a.txt", "file:///home/ada/a.txt"],
  ["browser", "value", "text", undefined],
  ["browser", "value", 4711, undefined],
  ["browser", "value", true, undefined],
  ["filesystem", "content", "text", undefined],
  ["bash", "env", { A: "b" }, undefined],
  ["bash", "timeout", 3, 3],
];

for (const [group, name, value, seen] of visible) {
  Deno.test(`of ${group} "${name}" ${JSON.stringify(value)} can be seen: ${seen}`, () => {
    const { fields, omitted } = visibleFields(group, { [name]: value });
    expect([fields[name], omitted]).toEqual([seen, seen === undefined ? [name] : []]);
  });
}

Deno.test("a long text is cut also where nothing is redacted", async () => {
  const app = testApp({ config: { redact: false } });
  using activity = new Activity(app);
  await app.post("/api/filesystem/read", { path: `/${"x".repeat(1_000)}` });
  await waitFor(() => String(activity.kept[0]?.fields["path"]).length === 201);
});

Deno.test("only the last thousand are kept, and who watches gets the news", async () => {
  const app = testApp();
  using activity = new Activity(app);
  const seen = new Set<number>();
  using _watching = activity.watch((entries) => entries.forEach(({ id }) => seen.add(id)));
  for (let x = 0; x < 1_100; x++) await app.post("/api/mouse/move", { x, y: 1 });
  await waitFor(() => activity.kept.at(-1)?.id === 1_100);
  expect(activity.kept.length).toBe(1_000);
  expect(activity.kept.at(-1)!.fields["x"]).toBe(1_099);
  await waitFor(() => seen.has(1_100));
});

Deno.test("a person's hands are not noted, and everything else of a person is", async () => {
  const app = testApp();
  using activity = new Activity(app);
  const person = { id: "page-1", name: "Anna", kind: "person" } as const;
  const method = "POST";
  const path = "/api/keyboard/type";
  const call = { id: "typeText", group: "keyboard", method, path, readOnly: false };
  expect(app.session.noteCall!(call, { text: "x" }, { actor: person })).toBeUndefined();
  const other = { ...call, id: "executeCommand", group: "bash", path: "/api/bash/command" };
  app.session.noteCall!(other, { command: "true" }, { actor: person })!.end();
  await waitFor(() => activity.kept.length > 0);
  expect(activity.kept).toMatchObject([{ who: "Anna", operation: "bash.command" }]);
});

Deno.test("nothing is noted any more after the end", async () => {
  const app = testApp();
  const activity = new Activity(app);
  await app.session[Symbol.asyncDispose]();
  await app.post("/api/mouse/move", { x: 3, y: 4 });
  expect(activity.kept).toEqual([]);
});
