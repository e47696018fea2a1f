/** Notes what a tab's events say: its logs, its dialog, its frames. */

import type { PageDialog } from "../types/browser.ts";
import { type CdpResult, LARGE_EVENT } from "./cdp/connection.ts";
import { cut } from "./cut.ts";
import type { Tab } from "./tab.ts";

const MAX_REQUESTS = 1_000;
const MAX_DOCUMENTS = 20;

/** Stands for a text that nobody needs as a whole. */
const TOO_LONG = "A text of the page was left out: it has more than 4 MiB";

type Note = (tab: Tab, params: CdpResult, session: string) => void;

export function noteTabEvent(tab: Tab, method: string, params: CdpResult, session: string): void {
  if (Object.hasOwn(NOTES, method)) NOTES[method]!(tab, params, session);
  tab.notify(method, params, session);
}

const NOTES: Readonly<Record<string, Note>> = {
  "Page.javascriptDialogOpening": (tab, { type, message }) => {
    const kind = type as PageDialog["kind"];
    tab.dialog = { tab: tab.id, kind, message: cut(String(message)) };
  },
  [LARGE_EVENT]: (tab, { method }, session) => {
    if (method === "Page.javascriptDialogOpening") {
      NOTES[method]!(tab, { type: "alert", message: TOO_LONG }, session);
    } else if (/^(Runtime|Log)\./.test(method)) addConsole(tab, "warning", TOO_LONG, "", NaN);
  },
  "Page.javascriptDialogClosed": (tab) => tab.dialog = undefined,
  "Runtime.consoleAPICalled": (tab, { type, args, stackTrace, timestamp }) => {
    const text = (args as CdpResult[]).map(describe).join(" ");
    addConsole(tab, type, text, stackTrace?.callFrames?.[0]?.url, timestamp);
  },
  "Runtime.exceptionThrown": (tab, { exceptionDetails: details, timestamp }) => {
    const text = details.exception?.description ?? details.text;
    addConsole(tab, "error", text, details.url, timestamp);
  },
  "Log.entryAdded": (tab, { entry }) => {
    addConsole(tab, entry.level, entry.text, entry.url, entry.timestamp);
  },
  "Network.requestWillBeSent": (tab, { requestId, request, type, wallTime, redirectResponse }) => {
    if (redirectResponse) finish(tab, requestId, { status: redirectResponse.status });
    const entry = tab.network.add((number) => ({
      number,
      method: cut(request.method),
      url: cut(request.url),
      type: String(type ?? "Other"),
      status: null,
      error: null,
      time: toTime(wallTime * 1000),
    }));
    tab.requests.set(requestId, entry);
    if (tab.requests.size > MAX_REQUESTS) tab.requests.delete(tab.requests.keys().next().value!);
  },
  "Network.responseReceived": (tab, { requestId, response, type, loaderId }) => {
    finish(tab, requestId, { status: response.status });
    if (type !== "Document") return;
    tab.documentStatus.set(loaderId, response.status);
    if (isRefusal(response)) tab.refused = loaderId;
    if (tab.documentStatus.size <= MAX_DOCUMENTS) return;
    tab.documentStatus.delete(tab.documentStatus.keys().next().value!);
  },
  "Network.loadingFailed": (tab, { requestId, errorText }) => {
    finish(tab, requestId, { error: cut(String(errorText)) });
  },
};

/** A service refuses requests of its own browser with this header. */
function isRefusal({ status, headers }: CdpResult): boolean {
  return status === 403 && headers["x-refused"] === "browser";
}

function addConsole(tab: Tab, level: string, text: unknown, url: unknown, at: number): void {
  tab.console.add((number) => ({
    number,
    level: String(level),
    text: cut(String(text ?? "")),
    source: cut(String(url ?? "")),
    time: toTime(at),
  }));
}

function finish(
  tab: Tab,
  request: string,
  result: { readonly status?: number; readonly error?: string },
): void {
  const entry = tab.requests.get(request);
  if (entry) tab.network.replace({ ...entry, ...result });
  tab.requests.delete(request);
}

function describe({ type, value, description, unserializableValue }: CdpResult): string {
  if (type === "string") return value;
  return String(unserializableValue ?? description ?? value ?? type);
}

function toTime(ms: number): string {
  return new Date(Number.isFinite(ms) ? ms : Date.now()).toISOString();
}
