/** The areas that doctor looks at, in the order of the table. */

export const AREA_NAMES = [
  "display",
  "keychain",
  "storage",
  "programs",
  "permissions",
  "network",
] as const;

export type AreaName = typeof AREA_NAMES[number];
