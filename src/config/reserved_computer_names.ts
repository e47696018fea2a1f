/** First path segments that are never the name of a computer. */
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
