/** The field `desk` changes nothing else of the operations that have it. */

import { expect } from "expect";
import { z } from "zod";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { takesDesk, withDesk } from "../../../src/features/on_desk.ts";
import { allOperations } from "../../../src/features/mod.ts";
import { defineOperation, noContent } from "../../../src/features/operation.ts";

Deno.test("what a schema says beside its fields stays", () => {
  const meta = { oneOf: [{ required: ["x"] }, { required: ["ref"] }] };
  const body = z.object({ x: z.int().optional(), ref: z.string().optional() })
    .refine(({ x, ref }) => x !== undefined || ref !== undefined).meta(meta);
  const { body: wrapped } = withDesk(defineOperation({
    id: "moveMouse",
    group: "mouse",
    method: "POST",
    path: "/api/mouse/move",
    summary: "Move",
    readOnly: false,
    body,
    answer: noContent("Moved."),
    run: () => {},
  }));
  expect(z.toJSONSchema(wrapped!)).toMatchObject(meta);
  expect(wrapped!.safeParse({ desk: "alice" }).success).toBe(false);
  expect(wrapped!.safeParse({ desk: "alice", x: 1 }).success).toBe(true);
});

Deno.test("each operation of a group with desks has the field", async () => {
  const operations = await allOperations(DEFAULT_LIMITS);
  const lacking = operations.filter(takesDesk)
    .filter(({ body, query }) => !("desk" in { ...body?.shape, ...query?.shape }));
  expect(lacking.map(({ id }) => id)).toEqual([]);
});
