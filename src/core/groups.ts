/** The groups of operations, which `--disable` turns off, and the scopes that tokens give. */

export const GROUPS = [
  "display",
  "mouse",
  "keyboard",
  "clipboard",
  "accessibility",
  "window",
  "recording",
  "editor",
  "filesystem",
  "bash",
  "keychain",
  "browser",
  "batch",
  "agents",
  "desk",
  "control",
  "trail",
  "system",
] as const;

export type Group = typeof GROUPS[number];

/** What a token can be for. */
export const SCOPES = ["view", "input", "files", "shell", "keychain", "control"] as const;

export type Scope = typeof SCOPES[number];

/** What a token of the store can be for: `all` is also what is added later. */
export const TOKEN_SCOPES = [...SCOPES, "all"] as const;

export type TokenScope = typeof TOKEN_SCOPES[number];

/** The names of desks: 1 to 32 characters. */
export const DESK_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
