/** Saved logins: what a browser is signed in by on one desk signs in another one, and is nowhere readable. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";

const CANARY = "canary-of-the-session";

Deno.test("a login that was saved on one desk signs in the browser of another one", async (t) => {
  await using desktop = await startDesktop();
  await using shop = openShop();
  const { service } = desktop;
  const { stateDir } = service.config;
  const text = async (desk: string) => {
    await service.call("/api/browser/navigate", { desk, url: `${shop.url}/` });
    return (await service.call("/api/browser/text", { desk }) as { text: string }).text;
  };
  for (const name of ["alice", "bob"]) await service.call("/api/desk/create", { name });

  await t.step("it is saved with its cookies and the storage of its page", async () => {
    expect(await text("alice")).toBe("nobody, stored nothing");
    await service.call("/api/browser/navigate", { desk: "alice", url: `${shop.url}/login` });
    expect(await text("alice")).toBe("Ada, stored blue");
    const counts = { cookies: 2, origins: 1 };
    expect(await service.call("/api/browser/state/save", { desk: "alice", name: "shop" }))
      .toEqual(counts);
    expect(await service.call("/api/browser/state/list")).toEqual(["shop"]);
    const file = await Deno.readFile(`${stateDir}/logins/shop.login`);
    expect(new TextDecoder("latin1").decode(file)).not.toContain(CANARY);
    const { mode } = await Deno.stat(`${stateDir}/logins/shop.login`);
    expect(mode! & 0o077).toBe(0);
  });

  await t.step("the browser of another desk is signed in by it, and not before", async () => {
    expect(await text("bob")).toBe("nobody, stored nothing");
    await service.call("/api/browser/state/load", { desk: "bob", name: "shop" });
    expect(await text("bob")).toBe("Ada, stored blue");
    const tabs = await service.call("/api/browser/tabs?desk=bob") as unknown[];
    expect(tabs.length).toBe(1);
  });

  await t.step("a new desk begins signed in", async () => {
    await service.call("/api/desk/create", { name: "carol", login: "shop" });
    expect(await text("carol")).toBe("Ada, stored blue");
    expect(await service.refused(404, "/api/desk/create", { name: "dora", login: "none" }))
      .toContain("none");
    const desks = await service.call("/api/desk/list") as { name: string }[];
    expect(desks.map(({ name }) => name)).toEqual(["alice", "bob", "carol"]);
  });

  await t.step("a file that was changed, or has another name, is none", async () => {
    await Deno.copyFile(`${stateDir}/logins/shop.login`, `${stateDir}/logins/other.login`);
    await service.refused(503, "/api/browser/state/load", { desk: "bob", name: "other" });
    const bytes = await Deno.readFile(`${stateDir}/logins/shop.login`);
    bytes[20]! ^= 1;
    await Deno.writeFile(`${stateDir}/logins/shop.login`, bytes);
    await service.refused(503, "/api/browser/state/load", { desk: "bob", name: "shop" });
  });

  await t.step("once deleted, it is gone", async () => {
    await service.call("/api/browser/state/delete", { name: "shop" });
    await service.refused(404, "/api/browser/state/delete", { name: "shop" });
    await service.refused(404, "/api/browser/state/load", { desk: "bob", name: "shop" });
  });

  await t.step("a key that is damaged is none: the next save makes a new one", async () => {
    const shop = { desk: "alice", name: "shop" };
    await service.call("/api/browser/state/save", shop);
    for (const key of ["no key!", "AAAA"]) {
      const item = { service: "computer-control saved logins", item: { key } };
      await service.call("/api/keychain/set-item", item);
      await service.refused(503, "/api/browser/state/load", shop);
      await service.call("/api/browser/state/save", shop);
      await service.call("/api/browser/state/load", shop);
    }
  });

  await t.step("what the disk refuses is said", async () => {
    await Deno.mkdir(`${stateDir}/logins/kept.login/full`, { recursive: true });
    await service.refused(503, "/api/browser/state/save", { desk: "alice", name: "kept" });
    await service.refused(503, "/api/browser/state/delete", { name: "kept" });
    await Deno.remove(`${stateDir}/logins`, { recursive: true });
    await Deno.writeTextFile(`${stateDir}/logins`, "");
    await service.refused(503, "/api/browser/state/list");
    await service.refused(503, "/api/browser/state/delete", { name: "shop" });
  });
});

/** A site that knows its user by a cookie that scripts cannot read, for its host alone. */
function openShop(): AsyncDisposable & { readonly url: string } {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const headers = new Headers({ "content-type": "text/html" });
    const isLogin = new URL(request.url).pathname === "/login";
    if (isLogin) {
      headers.append(
        "set-cookie",
        `session=${CANARY}; HttpOnly; SameSite=Lax; Max-Age=3600; Path=/`,
      );
      headers.append("set-cookie", "seen=1");
      return new Response('<script>localStorage.setItem("colour", "blue")</script>', { headers });
    }
    const isKnown = request.headers.get("cookie")?.includes(CANARY) ?? false;
    const script = 'document.body.append(localStorage.getItem("colour") ?? "nothing")';
    const page = `<body>${isKnown ? "Ada" : "nobody"}, stored <script>${script}</script></body>`;
    return new Response(page, { headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
