/** The documentation page: from our own files, under every name, closed to everything foreign. */

import { expect } from "expect";
import { testApp } from "../support/client.ts";

Deno.test("docs page and its files are served with and without the computer's name", async () => {
  const app = testApp();
  for (const base of ["", "/desk-1"]) {
    const page = await app.send("GET", `${base}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    const files = links.filter((link) => !link.startsWith("data:"));
    expect(files.length).toBe(3);
    for (const file of files) {
      const url = new URL(file, `http://localhost${base}/docs`);
      const { status, headers, text } = await app.send("GET", url.pathname);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(text.length).toBeGreaterThan(50);
    }
  }
});

Deno.test("docs page lets nothing in from elsewhere", async () => {
  const { text, headers } = await testApp().send("GET", "/docs");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(text).not.toMatch(/https?:\/\//);
  expect(text).not.toMatch(/<script>|style=|onload=/);
});

Deno.test("docs page answers HEAD as it answers GET, and 405 to POST", async () => {
  const app = testApp();
  for (const path of ["/docs", "/docs/swagger-ui.css", "/openapi.json", "/desk-1/docs"]) {
    const get = await app.send("GET", path);
    const length = String(new TextEncoder().encode(get.text).byteLength);
    const head = await app.send("HEAD", path);
    expect([path, head.status, head.text]).toEqual([path, 200, ""]);
    expect([path, head.headers.get("content-length")]).toEqual([path, length]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  }
  for (const path of ["/docs", "/openapi.json", "/", "/desk-1/docs"]) {
    const { status, headers } = await app.send("POST", path);
    expect([path, status, headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
  }
});

Deno.test("docs page has no other files", async () => {
  const { status, json } = await testApp().send("GET", "/docs/package.json");
  expect(status).toBe(404);
  expect(Object.keys(json)).toEqual(["detail"]);
});
