/** readConfig(): every flag and variable becomes a value of the Config, or one clear sentence. */

import { expect } from "expect";
import { resolve } from "node:path";
import { type Config, ConfigError, type Flags, readConfig } from "../../src/config/config.ts";
import { DEFAULT_LIMITS, type LimitName, LIMITS } from "../../src/config/limits.ts";
import type { TokenFile } from "../../src/config/token.ts";

/** A token file of ours. */
function ofOurs(text: string, mode: number | null, more: Partial<TokenFile> = {}): TokenFile {
  return { text, mode, isOurs: true, isOurGroups: false, ...more };
}

function noFile(): TokenFile {
  throw new Deno.errors.NotFound();
}

function configOf(flags: Flags, env: Record<string, string> = {}): Config {
  return readConfig(flags, { HOME: "/home/me", ...env }, noFile);
}

Deno.test("readConfig() gives the defaults when nothing is said", () => {
  expect(configOf({})).toEqual({
    version: "0.1.0",
    host: "127.0.0.1",
    port: 4242,
    displays: new Map(),
    open: [],
    backend: "auto",
    browserEvaluate: false,
    ignoreUnknownFields: false,
    logFormat: "text",
    logLevel: "info",
    trace: new Set(),
    mcpTools: "few",
    approve: new Set(),
    noAuth: false,
    openConsole: false,
    allowHosts: [],
    allowOrigins: [],
    compat: new Map(),
    disabled: new Set(),
    readOnly: false,
    trustHome: false,
    setup: true,
    waylandBackend: "auto",
    clipboardTyping: true,
    home: "/home/me",
    stateDir: "/home/me/.local/state/computer-control",
    keychain: "auto",
    redact: true,
    limits: DEFAULT_LIMITS,
  });
});

Deno.test("readConfig() freezes the Config and its limits", () => {
  const config = configOf({});
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.limits)).toBe(true);
});

const accepted: [string, Flags, Partial<Config>][] = [
  ["--host", { host: "0.0.0.0" }, { host: "0.0.0.0" }],
  ["--host with a name", { host: "Desk.Example" }, { host: "desk.example" }],
  ["--host with IPv6 in brackets", { host: "[::1]" }, { host: "::1" }],
  ["--port", { port: "0" }, { port: 0 }],
  ["--name", { name: "desk-1" }, { name: "desk-1" }],
  ["--no-clipboard-typing", { "no-clipboard-typing": true }, { clipboardTyping: false }],
  ["--display", { display: [":5"] }, { displays: new Map([[1, ":5"]]) }],
  [
    "--display, repeated",
    { display: ["2=:7", "1=host:5.1", "0=:9"] },
    { displays: new Map([[2, ":7"], [1, "host:5.1"], [0, ":9"]]) },
  ],
  ["--virtual-display", { "virtual-display": true }, {
    virtualDisplay: { width: 1280, height: 800, server: "x11" },
  }],
  ["--virtual-display with a size", { "virtual-display": "1920x1080" }, {
    virtualDisplay: { width: 1920, height: 1080, server: "x11" },
  }],
  ["--virtual-display of Wayland", { "virtual-display": "wayland" }, {
    virtualDisplay: { width: 1280, height: 800, server: "wayland" },
  }],
  ["--virtual-display of Wayland with a size", { "virtual-display": "wayland:640x480" }, {
    virtualDisplay: { width: 640, height: 480, server: "wayland" },
  }],
  ["--backend", { backend: "xdotool" }, { backend: "xdotool" }],
  ["--allow-host", { "allow-host": ["a.example", "[fe80::1]", "b.example:8080", "[fe80::1]:80"] }, {
    allowHosts: ["a.example", "fe80::1", "b.example:8080", "[fe80::1]:80"],
  }],
  ["--allow-origin", { "allow-origin": ["https://A.example:443/", "chrome-extension://abc"] }, {
    allowOrigins: ["https://a.example", "chrome-extension://abc"],
  }],
  ["--compat", { compat: ["osworld", "cua:9000", "agent-sandbox:0"] }, {
    compat: new Map([["osworld", 5_000], ["cua", 9_000], ["agent-sandbox", 0]] as const),
  }],
  ["--approve", { approve: ["bash, filesystem.delete", "bash.process.output"] }, {
    approve: new Set(["bash", "filesystem.delete", "bash.process.output"]),
  }],
  ["--help-webhook", { "help-webhook": "https://Example.org/hook?a=1" }, {
    helpWebhook: "https://example.org/hook?a=1",
  }],
  ["--yield-to-person", { "yield-to-person": true }, { yieldToPersonMs: 10_000 }],
  ["--yield-to-person with seconds", { "yield-to-person": "1s" }, { yieldToPersonMs: 1_000 }],
  ["--yield-to-person with minutes", { "yield-to-person": "10m" }, { yieldToPersonMs: 600_000 }],
  ["--no-auth", { "no-auth": true }, { noAuth: true }],
  ["--disable", { disable: ["bash, keychain", "editor"] }, {
    disabled: new Set(["bash", "keychain", "editor"] as const),
  }],
  ["--read-only", { "read-only": true }, { readOnly: true }],
  ["--keychain", { keychain: "secret-service" }, { keychain: "secret-service" }],
  ["--keychain-key-file", { "keychain-key-file": "/run/key" }, {
    keychainKeyFile: resolve("/run/key"),
  }],
  ["--no-redact", { "no-redact": true }, { redact: false }],
  ["--no-setup", { "no-setup": true }, { setup: false }],
  ["--state-dir", { "state-dir": "/var/lib/cc/" }, { stateDir: resolve("/var/lib/cc") }],
];

for (const [what, flags, expected] of accepted) {
  Deno.test(`readConfig() accepts ${what}`, () => {
    expect(configOf(flags)).toMatchObject(expected);
  });
}

const refused: [Flags, string][] = [
  [{ host: "" }, '--host "": must be a host name or an IP address'],
  [{ host: "http://x" }, '--host "http://x": must be'],
  [{ host: "bade:80" }, '--host "bade:80": must be'],
  [{ port: "65536" }, '--port "65536": must be an integer from 0 to 65535'],
  [{ port: "-1" }, '--port "-1"'],
  [{ port: "4e3" }, '--port "4e3"'],
  [{ port: "" }, '--port ""'],
  [{ name: "api" }, '--name "api": is an address of the service itself'],
  [{ name: "openapi.json" }, "is an address of the service itself"],
  [{ name: "a/b" }, '--name "a/b": must be 1 to 63'],
  [{ name: ".." }, '--name "..": must be'],
  [{ name: "x".repeat(64) }, "must be 1 to 63"],
  [{ display: ["7"] }, '--display "7": must be an X display such as ":1"'],
  [{ display: ["-1=:7"] }, '--display "-1=:7": must be'],
  [{ display: ["2=:7", "2=:8"] }, '--display "2=:8": display 2 is specified twice'],
  [{ display: [":7", "1=:8"] }, "display 1 is specified twice"],
  [{ "virtual-display": "1280" }, '--virtual-display "1280": must be width x height'],
  [{ "virtual-display": "0x800" }, '--virtual-display "0x800"'],
  [{ "virtual-display": "99999x800" }, '--virtual-display "99999x800"'],
  [{ "virtual-display": "wayland:" }, '--virtual-display "": must be width x height'],
  [{ "virtual-display": "waylandx" }, '--virtual-display "waylandx": must be'],
  [{ "virtual-display": true, display: [":1"] }, "exclude each other"],
  [{ backend: "ydotool" }, '--backend "ydotool": must be auto, x11 or xdotool'],
  [{ "allow-host": ["*"] }, '--allow-host "*": must be'],
  [{ approve: ["shell"] }, '--approve "shell": must be a group, or an operation'],
  [{ approve: ["bash"], "open-console": true }, "--open-console and --approve exclude each other"],
  [{ approve: ["bash."] }, '--approve "bash.": must be a group, or an operation'],
  [{ approve: [""] }, '--approve "": must be a group, or an operation'],
  [{ "help-webhook": "ftp://example.org/" }, "must be an address such as"],
  [{ "help-webhook": "example.org" }, "must be an address such as"],
  ...["10", "0s", "601s", "11m", "1h", "-1s", "1.5s", "1000s", ""].map((time): [Flags, string] => [
    { "yield-to-person": time },
    `--yield-to-person "${time}": must be a time from 1s to 10m, such as 10s`,
  ]),
  ...["*", "*.", "*.com", "*.*.example", "a.*.example", "*.1.2.3", "*.example.com/x"].map(
    (host): [Flags, string] => [
      { "allow-host": [host] },
      `--allow-host "${host}": must be *.domain, whose domain has two parts or more`,
    ],
  ),
  [{ "allow-host": ["*.desks.example:65536"] }, "the port must be from 1 to 65535"],
  [{ name: "v1" }, '--name "v1": is an address of the service itself'],
  [{ "allow-origin": ["*"] }, '--allow-origin "*": is not allowed'],
  [{ "allow-origin": ["null"] }, '--allow-origin "null": is not allowed'],
  [{ "allow-origin": ["https://a.example/path"] }, "must be an origin"],
  [{ "allow-origin": ["a.example"] }, "must be an origin"],
  [{ compat: ["osword"] }, '--compat "osword": must be osworld, cua, agent-sandbox, or name:port'],
  [{ compat: ["cua:65536"] }, '--compat "65536": must be an integer from 0 to 65535'],
  [{ compat: ["cua:"] }, '--compat "": must be an integer'],
  [{ compat: ["cua", "cua:9000"] }, '--compat "cua:9000": cua is specified twice'],
  [{ compat: ["cua:9000", "osworld:9000"] }, "port 9000 is specified twice"],
  [{ compat: ["cua:9000"], port: "9000" }, "both choose the same port"],
  [{ compat: ["osworld:4242"] }, "both choose the same port"],
  [{ keychain: "pass" }, '--keychain "pass": must be auto, secret-service, macos, windows or file'],
  [{ "keychain-key-file": "" }, "--keychain-key-file must name a file"],
  [{ "state-dir": "" }, "--state-dir must name a folder"],
  [{ disable: ["bash,shell"] }, '--disable "shell": is not a group: the groups are display, mouse'],
  [{ disable: [""] }, '--disable "": is not a group'],
  [{ "token-file": "/none" }, '--token-file "/none": cannot be read: there is no such file'],
];

for (const [flags, message] of refused) {
  Deno.test(`readConfig() refuses ${JSON.stringify(flags)} in one line`, () => {
    const error = errorOf(() => configOf(flags));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("\n");
  });
}

Deno.test("readConfig() names every wrong flag at once", () => {
  const error = errorOf(() => configOf({ port: "x", name: "api" }));
  expect(error.message).toContain("--port");
  expect(error.message).toContain("--name");
});

for (const name of Object.keys(LIMITS) as LimitName[]) {
  const { flag, bounds: { unit, min, max } } = LIMITS[name];
  const scale = unit === "seconds" ? 1_000 : 1;
  Deno.test(`readConfig() accepts --${flag} from ${min} to ${max} and nothing else`, () => {
    for (const value of [min, max]) {
      expect(configOf({ [flag]: String(value) }).limits[name]).toBe(value * scale);
    }
    for (const value of [String(min - 1), String(max + 1), "x", "1.5", ""]) {
      const error = errorOf(() => configOf({ [flag]: value }));
      expect(error.message).toContain(`--${flag} "${value}": must be an integer`);
    }
  });
}

Deno.test("readConfig() takes the token from the environment", () => {
  expect(configOf({}, { COMPUTER_CONTROL_TOKEN: "s3cret" }).token).toBe("s3cret");
});

Deno.test("readConfig() prefers the token file and strips the line break", () => {
  const file = ofOurs("from-file\n", 0o100600);
  const env = { COMPUTER_CONTROL_TOKEN: "from-env" };
  expect(readConfig({ "token-file": "t" }, env, () => file).token).toBe("from-file");
});

Deno.test("readConfig() accepts a token file on a system without permission bits", () => {
  const file = ofOurs("abc", null);
  expect(readConfig({ "token-file": "t" }, {}, () => file).token).toBe("abc");
});

Deno.test("readConfig() accepts a token file that our group can read, as a mounted Secret is", () => {
  const file = ofOurs("abc", 0o440, { isOurGroups: true });
  const config = readConfig({ "token-file": "t" }, {}, () => file);
  expect(config).toMatchObject({ token: "abc", tokenFile: "t" }); // to read it again
});

const badTokens: [string, TokenFile, string][] = [
  ["that is empty", ofOurs(" \n", 0o600), "is empty"],
  ["of two lines", ofOurs("sec\nret", 0o600), "must be one line"],
  ["that is not ASCII", ofOurs("sécret", 0o600), "visible ASCII"],
  ["that the group can read", ofOurs("secret", 0o640), 'run chmod 600 "t"'],
  ["that others can read", ofOurs("secret", 0o604), 'run chmod 600 "t"'],
  [
    "that others can read, of our group",
    ofOurs("secret", 0o444, { isOurGroups: true }),
    "mode 444",
  ],
  ["that our group can change", ofOurs("secret", 0o660, { isOurGroups: true }), "mode 660"],
  ["of another user", ofOurs("secret", 0o600, { isOurs: false }), "belongs to another user"],
];

for (const [what, file, message] of badTokens) {
  Deno.test(`readConfig() refuses a token file ${what}, without quoting it`, () => {
    const error = errorOf(() => readConfig({ "token-file": "t" }, {}, () => file));
    expect(error.message).toContain(message);
    expect(error.message).not.toMatch(/s.cret|sec/);
  });
}

Deno.test("readConfig() refuses an empty COMPUTER_CONTROL_TOKEN", () => {
  const error = errorOf(() => configOf({}, { COMPUTER_CONTROL_TOKEN: "" }));
  expect(error.message).toContain("COMPUTER_CONTROL_TOKEN: is empty");
});

Deno.test("readConfig() refuses a token together with --no-auth", () => {
  const error = errorOf(() => configOf({ "no-auth": true }, { COMPUTER_CONTROL_TOKEN: "abc" }));
  expect(error.message).toContain("--no-auth contradicts the token");
});

function errorOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("It was accepted");
}
