/** Makes the HTTP request of a call from the checked fields. */

import type { Operation } from "../../features/operation.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface CallRequest {
  readonly base: URL;
  readonly token: string | undefined;
}

export function makeRequest(
  operation: Operation,
  fields: Fields,
  { base, token }: CallRequest,
): Request {
  const { method, path, body, query, unnamed } = operation;
  const url = new URL(base);
  const start = unnamed ? "" : url.pathname.replace(/\/$/, "");
  url.pathname = start + fillIn(path, fields);
  for (const name of Object.keys(query?.shape ?? {})) {
    if (fields[name] !== undefined) url.searchParams.set(name, asText(fields[name]));
  }
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (body === undefined) return new Request(url, { method, headers, redirect: "manual" });
  headers.set("content-type", "application/json");
  const names = Object.keys(body.shape).filter((name) => fields[name] !== undefined);
  const content = JSON.stringify(Object.fromEntries(names.map((name) => [name, fields[name]])));
  return new Request(url, { method, headers, body: content, redirect: "manual" });
}

/** `/api/bash/process/{pid}` -> `/api/bash/process/123` */
function fillIn(path: string, fields: Fields): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(asText(fields[name])));
}

function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
