/** The keychain, the guard and the end of the service on Windows, asked for over HTTP from this system. */

import { expect } from "expect";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService, type WineService } from "../support/wine_service.ts";

const TOKEN = "t0ken-of-this-test";

wineTest("items on Windows outlive the service, whose names are told apart", async () => {
  await using wine = await openWine(["main.ts"], { drivers: ["credentials"] });
  {
    await using service = await startWineService(wine);
    const keychain = await keychainOf(service);
    expect(keychain).toMatchObject({ job: "keychain", chosen: "windows" });
    await store(service, "GitHub", "correct horse");
    await store(service, "github", "hünter2 🔑");
    await store(service, "git*", "wild");
    expect(await check(service, "GitHub", "correct horse")).toBe(true);
    expect(await check(service, "github", "correct horse")).toBe(false);
    const large = { service: "github", item: { password: "x".repeat(3_000) } };
    expect(await service.refused(413, "/api/keychain/set-item", large)).toContain("2560 bytes");
    const { code, output } = await service.stop();
    expect(code).toBe(0);
    expect(output.join("\n")).toContain("stopped");
    expect(output.join("\n")).not.toContain("horse");
  }
  await using again = await startWineService(wine);
  expect(await again.call("/api/keychain/list-services")).toEqual(["GitHub", "git*", "github"]);
  expect(await check(again, "github", "hünter2 🔑")).toBe(true);
  await again.call("/api/keychain/delete-item", { service: "git*" });
  expect(await again.call("/api/keychain/list-services")).toEqual(["GitHub", "github"]);
  const shown = await again.call("/api/bash/command", {
    command: "echo %PASSWORD%",
    env_secrets: { PASSWORD: { service: "GitHub", field: "password" } },
  });
  expect(shown.output).not.toContain("horse");
});

wineTest("the service on Windows is guarded, and its token is not passed on", async () => {
  await using wine = await openWine(["main.ts"], { drivers: ["credentials"] });
  await using service = await startWineService(wine, { env: { COMPUTER_CONTROL_TOKEN: TOKEN } });
  const info = (headers: Record<string, string>) =>
    service.send("/api/system/info", undefined, { headers });
  const statusOf = async (answer: Promise<Response>) => {
    const { status, body } = await answer;
    await body?.cancel();
    return status;
  };
  const authorization = `Bearer ${TOKEN}`;
  expect(await statusOf(info({}))).toBe(401);
  expect(await statusOf(info({ authorization: "Bearer wrong" }))).toBe(401);
  expect(await statusOf(info({ authorization, origin: "http://evil.example" }))).toBe(403);
  expect(await statusOf(info({ authorization }))).toBe(200);
  const answer = await service.send("/api/bash/command", { command: "set" }, {
    headers: { authorization },
  });
  const { output } = await answer.json();
  expect(output).toMatch(/^USERPROFILE=/im);
  expect(output).not.toContain(TOKEN);
});

async function keychainOf(service: WineService): Promise<unknown> {
  const { backends } = await service.call("/api/system/info");
  return backends.find(({ job }: { job: string }) => job === "keychain");
}

async function store(service: WineService, name: string, password: string): Promise<void> {
  await service.call("/api/keychain/set-item", { service: name, item: { password } });
}

function check(service: WineService, name: string, value: string): Promise<boolean> {
  const authElements = [{ type: "password", value }];
  return service.call("/api/keychain/authenticate", { service: name, authElements });
}
