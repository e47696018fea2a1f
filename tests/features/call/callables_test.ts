/** Operations are found by name, checked strictly, and run. */

import { ANYONE } from "../../../src/features/actor.ts";
import { expect } from "expect";
import { z } from "zod";
import { FieldError, InputError, ServiceError } from "../../../src/core/errors.ts";
import type { CallResult } from "../../../src/features/context.ts";
import { callName } from "../../../src/features/call_names.ts";
import type { Callables } from "../../../src/features/call/callables.ts";
import { FlatInput } from "../../../src/features/call/check_fields.ts";
import { allOperations, partOf } from "../../../src/features/mod.ts";
import { defineOperation, json } from "../../../src/features/operation.ts";
import { Streamed } from "../../../src/features/streamed.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { testApp } from "../../support/client.ts";
import { doing, echoProcess, SAMPLES } from "../../support/sample_operations.ts";

const { signal } = new AbortController();
const operations = await allOperations(DEFAULT_LIMITS);

function call(callables: Callables, name: string, input: unknown): Promise<CallResult> {
  return callables.prepare(name, input).run({ actor: ANYONE, signal });
}

/** The errors with which an input is refused. */
function errorsOf(check: () => unknown): InputError["errors"] {
  try {
    check();
  } catch (error) {
    if (error instanceof InputError) return error.errors;
    throw error;
  }
  throw new Error("nothing was refused");
}

Deno.test("every operation has a name of its own: the group, then what follows in the path", () => {
  const names = operations.map(callName);
  expect(new Set(names).size).toBe(operations.length);
  for (const { path, group } of operations) {
    expect(partOf(path)).toBe(path === "/api/display/wait" ? "wait" : group);
  }
  for (const name of names) expect(name).toMatch(/^[a-z]+(\.[a-z]+(-[a-z]+)*)*$/);
  for (const name of ["mouse.left-click", "bash.command", "display.pixel-color"]) {
    expect(names).toContain(name);
  }
  expect(names).toContain("bash.process.output");
  expect(names).toContain("filesystem.info");
});

Deno.test("no field of an operation is both in its body and in its path or query", () => {
  for (const operation of operations) {
    const { names } = new FlatInput(operation);
    expect(new Set(names).size).toBe(names.length);
  }
});

Deno.test("no two operations answer to the same way of writing a name", () => {
  const { callables } = testApp({ operations });
  for (const operation of operations) {
    const { id, path } = operation;
    for (const name of [callName(operation), id, path, path.replace("/api/", "")]) {
      expect(callables.find(name)?.id).toBe(id);
    }
  }
});

Deno.test("find() takes name, path and id", () => {
  const { callables } = testApp({ operations });
  for (const name of ["mouse.left-click", "mouse/left-click", "leftClick"]) {
    expect(callables.find(name)?.id).toBe("leftClick");
  }
  expect(callables.find("bash/process/{pid}/output")?.id).toBe("getProcessOutput");
  expect(callables.find("constructor")).toBeUndefined();
});

Deno.test("a call does what its operation does, and gives its answer", async () => {
  const { callables, platform } = testApp({ operations });
  expect(await call(callables, "mouse.move", { x: 7, y: 9 }))
    .toEqual({ kind: "nothing", headers: {}, outcome: "done" });
  expect(platform.screen().fake.sent).toEqual(["move 7,9"]);
  expect(await call(callables, "mouse.position", {}))
    .toEqual({ kind: "json", value: { x: 7, y: 9 }, headers: {} });
  expect(await call(callables, "mouse.position", undefined)).toMatchObject({ kind: "json" });
});

Deno.test("a call that answers with a file gives its bytes, media type and headers", async () => {
  const { callables } = testApp({ operations });
  const picture = await call(callables, "display.screenshot", { format: "jpeg" });
  if (picture.kind !== "file") throw new Error(`not a file: ${picture.kind}`);
  expect(picture).toMatchObject({ outcome: "picture", mediaType: "image/jpeg" });
  expect([...picture.bytes.slice(0, 2)]).toEqual([0xff, 0xd8]);
  expect(picture.headers["X-Frame"]).toMatch(/-1$/);
});

Deno.test("fields of path, query and body are given side by side", async () => {
  const { callables } = testApp({ operations: [echoProcess] });
  const result = await call(callables, "echoProcess", { pid: 3, text: "a", wait: 2 });
  expect(result).toEqual({ kind: "json", value: { pid: 3, text: "a", wait: 2 }, headers: {} });
});

Deno.test("an unknown field is refused, and the error names those that are taken", () => {
  const { callables } = testApp({ operations });
  const errors = errorsOf(() => callables.prepare("mouse.move", { x: 1, y: 2, clicks: 3 }));
  expect(errors).toEqual([{
    loc: ["input", "clicks"],
    msg:
      'Unknown field: "moveMouse" takes "x", "y", "ref", "duration_ms", "effect", "frame", "display_num", "desk"',
    type: "extra_forbidden",
  }]);
});

Deno.test("an unknown field is refused in nested objects too", () => {
  const { callables } = testApp({ operations: SAMPLES });
  const refused = (input: object) =>
    errorsOf(() => callables.prepare("echoBody", { x: 1, ...input })).map(({ loc }) => loc);
  expect(refused({ item: { name: "a", size: 1, colour: "red" } }))
    .toEqual([["input", "item", "colour"]]);
  expect(
    refused({ elements: [{ type: "value", value: "a" }, { type: "point", x: 1, y: 2, z: 3 }] }),
  )
    .toEqual([["input", "elements", 1, "z"]]);
  expect(refused({ element: { type: "value", value: "a", x: 1 } }))
    .toEqual([["input", "element", "x"]]);
  expect(() => callables.prepare("echoBody", { x: 1, env: { ANY: "name" } })).not.toThrow();
});

Deno.test("every error is listed: unknown, missing and wrong fields together", () => {
  const { callables } = testApp({ operations });
  const errors = errorsOf(() =>
    callables.prepare("mouse.move", { x: "1", z: 1 }, { at: ["body", "steps", 7, "input"] })
  );
  expect(errors.map(({ loc, type }) => [loc.join("."), type])).toEqual([
    ["body.steps.7.input.z", "extra_forbidden"],
    ["body.steps.7.input.x", "int_type"],
    ["body.steps.7.input.y", "missing"],
  ]);
});

Deno.test("an input that is no object is refused", () => {
  const { callables } = testApp({ operations });
  for (const input of [null, [], "x", 3]) {
    expect(errorsOf(() => callables.prepare("mouse.move", input))[0])
      .toMatchObject({ loc: ["input"], type: "model_attributes_type" });
  }
});

Deno.test("an unknown name is refused with the nearest ones", () => {
  const { callables } = testApp({ operations });
  const [error] = errorsOf(() => callables.prepare("mouse.leftclick", {}));
  expect(error).toMatchObject({ loc: ["operation"], type: "value_error" });
  expect(error!.msg).toContain('the nearest are "mouse.left-click"');
  for (const wrong of ["mouse.clik", "mouse/clik"]) {
    const { msg } = errorsOf(() => callables.prepare(wrong, {}))[0]!;
    expect(msg).toMatch(/the nearest are "mouse\.click", "mouse\.(left|right|middle)-click"/);
  }
  expect(errorsOf(() => callables.prepare("bash", {}))[0]!.msg).toContain("a name is the group");
  const long = errorsOf(() => callables.prepare("x".repeat(1_000_000), {}))[0]!.msg;
  expect(long.length).toBeLessThan(300);
});

Deno.test("a value that turns out to be impossible is located in the input", async () => {
  const { callables } = testApp({
    operations: [doing(() => {
      throw new FieldError(["path", 0], "no");
    })],
  });
  const error = await call(callables, "doAnything", {}).catch((error) => error);
  expect(error).toBeInstanceOf(InputError);
  expect(error.errors).toEqual([{ loc: ["input", "path", 0], msg: "no", type: "value_error" }]);
});

Deno.test("--disable and --read-only hold for calls too", () => {
  const refuse = (config: object, name: string) => {
    try {
      testApp({ config, operations }).callables.prepare(name, {});
    } catch (error) {
      return [(error as ServiceError).code, (error as Error).message];
    }
    return [];
  };
  expect(refuse({ disabled: new Set(["mouse"]) }, "mouse.left-click"))
    .toEqual(["forbidden", 'The group "mouse" is disabled by --disable']);
  expect(refuse({ readOnly: true }, "mouse.left-click")[0]).toBe("forbidden");
  expect(refuse({ readOnly: true }, "mouse.position")).toEqual([]);
});

Deno.test("a streamed answer is collected, up to a bound", async () => {
  const chunk = new TextEncoder().encode(`"${"a".repeat(100_000)}",`);
  const streaming = (chunks: number) => {
    let sent = -1;
    let cancelled = false;
    const stream = new ReadableStream({
      pull(controller) {
        if (++sent === 0) return controller.enqueue(new TextEncoder().encode("["));
        if (sent <= chunks) return controller.enqueue(chunk);
        controller.enqueue(new TextEncoder().encode('"é"]'));
        controller.close();
      },
      cancel() {
        cancelled = true;
      },
    });
    const operation = defineOperation({
      ...doing(() => {}),
      body: z.object({}),
      answer: json("Much.", z.array(z.string())),
      errors: { too_large: "It is." },
      run: () => new Streamed(stream, Promise.resolve()),
    });
    const { callables } = testApp({ operations: [operation] });
    return { result: call(callables, "doAnything", {}), isCancelled: () => cancelled };
  };
  const small = await streaming(2).result;
  expect(small.kind === "json" && (small.value as string[]).at(-1)).toBe("é");
  const large = streaming(20);
  await expect(large.result).rejects.toMatchObject({ code: "too_large" });
  expect(large.isCancelled()).toBe(true);
});
