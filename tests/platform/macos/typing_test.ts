/** Texts on a Mac: by the keys of cliclick where that is sure, else by the pasteboard, which is put back; never by an argument. */

import { expect } from "expect";
import {
  commandsOf,
  type Mac,
  openKeyboard,
  openMacPlatform,
  startMac,
  startMacService,
} from "../../support/mac.ts";
import { waitFor } from "../../support/wait.ts";

const PASTE = ["kd:cmd", "t:v", "ku:cmd", "w:200"];

async function type(mac: Mac, text: string, delayMs = 0): Promise<void> {
  await using platform = await openMacPlatform(mac);
  const keyboard = await openKeyboard(platform);
  await using plan = await keyboard.plan(text, { delayMs });
  await plan.send(0, plan.length);
}

Deno.test("a text that cliclick cannot type is pasted whole, and the pasteboard is put back", async () => {
  await using mac = await startMac();
  await type(mac, "ls\nGrüße 漢字 😀, all\tend");
  const calls = mac.calls().filter(({ program }) => program !== "osascript");
  expect(calls.map(({ program, args, stdin }) => [program, ...args, stdin])).toEqual([
    ["cliclick", "-f", "-", "t:ls\nkp:return\n"],
    ["pbpaste", ""],
    ["pbcopy", "Grüße 漢字 😀, all"],
    ["cliclick", "-f", "-", `${PASTE.join("\n")}\n`],
    ["cliclick", "-f", "-", "kp:tab\nt:end\n"],
    ["pbpaste", ""],
    ["pbcopy", "from before\n"],
  ]);
  expect(calls.every(({ env }) => env["LC_ALL"] === "en_US.UTF-8")).toBe(true);
  expect(mac.desktop).toMatchObject({
    typed: "ls\nGrüße 漢字 😀, all\tend",
    pasteboard: "from before\n",
    down: [],
  });
});

Deno.test("a dead key of the layout is pasted; a layout without any is typed on", async () => {
  const text = "a`b^c~d'e\"f:#g";
  await using mac = await startMac();
  await type(mac, text);
  expect(commandsOf(mac.calls())).toEqual([[`t:${text}`]]);
  for (const [layout, keys] of [["German", "`^~'\""], ["USInternational-PC", "'"], [null, "~"]]) {
    for (const dead of keys!) {
      mac.change((desktop) => {
        desktop.answer["layout"] = layout && `com.apple.keylayout.${layout}`;
        desktop.typed = "";
      });
      await type(mac, `a${dead}b`);
      expect(commandsOf(mac.calls())).toEqual([PASTE]);
      expect(mac.desktop.typed).toBe(`a${dead}b`);
    }
  }
});

Deno.test("spaces at the end of a command are keys, for cliclick drops them", async () => {
  await using mac = await startMac();
  await type(mac, "   ");
  expect(commandsOf(mac.calls())).toEqual([["kp:space", "kp:space", "kp:space"]]);
  await type(mac, " a ");
  expect(commandsOf(mac.calls())).toEqual([["t: a", "kp:space"]]);
  expect(mac.desktop.typed).toBe("    a ");
});

Deno.test("a long text goes in processes that are short enough to be stopped", async () => {
  await using mac = await startMac();
  const text = "0123456789".repeat(10);
  await type(mac, text);
  expect(commandsOf(mac.calls()).map(([line]) => line!.length - 2)).toEqual([40, 40, 20]);
  expect(mac.desktop.typed).toBe(text);
});

Deno.test("a slow text goes character by character", async () => {
  await using mac = await startMac();
  await type(mac, "aé b", 50);
  expect(commandsOf(mac.calls())).toEqual([["t:a"], PASTE, ["kp:space"], ["t:b"]]);
  expect(mac.desktop.typed).toBe("aé b");
});

Deno.test("a character that cannot be typed is refused before anything is", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const { status, body } = await service.post("/api/keyboard/type", { text: "ab\u0007" });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain("U+0007 at 2");
  expect(commandsOf(mac.calls())).toEqual([]);
});

Deno.test("secrets reach the programs of macOS by standard input only", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac, { keychain: "macos" });
  const values = { username: "tr0ub4dor", password: "korrekt-pferd #3" };
  const stored = { service: "mail", item: values };
  expect(await service.post("/api/keychain/set-item", stored)).toMatchObject({ status: 204 });
  const elements = [
    { type: "username", coordinates: { x: 10, y: 10 } },
    { type: "password", coordinates: { x: 10, y: 40 } },
  ];
  const filled = { service: "mail", authElements: elements, clear: false };
  expect(await service.post("/api/keychain/authenticate", filled)).toEqual({
    status: 200,
    body: true,
  });
  await service.post("/api/keyboard/type", { secret: { service: "mail", field: "password" } });
  expect(mac.desktop.typed).toBe(values.username + values.password.repeat(2));
  const recorded = `${mac.path}/record.jsonl`;
  const keychain = (await Deno.readTextFile(recorded)).trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  const visible = [...mac.calls(), ...keychain].map(({ args, env }) => JSON.stringify([args, env]));
  expect(visible.length).toBeGreaterThan(10);
  for (const value of [...Object.values(values), "korrekt", "pferd"]) {
    const encoded = new TextEncoder().encode(value).toBase64();
    for (const call of visible) {
      expect(call).not.toContain(value);
      expect(call).not.toContain(encoded);
    }
  }
  expect(mac.desktop.pasteboard).toBe("from before\n");
});

Deno.test("a secret never goes by the pasteboard: what the keys cannot type is refused", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac, { keychain: "macos" });
  await service.post("/api/keychain/set-item", { service: "mail", item: { password: "pässwort" } });
  const type = { secret: { service: "mail", field: "password" } };
  const fill = {
    service: "mail",
    authElements: [{ type: "password", coordinates: { x: 10, y: 10 } }],
  };
  for (const [path, body] of [["keyboard/type", type], ["keychain/authenticate", fill]] as const) {
    const { status, body: answer } = await service.post(`/api/${path}`, body);
    expect(status).toBe(501);
    expect((answer as { detail: string }).detail).toContain("the pasteboard");
  }
  expect(mac.calls().filter(({ program }) => program.startsWith("pb"))).toEqual([]);
  expect(mac.desktop.typed).toBe("");
});

Deno.test("what a person copies during a paste stays on the pasteboard", async () => {
  await using mac = await startMac();
  await using platform = await openMacPlatform(mac);
  const keyboard = await openKeyboard(platform);
  {
    await using plan = await keyboard.plan("漢字");
    await plan.send(0, plan.length);
    mac.change((desktop) => desktop.pasteboard = "copied by a person");
  }
  expect(mac.desktop.pasteboard).toBe("copied by a person");
});

Deno.test("release-all while a text is put on the pasteboard keeps it from being pasted", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  mac.change(({ faults }) => faults.pbcopy = { delay_ms: 500, times: 1 });
  const typing = service.post("/api/keyboard/type", { text: "漢字" });
  await waitFor(() => mac.desktop.pasteboard === "漢字", { what: "the text on the pasteboard" });
  await service.post("/api/system/release-all", {});
  expect((await typing).status).toBe(409);
  expect(mac.desktop).toMatchObject({ typed: "", pasteboard: "from before\n", down: [] });
});
