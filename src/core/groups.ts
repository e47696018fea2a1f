/** The groups of the interface, which `--disable` takes away. */

export const GROUPS = [
  "display",
  "mouse",
  "keyboard",
  "editor",
  "filesystem",
  "bash",
  "keychain",
  "system",
] as const;

export type Group = typeof GROUPS[number];
