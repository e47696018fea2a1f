/** Flags by variables: each flag has one, and what is wrong is said under its name. */

import { expect } from "expect";
import { variableOf } from "../../src/config/environment.ts";
import { type Config, type Flags, readConfig } from "../../src/config/config.ts";
import { OPTIONS } from "../../src/config/options.ts";

type Env = Record<string, string>;

function configOf(env: Env, flags: Flags = {}): Config {
  const all = { HOME: "/home/me", ...env };
  const noFile = () => {
    throw new Deno.errors.NotFound();
  };
  return readConfig(flags, all, noFile);
}

function messageOf(env: Env): string {
  try {
    configOf(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it was accepted");
}

const REFUSED: readonly (readonly [env: Env, message: string])[] = [
  [{ COMPUTER_CONTROL_PORT: "x" }, 'COMPUTER_CONTROL_PORT "x": must be an integer from 0 to 65535'],
  [{ COMPUTER_CONTROL_READ_ONLY: "maybe" }, 'COMPUTER_CONTROL_READ_ONLY "maybe": must be 1 or 0'],
  [{ COMPUTER_CONTROL_DISABLE: "bash,shell" }, 'COMPUTER_CONTROL_DISABLE "shell": is not a group'],
  [{ COMPUTER_CONTROL_ALLOW_HOST: "a,*" }, 'COMPUTER_CONTROL_ALLOW_HOST "*": must be *.domain'],
  [{ COMPUTER_CONTROL_VIRTUAL_DISPLAY: "9x9" }, 'COMPUTER_CONTROL_VIRTUAL_DISPLAY "9x9": must be'],
  [{ COMPUTER_CONTROL_READONLY: "1" }, "did you mean COMPUTER_CONTROL_READ_ONLY?"],
  [{ COMPUTER_CONTROL_DISABLED: "bash" }, "did you mean COMPUTER_CONTROL_DISABLE?"],
];

for (const [env, message] of REFUSED) {
  Deno.test(`readConfig() refuses ${JSON.stringify(env)} in one line`, () => {
    expect(messageOf(env)).toContain(message);
    expect(messageOf(env)).not.toContain("\n");
  });
}

Deno.test("readConfig() names a wrong flag and a wrong variable at once", () => {
  expect(() => configOf({ COMPUTER_CONTROL_PORT: "x" }, { name: "api" }))
    .toThrow(/COMPUTER_CONTROL_PORT "x".*--name "api"/);
});

/** A value for each flag that is not the default. */
const GIVEN: Readonly<Record<string, string>> = {
  "port": "5000",
  "host": "desk.lan",
  "name": "desk-1",
  "display": ":7,2=:8",
  "virtual-display": "640x480",
  "open": "xterm -e top, more\nxclock",
  "disable": "bash, keychain",
  "allow-host": "a.example,*.desks.example",
  "allow-origin": "https://a.example\nhttps://b.example",
  "mcp-tools": "all",
  "compat": "osworld,cua:9000",
  "approve": "bash,filesystem.delete",
  "help-webhook": "https://example.org/hook",
  "yield-to-person": "20s",
  "open-browser": "https://example.org/",
  "browser-address": "http://127.0.0.1:9222",
  "audit-file": "/tmp/audit.jsonl",
  "state-dir": "/state",
  "log-level": "debug",
  "log": "json",
  "trace": "http",
  "backend": "xdotool",
  "wayland-backend": "portal",
  "shell": "/bin/zsh",
  "keychain": "file",
  "keychain-key-file": "/key",
};

Deno.test("every flag can be given by its variable, with the same outcome", () => {
  for (const option of Object.values(OPTIONS)) {
    const { flag, placeholder, repeatable } = option as {
      flag: string;
      placeholder?: string;
      repeatable?: boolean;
    };
    if (flag === "token-file") continue; // tests/http/tokens/token_file_test.ts
    const bounds = "bounds" in option ? option.bounds : undefined;
    const text = bounds !== undefined
      ? String(bounds.max)
      : placeholder === undefined
      ? "1"
      : GIVEN[flag];
    if (text === undefined) throw new Error(`--${flag} has no value in this test`);
    const separator = flag === "open" ? "\n" : /[\n,] ?/;
    const given = placeholder === undefined ? true : repeatable ? text.split(separator) : text;
    const byFlag = configOf({}, { [flag]: given } as Flags);
    expect(configOf({ [variableOf(flag)]: text })).toEqual(byFlag);
    expect(byFlag).not.toEqual(configOf({}));
  }
});

Deno.test("a flag counts more than its variable, and an empty variable is none", () => {
  expect(configOf({ COMPUTER_CONTROL_PORT: "5000" }, { port: "6000" }).port).toBe(6_000);
  expect(configOf({ COMPUTER_CONTROL_PORT: " " }).port).toBe(4_242);
  for (const off of ["0", "false", "No", "OFF"]) {
    expect(configOf({ COMPUTER_CONTROL_READ_ONLY: off }).readOnly).toBe(false);
    expect(configOf({ COMPUTER_CONTROL_VIRTUAL_DISPLAY: off }).virtualDisplay).toBeUndefined();
  }
  expect(configOf({ COMPUTER_CONTROL_READ_ONLY: "True" }).readOnly).toBe(true);
  expect(configOf({ COMPUTER_CONTROL_VIRTUAL_DISPLAY: "1" }).virtualDisplay?.width).toBe(1_280);
});

Deno.test("what Kubernetes says of a Service named computer-control is no flag", () => {
  const env = {
    COMPUTER_CONTROL_PORT: "tcp://10.96.0.7:4242",
    COMPUTER_CONTROL_PORT_4242_TCP: "tcp://10.96.0.7:4242",
    COMPUTER_CONTROL_PORT_4242_TCP_ADDR: "10.96.0.7",
    COMPUTER_CONTROL_PORT_4242_TCP_PORT: "4242",
    COMPUTER_CONTROL_PORT_4242_TCP_PROTO: "tcp",
    COMPUTER_CONTROL_SERVICE_HOST: "10.96.0.7",
    COMPUTER_CONTROL_SERVICE_PORT: "4242",
    COMPUTER_CONTROL_SERVICE_PORT_HTTP: "4242",
  };
  expect(configOf(env)).toEqual(configOf({}));
});

Deno.test("variables of our own programs are no flags", () => {
  const names = ["URL", "CACHE", "KIND", "EXECUTABLE", "DENO_DIR", "TASK"];
  const env = Object.fromEntries(names.map((name) => [`COMPUTER_CONTROL_${name}`, "1"]));
  expect(configOf(env)).toEqual(configOf({}));
});
