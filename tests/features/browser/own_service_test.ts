/** What the browser shows never reaches a service of its user, by no name, redirect or page. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { startCommand } from "../../support/command.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

Deno.test({
  name: "browser operations cannot use the service, nor another one of the same user",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;
    const own = service.listen();
    // started later, on every address of the computer
    await using other = await startCommand([
      ...["--host", "0.0.0.0", "--no-auth", "--state-dir", service.config.stateDir],
      ...["--disable", "display,mouse,keyboard", "--no-setup"],
    ]);
    const { port } = new URL(other.address);
    await using apart = await startCommand([
      ...["--state-dir", `${service.config.stateDir}/apart`],
      ...["--disable", "display,mouse,keyboard", "--no-setup"],
    ], { XDG_STATE_HOME: service.config.stateDir });
    const mark = `${service.config.stateDir}/reached`;
    const command = JSON.stringify({ command: `touch '${mark}'`, timeout: 60 });
    const isReached = () => Deno.stat(mark).then(() => true, () => false);
    const refuse = async (url: string) => {
      for (const path of ["/api/browser/navigate", "/api/browser/open"]) {
        const said = await service.refused(403, path, { url, timeout_ms: 20_000 });
        expect(said).toContain("a controlled browser cannot use");
      }
      for (const { id } of (await service.call("/api/browser/tabs") as { id: string }[]).slice(1)) {
        await service.call("/api/browser/close", { tab_id: id });
      }
    };

    const interfaces = Deno.networkInterfaces().filter(({ family }) => family === "IPv4");
    const names = [
      ...["127.0.0.1", "localhost", "desk.localhost", "127.0.0.2", "0.0.0.0", "2130706433"],
      ...["0x7f000001", "127.1", "[::ffff:127.0.0.1]", ...interfaces.map(({ address }) => address)],
    ];
    for (const name of [...new Set(names)]) {
      await test.step(`as ${name}`, () => refuse(`http://${name}:${port}/docs`));
    }
    await test.step("one with another state folder", () => refuse(`${apart.address}/docs`));
    await test.step("its own address", () => refuse(`${own}/docs`));
    await test.step("by a redirect of a foreign page", async () => {
      const to = (location: string) => () =>
        new Response(null, { status: 302, headers: { location } });
      pages.serve("/second", to(`${own}/docs`));
      await refuse(pages.serve("/redirect", to("/second")));
    });

    await test.step("by what a page of the service's own origin would do", async () => {
      const attempts = `
        const request = { method: "POST", mode: "no-cors", body: ${JSON.stringify(command)} };
        const urls = ["${own}", "http://localhost:${port}"].map((each) => each + "/api/bash/command");
        const send = (url) => fetch(url, request).then(() => 0, () => 0);`;
      pages.serve(
        "/worker.js",
        () =>
          new Response(`${attempts} Promise.all(urls.map(send)).then(() => postMessage(0))`, {
            headers: { "content-type": "text/javascript" },
          }),
      );
      const url = pages.serve(
        "/attack",
        `<title>Attack</title><iframe src="${own}/docs"></iframe><img src="${own}/docs">
        <iframe name="form"></iframe>
        <form target="form" method="post" enctype="text/plain" action="${own}/api/bash/command">
        <input name='{"command":"touch ${mark}","timeout":5,"x":"' value='"}'></form>
        <script>${attempts}
        const worker = new Promise((done) => new Worker("/worker.js").onmessage = done);
        const socket = new Promise((done) => {
          const opened = new WebSocket("${own.replace("http", "ws")}/mcp");
          opened.onopen = () => { report("open"); done(); };
          opened.onclose = opened.onerror = done;
        });
        const formed = new Promise((done) => document.querySelector("[name=form]").onload = done);
        document.forms[0].submit();
        navigator.sendBeacon(urls[0], request.body);
        Promise.all([...urls.map(send), worker, socket, formed]).then(() => report("done"));
        </script>`,
      );
      await service.call("/api/browser/navigate", { url });
      await waitFor(() => pages.reports.includes("done"), { what: "the attempts" });
      expect(pages.reports).toEqual(["done"]);
      expect(await desktop.snapshot()).not.toContain("swagger");
      expect(await isReached()).toBe(false);
    });

    await test.step("while other clients go on using both", async () => {
      const headers = { "content-type": "application/json" };
      for (const address of [own, other.address]) {
        const response = await fetch(`${address}/api/bash/command`, {
          ...{ method: "POST", headers, body: command },
        });
        expect([response.status, await response.json()]).toMatchObject([200, { exit_code: 0 }]);
        const docs = await fetch(`${address}/docs`, { headers: { "sec-fetch-site": "none" } });
        expect([docs.status, (await docs.text()).includes("swagger")]).toEqual([200, true]);
      }
      expect(await isReached()).toBe(true);
    });
  },
});
