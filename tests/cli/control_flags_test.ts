/** The flags by which persons are asked, in the running program. */

import { expect } from "expect";
import { addToken } from "../../src/http/tokens/token_store.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { RealDevices } from "../support/real_devices.ts";
import { testIf } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../support/wayland/desktop.ts";
import { throughUser } from "../support/wayland/user_service.ts";
import { startXvfb } from "../support/xvfb.ts";

Deno.test("--approve with the name of no operation refuses the start", async () => {
  const { code, stderr } = await runCommand(["--port", "0", "--approve", "bash,mouse.fly"]);
  expect(stderr).toContain('--approve "mouse.fly": there is no such operation');
  expect(code).not.toBe(0);
});

Deno.test("--help-webhook gets a request for help, with the address of the console", async () => {
  const { promise: body, resolve } = Promise.withResolvers<Record<string, unknown>>();
  await using receiver = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      resolve(await request.json());
      return new Response();
    },
  );
  await using xvfb = await startXvfb();
  const url = `http://127.0.0.1:${receiver.addr.port}/hook`;
  await using service = await startCommand(["--display", xvfb.display, "--help-webhook", url]);
  const reason = "A captcha";
  const answer = await service.post("/api/control/request-help", { reason, timeout_ms: 1 });
  expect(await answer.json()).toEqual({ outcome: "timed_out" });
  expect(await body).toMatchObject({
    event: "help_requested",
    name: "anyone",
    reason,
    console: `${service.address}/console`,
  });
});

Deno.test("--help-webhook with the service's own address refuses the start", async () => {
  await using xvfb = await startXvfb();
  await using other = await startCommand(["--display", xvfb.display]);
  const { port } = new URL(other.address);
  await other.kill(); // its port is free now
  const { code, stderr } = await runCommand([
    ...["--port", port, "--display", xvfb.display],
    ...["--help-webhook", `http://localhost:${port}/hook`],
  ]);
  expect(stderr).toContain("is an address of this service");
  expect(code).not.toBe(0);
});

Deno.test("--approve warns where programs have no token of their own", async () => {
  await using xvfb = await startXvfb();
  await using folder = await testFolder();
  const args = ["--display", xvfb.display, "--approve", "bash", "--state-dir", folder.path];
  const lines = async () => {
    await using service = await startCommand(args);
    service.signal("SIGTERM");
    return (await service.errors.rest()).join("\n");
  };
  expect(await lines()).toContain("programs need tokens without the scope control");
  await addToken(folder.path, { name: "agent", scopes: ["view", "input"] });
  expect(await lines()).not.toContain("programs need tokens without the scope control");
});

Deno.test("--yield-to-person refuses programs while the mouse is used, and for its time after that", async () => {
  await using xvfb = await startXvfb();
  using devices = await RealDevices.open(xvfb.display);
  await using service = await startCommand(["--display", xvfb.display, "--yield-to-person", "1s"]);
  const move = async () => {
    const answer = await service.post("/api/mouse/move", { x: 5, y: 6 });
    await answer.body?.cancel();
    return answer.status;
  };
  expect(await move()).toBe(204);
  await devices.move(3, 4);
  await waitFor(async () => await move() === 423, { what: "the pause" });
  await waitFor(async () => await move() === 204, { what: "its end" });
});

const missing = missingFor("sway");
testIf(missing === undefined, missing ?? "")(
  "--yield-to-person refuses the start on a Wayland session",
  async () => {
    await using desktop = await startWaylandDesktop("sway");
    const args = ["--port", "0", "--keychain", "file", "--yield-to-person"];
    const { code, stderr } = await runCommand(
      args,
      desktop.env,
      Deno.execPath(),
      await throughUser(),
    );
    expect(stderr).toContain("--yield-to-person works on X11 and Windows only: ");
    expect(stderr).toContain("does not tell real input from that of programs");
    expect(code).toBe(1);
  },
);
