/** First segments of an address that are never a computer's name. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "api",
  "docs",
  "favicon.ico",
  "openapi.json",
  "console",
  "mcp",
  "healthz",
  "readyz",
  "metrics",
]);
