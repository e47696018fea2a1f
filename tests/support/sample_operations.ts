/** Operations that exist for tests of the HTTP layer: every style of schema, and handlers that tell what they were given. */

import { z } from "zod";
import { FieldError, ServiceError, STATUS } from "../../src/core/errors.ts";
import {
  type DeclaredErrors,
  defineOperation,
  json,
  noContent,
  type Operation,
} from "../../src/features/operation.ts";

const SampleElement = z.discriminatedUnion("type", [
  z.object({ type: z.literal("value"), value: z.string() }),
  z.object({ type: z.literal("point"), x: z.int(), y: z.int() }),
]);

/** One optional field for every fault of the table. */
export const SampleBody = z.object({
  x: z.int().min(0).max(100),
  y: z.int().optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  count: z.number().int().optional(),
  flag: z.boolean().optional(),
  text: z.string().min(1).max(4).optional(),
  clean: z.string().refine((text) => !text.includes("\0"), "Text holds a NUL").optional(),
  button: z.enum(["left", "middle", "right"]).default("left"),
  kind: z.literal("only").optional(),
  keys: z.array(z.string().min(1)).min(1).max(16).optional(),
  range: z.tuple([z.int(), z.int()]).nullable().default(null),
  note: z.string().nullable().optional(),
  env: z.record(z.string().min(1), z.string()).optional(),
  item: z.object({ name: z.string(), size: z.int() }).optional(),
  either: z.union([z.string().max(3), z.array(z.int())]).optional(),
  element: SampleElement.optional(),
  elements: z.array(SampleElement).optional(),
  step: z.int().multipleOf(5).optional(),
}).refine((body) => body.x !== 13, { path: ["x"], message: "13 is not possible" });

const plain = { group: "system", readOnly: true, summary: "A sample" } as const;
const anything = json("What came.", z.unknown());

/** The errors of an operation that may throw any. */
export const ANY_ERROR: DeclaredErrors = Object.fromEntries(
  Object.keys(STATUS).map((code) => [code, `This is "${code}".`]),
);

/** Answers with the input as it was understood. */
export const echoBody: Operation = defineOperation({
  ...plain,
  id: "echoBody",
  method: "POST",
  path: "/api/sample/echo",
  body: SampleBody,
  answer: anything,
  run: (_context, input) => input,
});

export const echoQuery: Operation = defineOperation({
  ...plain,
  id: "echoQuery",
  method: "GET",
  path: "/api/sample/query",
  query: z.object({
    num: z.int().min(0).max(9).default(1),
    ratio: z.number().optional(),
    all: z.boolean().default(false),
    name: z.string().max(5).optional(),
    until: z.enum(["change", "stable"]).default("change"),
  }),
  answer: anything,
  run: (_context, input) => input,
});

export const echoPath: Operation = defineOperation({
  ...plain,
  id: "echoPath",
  method: "GET",
  path: "/api/sample/info/{path}",
  params: z.object({ path: z.string().min(1) }),
  answer: anything,
  run: (_context, input) => input,
});

export const echoProcess: Operation = defineOperation({
  ...plain,
  id: "echoProcess",
  method: "POST",
  path: "/api/sample/process/{pid}/input",
  params: z.object({ pid: z.int().min(1) }),
  query: z.object({ wait: z.int().optional() }),
  body: z.object({ text: z.string() }),
  answer: anything,
  run: (_context, input) => input,
});

export const endProcess: Operation = defineOperation({
  ...plain,
  id: "endProcess",
  readOnly: false,
  method: "DELETE",
  path: "/api/sample/process/{pid}",
  params: z.object({ pid: z.int().min(1) }),
  answer: noContent("It has ended."),
  run: () => undefined,
});

/** An operation that takes `{}` and does what the test wants. */
export function doing(run: Operation["run"], rest: Partial<Operation> = {}): Operation {
  const operation = defineOperation({
    ...plain,
    id: "doAnything",
    method: "POST",
    path: "/api/sample/do",
    body: z.object({}),
    answer: noContent("It is done."),
    errors: ANY_ERROR,
    run: () => {},
  });
  return { ...operation, run, ...rest };
}

export const givesBytes: Operation = defineOperation({
  ...plain,
  id: "givesBytes",
  method: "GET",
  path: "/api/sample/bytes",
  answer: { status: 200, description: "These are bytes.", mediaTypes: ["image/png"] },
  run: () => ({ mediaType: "image/png", bytes: new Uint8Array([1, 2, 255]) }),
});

export const givesStatus: Operation = defineOperation({
  ...plain,
  id: "givesStatus",
  method: "GET",
  path: "/api/sample/status",
  answer: { oneOf: { notReady: { ...anything, status: 503 } } },
  run: () => ({ outcome: "notReady" as const, body: { ready: false } }),
});

/** An operation that only exists without the computer's name. */
export const givesHealth: Operation = defineOperation({
  ...plain,
  id: "givesHealth",
  unnamed: true,
  method: "GET",
  path: "/healthz",
  answer: anything,
  run: () => ({ status: "ok" }),
});

/** Throws what the body says, in the ways of a feature. */
export const refusing: Operation = defineOperation({
  ...plain,
  id: "refusing",
  method: "POST",
  path: "/api/sample/refuse/{pid}",
  params: z.object({ pid: z.int() }),
  query: z.object({ display_num: z.int().default(1) }),
  body: z.object({ code: z.string(), field: z.string().optional() }),
  answer: noContent("It never is."),
  errors: ANY_ERROR,
  run: (_context, { code, field }) => {
    if (field !== undefined) throw new FieldError(field, `${field} is impossible`);
    throw new ServiceError(code as ServiceError["code"], `This is "${code}"`);
  },
});

export const SAMPLES: readonly Operation[] = [
  echoBody,
  echoQuery,
  echoPath,
  echoProcess,
  endProcess,
  givesBytes,
  givesStatus,
  givesHealth,
  refusing,
];
