/** A call as a person would write it: with curl, in Python and in TypeScript. */

import type { ActivityEntry } from "../activity.ts";

export const LANGUAGES = ["curl", "Python", "TypeScript"] as const;

type Call = Pick<ActivityEntry, "method" | "path" | "fields" | "omitted" | "desk">;

/** Fields that were not kept stand there as `...`. */
export function snippet(language: typeof LANGUAGES[number], call: Call): string {
  const rest: Record<string, unknown> = {
    ...call.fields,
    ...(call.desk && { desk: call.desk }), // of its batch, or of its token
    ...Object.fromEntries(call.omitted.map((name) => [name, "..."])),
  };
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = String(rest[name] ?? "...");
    delete rest[name];
    return encodeURIComponent(value);
  });
  const isRead = call.method !== "POST";
  const query = isRead && Object.keys(rest).length > 0
    ? `?${new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))}`
    : "";
  const url = new URL(`.${path}${query}`, baseAddress()).href;
  const body = isRead ? undefined : JSON.stringify(rest);
  return WRITERS[language]({ method: call.method, url, body });
}

interface Written {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

const WRITERS: Record<typeof LANGUAGES[number], (call: Written) => string> = {
  curl: ({ method, url, body }) =>
    body === undefined
      ? `curl -X ${method} ${shellQuoted(url)}`
      : `curl ${shellQuoted(url)} -H 'Content-Type: application/json' -d ${shellQuoted(body)}`,
  Python: ({ method, url, body }) =>
    [
      "import urllib.request",
      `request = urllib.request.Request(${JSON.stringify(url)}, method=${JSON.stringify(method)})`,
      ...(body === undefined ? [] : [
        'request.add_header("Content-Type", "application/json")',
        `request.data = ${JSON.stringify(body)}.encode()`,
      ]),
      "print(urllib.request.urlopen(request).read())",
    ].join("\n"),
  TypeScript: ({ method, url, body }) =>
    body === undefined
      ? `const answer = await fetch(${JSON.stringify(url)}, { method: "${method}" });`
      : [
        `const answer = await fetch(${JSON.stringify(url)}, {`,
        `  method: "${method}",`,
        '  headers: { "content-type": "application/json" },',
        `  body: JSON.stringify(${body}),`,
        "});",
      ].join("\n"),
};

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The address of the page, up to the folder that it is in: `/console` -> `/`. */
function baseAddress(): string {
  return new URL(".", globalThis.location?.href ?? "http://127.0.0.1:4242/console").href;
}
