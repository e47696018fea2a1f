/** @jsxImportSource preact */
/** What is being done, the newest first, with a filter and ways to do it again. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { ActivityEntry } from "../activity.ts";
import { copyText, type Service } from "./service.ts";

const SHOWN = 200;

export function ActivityPanel({ service }: { readonly service: Service }) {
  const [filter, setFilter] = useState("");
  const [open, setOpen] = useState<number>();
  const wanted = filter.trim().toLowerCase();
  // what still runs is told of before what has ended meanwhile
  const found = [...service.activity.values()].sort((one, other) => other.id - one.id)
    .filter((entry) => wanted === "" || textOf(entry).includes(wanted)).slice(0, SHOWN);
  return (
    <section aria-label="Activity">
      <input
        type="search"
        placeholder="Filter by who, desk, what or outcome"
        aria-label="Filter"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <p class="empty">
          {wanted === "" ? "Operations appear here as they are called." : "Nothing matches."}
        </p>
      )}
      <ol class="activity">
        {found.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              class="row"
              aria-expanded={open === entry.id}
              onClick={() => setOpen(open === entry.id ? undefined : entry.id)}
            >
              <code>{entry.operation}</code>
              <span class={`outcome ${outcomeClass(entry)}`}>{outcome(entry)}</span>
              <span class="target">
                <time>{new Date(entry.time).toLocaleTimeString()}</time> {whereOf(entry)}{" "}
                <span class="what">{targetOf(entry)}</span>
              </span>
            </button>
            {open === entry.id && <Details entry={entry} service={service} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface DetailsProps {
  readonly entry: ActivityEntry;
  readonly service: Service;
}

function Details({ entry, service }: DetailsProps) {
  const copy = (language: typeof LANGUAGES[number]) =>
    copyText(snippet(language, entry)).catch(service.fail);
  return (
    <div class="details">
      <Pictures entry={entry} service={service} />
      <dl>
        {Object.entries(entry.fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
        {entry.omitted.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="omitted">not kept</dd>
          </div>
        ))}
      </dl>
      <p>
        Copy as {LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            onClick={() => copy(language)}
          >
            {language}
          </button>
        ))}
      </p>
    </div>
  );
}

/** What the display showed before and after, with a mark where the mouse acted. */
function Pictures({ entry, service }: DetailsProps) {
  const { id, outcome, operation, fields: { x, y, frame } } = entry;
  const pair = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (service.may("view")) service.send({ t: "pictures", id });
  }, [id, outcome === "running", service.status]);
  const { pictures } = service;
  if (pictures?.id !== id || pictures.size === null) return null;
  const { width, height } = pictures.size;
  const isPoint = operation.startsWith("mouse.") && frame === undefined && x !== undefined;
  const share = (at: unknown, all: number) => `${(Number(at) + 0.5) * 100 / all}%`;
  const figure = (name: string, file: string | null) =>
    file !== null && (
      <figure>
        <figcaption>{name}</figcaption>
        <div class="shot">
          <img src={`data:image/jpeg;base64,${file}`} alt={`The display: ${name}, ${operation}`} />
          {isPoint && <i class="mark" style={{ left: share(x, width), top: share(y, height) }} />}
        </div>
      </figure>
    );
  return (
    <>
      <div class="pair" ref={pair}>
        {figure("Before", pictures.before)}
        {figure("After", pictures.after)}
      </div>
      <button type="button" onClick={() => pair.current?.requestFullscreen().catch(() => {})}>
        Enlarge
      </button>
    </>
  );
}

function textOf(entry: ActivityEntry): string {
  return `${whereOf(entry)} ${entry.operation} ${entry.outcome}`.toLowerCase();
}

function whereOf({ who, desk }: ActivityEntry): string {
  return desk === undefined ? who : `${who} on ${desk}`;
}

function outcome({ outcome, duration_ms, effect }: ActivityEntry): string {
  const ended = outcome === "done" ? `${duration_ms} ms` : outcome;
  return effect === undefined ? ended : `${ended}, ${effect}`;
}

function outcomeClass({ outcome }: ActivityEntry): string {
  return outcome === "running" || outcome === "done" ? outcome : "failed";
}

/** The one thing that says most of what it was about. */
function targetOf({ fields }: ActivityEntry): string {
  const { x, y } = fields;
  if (x !== undefined && y !== undefined) return `${x}, ${y}`;
  for (const name of ["command", "path", "source", "url", "program", "key", "ref", "service"]) {
    if (fields[name] !== undefined) return String(fields[name]);
  }
  return "";
}

// A call as a person would write it: with curl, in Python and in TypeScript.

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
