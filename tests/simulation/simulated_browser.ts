/**
 * A browser of two pages in the words of the Chrome DevTools Protocol: pages that answer late, hang, open dialogs, and
 * keep what is pressed in them. In its world, a `WebSocket` leads to it, and a `Worker` runs in this thread.
 */

import { serveJobs, type WorkerScope } from "../../src/core/serve_jobs.ts";
import type { FromThread, ToThread } from "../../src/core/worker_thread.ts";
import {
  type BrowserRequest,
  BrowserSupervisor,
} from "../../src/platform/browser/browser_supervisor.ts";
import { replace } from "./virtual_time.ts";
import type { World } from "./world.ts";

/** One input event that came to a page. */
export interface PageInput {
  readonly type: string;
  readonly x?: number;
  readonly y?: number;
  readonly button?: string;
  readonly key?: string;
  readonly text?: string;
  /** When it was sent. */
  readonly sentMs: number;
}

type Params = Omit<PageInput, "sentMs"> & {
  readonly expression?: string;
  readonly accept?: boolean;
  readonly targetId?: string;
};

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: Params;
  readonly sessionId?: string;
}

/** The longest for which a page hangs, in virtual milliseconds. */
const LONGEST_HANG_MS = 30_000;
const RELEASES = ["mouseReleased", "keyUp"];
/** What the browser answers itself, also while the page has a dialog. */
const BY_BROWSER = ["Page.bringToFront", "Page.handleJavaScriptDialog"];
/** What the browser drops while the page has a dialog. */
const DROPPED = ["Input.dispatchMouseEvent", "Input.dispatchKeyEvent"];

export class SimulatedPage {
  readonly inputs: PageInput[] = [];
  /** What has pressed each button that is down. */
  readonly buttons = new Map<string, PageInput[]>();
  readonly keys = new Set<string>();
  hasDialog = false;
  /** Whether the connection that there is now knows of the dialog: to a later one Chromium reports none. */
  knowsDialog = false;
  text = "";
  /** How long it takes for each event of the input. */
  readonly #slowMs: number;
  /** What comes while the page hangs or has a dialog. */
  #blocked: PromiseWithResolvers<void> | undefined;

  constructor(
    readonly name: string,
    private readonly world: World,
    /** Gives whether somebody listens. */
    private readonly report: (method: string, params: object) => boolean,
  ) {
    this.#slowMs = world.pick([0, 0, 900]);
  }

  async answer({ method, params }: Message): Promise<object> {
    const sentMs = this.world.time.now;
    const isRelease = RELEASES.includes(params.type);
    if (this.hasDialog && DROPPED.includes(method)) return {}; // as if it had it, as Chromium does
    if (!BY_BROWSER.includes(method)) await this.#unblocked();
    const take = () => this.#take(method, { ...params, sentMs });
    const answered = this.world.answer(`${this.name} has ${method}`, take, this.name);
    const answer = await (isRelease ? answered.catch(take) : answered);
    if (method.startsWith("Input.")) {
      await new Promise((resolve) => setTimeout(resolve, this.#slowMs));
    }
    // a script of the page runs before the browser answers
    if (params.type === "mousePressed") await this.#unblocked();
    return answer;
  }

  closeDialog(): void {
    this.hasDialog = this.knowsDialog = false;
    this.report("Page.javascriptDialogClosed", { result: true });
    this.goOn();
  }

  #take(method: string, params: Params & { readonly sentMs: number }): object {
    if (method === "Page.createIsolatedWorld") return { executionContextId: 1 };
    if (method === "Page.getFrameTree") {
      return { frameTree: { frame: { id: this.name, loaderId: "loader" } } };
    }
    if (method === "Runtime.evaluate") {
      return { result: { value: this.#evaluate(params.expression!) } };
    }
    if (method === "Page.handleJavaScriptDialog" && !this.knowsDialog) {
      throw new Error("No dialog is showing");
    }
    if (method.startsWith("Input.")) this.#input(params);
    return {};
  }

  #evaluate(expression: string): unknown {
    if (expression === "0") return 0;
    if (expression.includes("visibilityState")) return true;
    if (expression.includes("readyState")) return true;
    if (expression.includes("innerText")) return this.text;
    throw new Error(`No page of this world evaluates ${expression}`);
  }

  #input({ type = "insertText", x, y, button, key, text, sentMs }: Params & PageInput): void {
    const input = { type, x, y, button, key, text, sentMs } as PageInput;
    this.inputs.push(input);
    if (type === "mouseReleased") this.buttons.delete(button!);
    if (type === "keyUp") this.keys.delete(key!.toLowerCase());
    if (type === "keyDown" || type === "rawKeyDown") this.keys.add(key!.toLowerCase());
    if (type !== "mousePressed") return;
    this.buttons.set(button!, [...this.buttons.get(button!) ?? [], input]);
    const chance = this.world.random();
    if (chance < 0.08) this.#openDialog();
    else if (chance < 0.2) {
      this.hang();
      setTimeout(() => this.goOn(), 1 + this.world.below(LONGEST_HANG_MS));
    }
  }

  #openDialog(): void {
    this.#blocked = Promise.withResolvers();
    this.hasDialog = true;
    const dialog = { type: "alert", message: "Hello" };
    this.knowsDialog = this.report("Page.javascriptDialogOpening", dialog);
  }

  /** From now on it answers nothing. */
  hang(): void {
    this.#blocked = Promise.withResolvers();
  }

  async #unblocked(): Promise<void> {
    while (this.#blocked) await this.#blocked.promise;
  }

  /** It answers again. */
  goOn(): void {
    const blocked = this.#blocked;
    this.#blocked = undefined;
    blocked?.resolve();
  }
}

export class SimulatedBrowser {
  readonly pages: readonly SimulatedPage[];
  #socket: SimulatedSocket | undefined;

  constructor(private readonly world: World) {
    this.pages = ["page1", "page2"].map((name) =>
      new SimulatedPage(name, world, (method, params) => this.#report(name, method, params))
    );
  }

  /** From now on `WebSocket` and `Worker` of this process are those of the world, until it is disposed. */
  install(): Disposable {
    const { world } = this;
    const connect = (socket: SimulatedSocket) => {
      this.#socket = socket;
      for (const page of this.pages) page.knowsDialog = false;
    };
    const take = (socket: SimulatedSocket, text: string) => this.#take(socket, JSON.parse(text));
    const restore = [
      replace(
        globalThis,
        "WebSocket",
        class extends SimulatedSocket {
          constructor() {
            super(take);
            connect(this);
          }
        },
      ),
      replace(
        globalThis,
        "Worker",
        class extends SimulatedWorker {
          constructor() {
            super(world);
          }
        },
      ),
    ];
    return { [Symbol.dispose]: () => restore.forEach((each) => each()) };
  }

  /** Its pages live on. */
  hangUp(): void {
    this.#socket?.close();
  }

  async #take(socket: SimulatedSocket, message: Message): Promise<void> {
    const { id, method, sessionId } = message;
    const page = this.pages.find(({ name }) => name === sessionId);
    if (method === "Page.enable") socket.follows.add(sessionId!);
    try {
      const result = page ? await page.answer(message) : await this.#answer(message);
      socket.receive({ id, result, sessionId });
      if (method === "Page.handleJavaScriptDialog") page?.closeDialog();
    } catch (error) {
      socket.receive({ id, error: { message: (error as Error).message }, sessionId });
    }
    if (method === "Target.setAutoAttach" && sessionId === undefined) this.#attachPages(socket);
  }

  #answer({ method }: Message): Promise<object> {
    const targetInfos = this.pages.map(targetInfo);
    const answers: Readonly<Record<string, object>> = {
      "Browser.getVersion": { product: "Simulated/1" },
      "Target.getTargets": { targetInfos },
    };
    return this.world.answer(`the browser has ${method}`, () => answers[method] ?? {}, "browser");
  }

  #attachPages(socket: SimulatedSocket): void {
    for (const page of this.pages) {
      const params = { sessionId: page.name, targetInfo: targetInfo(page) };
      socket.receive({ method: "Target.attachedToTarget", params });
    }
  }

  #report(page: string, method: string, params: object): boolean {
    const follows = this.#socket?.follows.has(page) ?? false;
    if (follows) this.#socket!.receive({ method, params, sessionId: page });
    return follows;
  }
}

function targetInfo({ name }: SimulatedPage) {
  return { targetId: name, type: "page", title: name, url: `http://${name}.test/` };
}

class SimulatedSocket {
  static readonly OPEN = 1;
  readyState = 1;
  /** The pages whose events it gets. */
  readonly follows = new Set<string>();
  onopen = () => {};
  onerror = () => {};
  onclose = () => {};
  onmessage = (_: { readonly data: string }) => {};

  constructor(private readonly take: (socket: SimulatedSocket, text: string) => void) {
    queueMicrotask(() => this.onopen());
  }

  send(text: string): void {
    this.take(this, text);
  }

  /** What comes after its end is for nobody. */
  receive(message: object): void {
    if (this.readyState === 1) this.onmessage({ data: JSON.stringify(message) });
  }

  close(): void {
    this.readyState = 3;
    this.onclose();
  }
}

/** The thread of the browser, in this one: messages take their time in both directions. */
class SimulatedWorker {
  onmessage = (_: { readonly data: FromThread }) => {};
  onerror = () => {};
  readonly #scope: WorkerScope;

  constructor(private readonly world: World) {
    this.#scope = {
      onmessage: () => {},
      postMessage: (data) => this.#carry("from the thread", () => this.onmessage({ data })),
    };
    const supervisor = new BrowserSupervisor();
    const execute = (request: BrowserRequest, caller: Parameters<typeof supervisor.execute>[1]) =>
      supervisor.execute(request, caller);
    serveJobs(execute, () => [], this.#scope);
  }

  postMessage(data: ToThread): void {
    this.#carry("to the thread", () => this.#scope.onmessage({ data } as MessageEvent<ToThread>));
  }

  terminate(): void {
    this.onmessage = () => {};
  }

  /** None is lost. */
  #carry(way: string, deliver: () => void): void {
    this.world.answer(`a message ${way}`, deliver, way).catch(deliver);
  }
}
