/** The groups that `--help` sorts the flags into, in the order in which it prints them. */

export const HELP_GROUPS = {
  /** At most ten: what people look for on the first day. */
  first: "Most used:",
  access: "Who may call the service:",
  service: "The service:",
  input: "Mouse and keyboard:",
  pictures: "Pictures:",
  commands: "Commands that it runs:",
  files: "Files:",
  keychain: "Keychain:",
} as const;

export type HelpGroup = keyof typeof HELP_GROUPS;
