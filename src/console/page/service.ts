/** The page's way to the service: its requests, and its socket with what has come over it. */

import type { ActivityEntry } from "../activity.ts";
import type { IncomingMessage, OutgoingMessage } from "../messages.ts";

type Message<T extends OutgoingMessage["t"]> = Extract<OutgoingMessage, { t: T }>;

export type Status = "connecting" | "open" | "lost";

const KEY = "computer-control-page";
const RETRY_MS = [500, 1_000, 2_000, 5_000];
const KEPT_ENTRIES = 1_000;
/** How long an error is visible. */
const ERROR_MS = 8_000;

/** A display of the service, or of one of its desks, as operations take it. */
export interface ShownDisplay {
  readonly display_num: number;
  readonly desk?: string;
}

/** What every view shows; views are drawn again after each change. */
export class Service {
  status: Status = "connecting";
  /** Why it is not connected, or what has failed. */
  problem = "";
  hello: Message<"hello"> | undefined;
  control: Message<"state"> | undefined;
  approvals: Message<"approvals">["pending"] = [];
  readonly activity = new Map<number, ActivityEntry>();
  /** Of the operation that was asked for last. */
  pictures: Message<"pictures"> | undefined;
  /** What shows the live picture. */
  onPicture: (data: ArrayBuffer) => void = () => {};
  onLive: (message: Message<"live">) => void = () => {};
  /** It is connected, also once more. */
  onOpen: () => void = () => {};
  /** Draws every view again; at most once for each picture that the browser draws. */
  onChange: () => void = () => {};
  readonly #page = ownKey();
  #socket: WebSocket | undefined;
  #tries = 0;
  #isDue = false;

  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      this.onChange();
    }, 16);
  }

  get hasControl(): boolean {
    const { control, hello } = this;
    return control?.mode === "person" && control.by !== null && control.by.id === hello?.you.id;
  }

  get mayControl(): boolean {
    const { hello } = this;
    return hello !== undefined && !hello.watch_only && this.may("control");
  }

  may(scope: string): boolean {
    const { hello } = this;
    if (hello === undefined || hello.watch_only) return false;
    return hello.scopes === null || hello.scopes.includes(scope);
  }

  /** @throws Error with what the service says */
  async call<T>(path: string, body?: unknown): Promise<T> {
    const answer = await this.fetch(path, body);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  async fetch(path: string, body?: unknown, method = "POST"): Promise<Response> {
    const isOpen = this.status === "open";
    const headers: Record<string, string> = isOpen ? { "x-console-page": this.#page } : {};
    const sent = body === undefined ? { headers } : {
      method,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const answer = await fetch(path, sent);
    if (!answer.ok) throw new Failure(answer.status, await detailOf(answer));
    return answer;
  }

  send(message: IncomingMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Shows what has failed, for a while. */
  readonly fail = (error: unknown): void => {
    const problem = this.problem = error instanceof Error ? error.message : String(error);
    setTimeout(() => {
      if (this.problem !== problem || this.status !== "open") return;
      this.problem = "";
      this.changed();
    }, ERROR_MS);
    this.changed();
  };

  /** Opens the socket, and again whenever it is closed. */
  async connect(): Promise<void> {
    this.#setStatus("connecting", this.problem);
    try {
      const { ticket } = await this.call<{ ticket: string }>("console/ticket", {
        page: this.#page,
      });
      const url = new URL(`console/socket?ticket=${ticket}`, location.href);
      url.protocol = url.protocol.replace("http", "ws");
      this.#open(new WebSocket(url));
    } catch (error) {
      // the session has ended: the service answers with the page to sign in
      if (error instanceof Failure && error.status === 401) return location.reload();
      this.#setStatus("lost", error instanceof Error ? error.message : "");
      this.#retry();
    }
  }

  #open(socket: WebSocket): void {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#tries = 0;
      this.activity.clear();
      this.pictures = undefined;
      this.#setStatus("open", "");
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#receive(JSON.parse(data));
      else this.onPicture(data);
    };
    socket.onclose = ({ reason }) => {
      if (this.#socket !== socket) return;
      this.#setStatus("lost", reason === "" ? "The connection is lost" : reason);
      this.#retry();
    };
  }

  #receive(message: OutgoingMessage): void {
    switch (message.t) {
      case "hello":
        this.hello = message;
        this.onOpen();
        break;
      case "state":
        this.control = message;
        break;
      case "approvals":
        this.approvals = message.pending;
        break;
      case "activity":
        for (const entry of message.entries) this.#keep(entry);
        break;
      case "pictures":
        this.pictures = message;
        break;
      case "live":
        return this.onLive(message);
      case "error":
        if (message.to === "watch") {
          this.onLive({ t: "live", kind: "gone", reason: message.detail });
        }
        return this.fail(new Error(message.detail));
    }
    this.changed();
  }

  #keep(entry: ActivityEntry): void {
    this.activity.set(entry.id, entry);
    if (this.activity.size > KEPT_ENTRIES) {
      this.activity.delete(this.activity.keys().next().value!);
    }
  }

  #retry(): void {
    const ms = RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)];
    setTimeout(() => this.connect(), ms);
  }

  #setStatus(status: Status, problem: string): void {
    this.status = status;
    this.problem = problem;
    this.changed();
  }
}

/** Also where the page was not loaded from this computer or over TLS, and has no clipboard. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

class Failure extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function detailOf(answer: Response): Promise<string> {
  const { detail } = await answer.json().catch(() => ({}));
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map(({ msg }) => msg).join("; ");
  return `The service answered ${answer.status}`;
}

/** Stays the same when the page is loaded again, so that the person keeps control. */
function ownKey(): string {
  const known = sessionStorage.getItem(KEY);
  if (known !== null) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem(KEY, key);
  return key;
}
