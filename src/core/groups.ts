/** The groups of operations, which `--disable` turns off. */

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
  "control",
  "system",
] as const;

export type Group = typeof GROUPS[number];
