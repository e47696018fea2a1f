/** OpenAI's `apply_patch`: what is done to real files, and what is refused. */

import { expect } from "expect";
import { type FilesApp, namesIn, openFilesApp } from "../../filesystem/files_app.ts";

type Item = Readonly<Record<string, unknown>>;

async function ask(app: FilesApp, output: readonly Item[], more: object = {}): Promise<Item[]> {
  const answer = await app.call("agents/openai", { output, ...more });
  expect(answer.pending_safety_checks).toEqual([]);
  return answer.input;
}

function patch(operation: object, more: object = {}): Item {
  return {
    type: "apply_patch_call",
    id: "ap",
    call_id: "call_1",
    status: "completed",
    operation,
    ...more,
  };
}

Deno.test("apply_patch creates, changes and deletes files", async () => {
  await using app = await openFilesApp();
  const path = "src/new/hello.txt";
  const operations = [
    { type: "create_file", path, diff: "+one\n+two\n+\n" },
    { type: "update_file", path, diff: "@@\n one\n-two\n+2\n" },
  ];
  const caller = { type: "program", caller_id: "p1" };
  const answers = await ask(app, operations.map((each) => patch(each, { caller })));
  expect(answers).toEqual(["Created", "Updated"].map((word) => ({
    ...{ type: "apply_patch_call_output", call_id: "call_1", status: "completed" },
    ...{ output: `${word} ${path}`, caller },
  })));
  expect(await Deno.readTextFile(app.at(path))).toBe("one\n2\n\n");
  const [deleted] = await ask(app, [patch({ type: "delete_file", path })]);
  expect(deleted).toMatchObject({ status: "completed", output: `Deleted ${path}` });
  expect(namesIn(app.at("src/new"))).toEqual([]);
});

const FAILED: Readonly<Record<string, readonly [object, RegExp]>> = {
  "a file that exists": [{ type: "create_file", path: "x", diff: "+new\n" }, /already exists/],
  "a new file whose lines are no additions": [
    { type: "create_file", path: "y", diff: "new\n" },
    /begins with "\+"/,
  ],
  "a file that is not there": [
    { type: "update_file", path: "y", diff: "@@\n-a\n+b\n" },
    /no such file/,
  ],
  "lines that are not there": [{ type: "update_file", path: "x", diff: "@@\n-q\n+b\n" }, /not in/],
  "lines that are there twice": [
    { type: "update_file", path: "x", diff: "@@\n-a\n+b\n" },
    /2 times/,
  ],
  "a deletion of what is not there": [{ type: "delete_file", path: "y" }, /no such file/],
  "a deletion of a folder": [{ type: "delete_file", path: "folder" }, /is a folder/],
  "an unknown type": [{ type: "rename_file", path: "x" }, /no known type/],
  "no path": [{ type: "update_file", diff: "@@\n-a\n+b\n" }, /path: /],
  "an unknown field": [{ type: "delete_file", path: "x", recursive: true }, /recursive/],
};

for (const [what, [operation, message]] of Object.entries(FAILED)) {
  Deno.test(`apply_patch answers ${what} as failed, and changes nothing`, async () => {
    await using app = await openFilesApp();
    await app.put("x", "a\nb\na\n");
    await Deno.mkdir(app.at("folder"));
    const [answer, ...others] = await ask(app, [patch(operation)]);
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ type: "apply_patch_call_output", status: "failed" });
    expect(answer!["output"]).toMatch(message);
    expect(answer!["output"]).toMatch(/Nothing was changed\.$/);
    expect(await Deno.readTextFile(app.at("x"))).toBe("a\nb\na\n");
    expect(namesIn(app.home)).toEqual(["folder", "x"]);
  });
}

Deno.test("a patch that fails does not stop those of other files", async () => {
  await using app = await openFilesApp();
  await app.put("x", "a\n");
  const answers = await ask(app, [
    patch({ type: "update_file", path: "gone", diff: "@@\n-a\n+b\n" }),
    patch({ type: "update_file", path: "x", diff: "@@\n-a\n+b\n" }),
    patch("nonsense" as unknown as object),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(["failed", "completed", "failed"]);
  expect(await Deno.readTextFile(app.at("x"))).toBe("b\n");
});

Deno.test("with a workspace apply_patch reaches nothing outside, by no path and no link", async () => {
  await using app = await openFilesApp();
  await app.put("secret", "a\n");
  await app.put("work/x", "a\n");
  await Deno.symlink(app.at("secret"), app.at("work/link"));
  await Deno.symlink(app.home, app.at("work/up"));
  const update = { type: "update_file", diff: "@@\n-a\n+b\n" };
  const create = { type: "create_file", diff: "+new\n" };
  const outside = [
    ...["../secret", app.at("secret"), "link", "up/secret", "x/../../secret", "~/secret"]
      .map((path) => ({ ...update, path })),
    ...["../new", "/new", "up/new", "up/deep/new"].map((path) => ({ ...create, path })),
    ...["../secret", "up/secret", ".", ".."].map((path) => ({ type: "delete_file", path })),
  ];
  for (const operation of outside) {
    const [answer] = await ask(app, [patch(operation)], { workspace: "work" });
    expect({ operation, answer }).toMatchObject({ answer: { status: "failed" } });
  }
  expect(await Deno.readTextFile(app.at("secret"))).toBe("a\n");
  expect(namesIn(app.home)).toEqual(["secret", "work"]);
  const inside = [
    { ...update, path: "./x" },
    { ...create, path: app.at("work/deep/new") },
    { type: "delete_file", path: "link" }, // the link itself
  ];
  const answers = await ask(app, inside.map((each) => patch(each)), { workspace: app.at("work") });
  expect(answers.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect(await Deno.readTextFile(app.at("work/x"))).toBe("b\n");
  expect(namesIn(app.at("work"))).toEqual(["deep", "up", "x"]);
});
