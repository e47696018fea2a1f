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
