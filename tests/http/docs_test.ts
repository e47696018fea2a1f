/** The documentation page: from our own files, under every name, closed to everything foreign. */

import { expect } from "expect";
import { decode } from "fast-png";
import type { App } from "../../src/http/app.ts";
import { testApp } from "../support/client.ts";

Deno.test("docs page and its files are served with and without the computer's name", async () => {
  const app = testApp();
  for (const base of ["", "/desk-1"]) {
    const page = await app.send("GET", `${base}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(links.length).toBe(4);
    for (const file of links.filter((link) => link !== "favicon.ico")) {
      const url = new URL(file, `http://localhost${base}/docs`);
      const { status, headers, text } = await app.send("GET", url.pathname);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(text.length).toBeGreaterThan(50);
    }
  }
});

Deno.test("docs page has an icon, with and without the computer's name", async () => {
  const app = testApp({ config: { name: "desk-1" } });
  for (const path of ["/favicon.ico", "/desk-1/favicon.ico"]) {
    const { status, headers, bytes } = await bytesOf(app, path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-type")).toBe("image/vnd.microsoft.icon");
    expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 2, 0]); // an ICO of two pictures
    const [size, offset] = [0, 4].map((at) => new DataView(bytes.buffer).getUint32(30 + at, true));
    const picture = decode(bytes.subarray(offset!, offset! + size!));
    expect([picture.width, picture.height]).toEqual([32, 32]);
  }
});

async function bytesOf(app: App, path: string) {
  const request = new Request(`http://localhost${path}`, { headers: { host: "localhost" } });
  const response = await app.fetch(request);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

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
  const pages = ["/docs", "/docs/swagger-ui.css", "/openapi.json", "/desk-1/docs"];
  for (const path of [...pages, "/favicon.ico", "/desk-1/favicon.ico"]) {
    const get = await bytesOf(app, path);
    const length = String(get.bytes.byteLength);
    const head = await app.send("HEAD", path);
    expect([path, head.status, head.text]).toEqual([path, 200, ""]);
    expect([path, head.headers.get("content-length")]).toEqual([path, length]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  }
  for (const path of ["/docs/", "/desk-1/docs/"]) {
    const { status, headers, text } = await app.send("HEAD", path);
    expect([path, status, text]).toEqual([path, 302, ""]);
    expect(headers.get("location")).toBe(path.slice(0, -1));
  }
  for (const path of ["/docs", "/docs/", "/openapi.json", "/", "/desk-1/docs", "/favicon.ico"]) {
    const { status, headers } = await app.send("POST", path);
    expect([path, status, headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
  }
});

Deno.test("docs page has no other files", async () => {
  const { status, json } = await testApp().send("GET", "/docs/package.json");
  expect(status).toBe(404);
  expect(Object.keys(json)).toEqual(["detail", "code", "request_id"]);
});
