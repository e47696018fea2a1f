/** `--ignore-unknown-fields`: HTTP accepts them, and names them in a header. */

import { expect } from "expect";
import { describeIgnored } from "../../src/http/input.ts";
import { testApp } from "../support/client.ts";
import { SAMPLES } from "../support/sample_operations.ts";

const HEADER = "x-ignored-fields";
const config = { ignoreUnknownFields: true };
const app = testApp({ operations: SAMPLES, config });

async function ignored(body: object, path = "/api/sample/echo"): Promise<string | null> {
  const { status, headers } = await app.post(path, body);
  expect(status).toBe(200);
  return headers.get(HEADER);
}

Deno.test("an answer names the fields of the body that were ignored", async () => {
  expect(await ignored({ x: 1, clicks: 3, colour: {} })).toBe("clicks, colour");
});

Deno.test("an answer has no such header when every field is known", async () => {
  const body = { x: 1, env: { ANY: "name" }, elements: [{ type: "value", value: "a" }] };
  expect(await ignored(body)).toBe(null);
  expect((await app.send("GET", "/api/sample/query?num=3")).headers.has(HEADER)).toBe(false);
});

Deno.test("an answer names ignored fields of nested objects", async () => {
  expect(await ignored({ x: 1, item: { name: "a", size: 1, colour: 2 } })).toBe("item.colour");
  const elements = [{ type: "value", value: "a" }, { type: "point", x: 1, y: 2, z: 3 }];
  expect(await ignored({ x: 1, elements })).toBe("elements.1.z");
});

Deno.test("an answer names ignored fields of the query", async () => {
  const { headers } = await app.send("GET", "/api/sample/query?num=3&number=4&%C3%A9=1");
  expect(headers.get(HEADER)).toBe("number, %C3%A9");
  const both = await app.post("/api/sample/process/3/input?wait=1&a=2", { text: "", b: 3 });
  expect(both.headers.get(HEADER)).toBe("a, b");
});

Deno.test("a failure of the operation names ignored fields too", async () => {
  const { status, headers } = await app.post("/api/sample/refuse/1", { code: "conflict", more: 1 });
  expect(status).toBe(409);
  expect(headers.get(HEADER)).toBe("more");
});

Deno.test("a silent single click is silent no more", async () => {
  const { headers } = await testApp({ config }).post("/api/mouse/left-click", {
    x: 1,
    y: 2,
    clicks: 3,
  });
  expect(headers.get(HEADER)).toBe("clicks");
});

Deno.test("no name can add bytes to the header that a header cannot have", async () => {
  const names = [
    "a\r\nset-cookie: b=1",
    "\0",
    "é, b",
    "\ud800",
    "漢字",
    "__proto__",
    "toString",
    "",
  ];
  const body = JSON.parse(`{"x":1,${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`);
  const value = (await ignored(body))!;
  expect(value).toMatch(/^[\w%., "-]*$/);
  expect(value.split(", ").length).toBe(names.length);
  expect(value).toContain("a%0D%0Aset-cookie%3A%20b%3D1, %00, %C3%A9%2C%20b, %EF%BF%BD");
  expect(value).toContain("__proto__, toString");
});

Deno.test("however many and long the names are, the header is short", async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`n${i}`, 1]));
  expect(await ignored({ ...many, x: 1 })).toMatch(/^n0, .*n14, \.\.\.$/);
  const long = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`${i}${"漢".repeat(100_000)}`, 1]),
  );
  const value = (await ignored({ ...long, x: 1 }))!;
  expect(value.length).toBeLessThan(1_200);
  expect(value).toMatch(/\.\.\.$/);
});

Deno.test("describeIgnored() says with dots that there is more", () => {
  const paths = (count: number) => Array.from({ length: count }, (_, i) => [`n${i}`]);
  expect(describeIgnored(paths(2))).toBe("n0, n1");
  expect(describeIgnored(paths(15))).toMatch(/n14$/);
  expect(describeIgnored(paths(16))).toMatch(/n14, \.\.\.$/);
});
