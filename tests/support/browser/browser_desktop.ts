/** The service with a real Chromium on a display of its own, and a web server with pages. */

import { type Service, startService } from "../service.ts";
import { startXvfb } from "../xvfb.ts";
import { type Pages, servePages } from "./pages.ts";

export interface BrowserDesktop extends AsyncDisposable {
  readonly service: Service;
  readonly display: string;
  readonly pages: Pages;
  /** Shows a page in the active tab. */
  show(path: string, page: string): Promise<string>;
  /** The text of a snapshot of the active tab. */
  snapshot(input?: object): Promise<string>;
  /** The ref of the first line of a snapshot that has this text. */
  refOf(text: string): Promise<string>;
}

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

export async function startBrowserDesktop(
  { evaluate = false }: { readonly evaluate?: boolean } = {},
): Promise<BrowserDesktop> {
  await using opening = new AsyncDisposableStack();
  const pages = opening.use(servePages());
  const server = opening.use(await startXvfb());
  const { display } = server;
  const service = opening.use(
    await startService({
      displays: [display],
      openBrowser: "about:blank",
      browserEvaluate: evaluate,
    }),
  );
  await service.call("/api/browser/tabs");
  const open = opening.move();
  const snapshot = async (input = {}) => {
    const { text } = await service.call("/api/browser/snapshot", input) as Json;
    return text as string;
  };
  return {
    service,
    display,
    pages,
    snapshot,
    async show(path, page) {
      const url = pages.serve(path, page);
      pages.startRound();
      await service.call("/api/browser/navigate", { url });
      return url;
    },
    async refOf(text) {
      const all = await snapshot();
      const line = all.split("\n").find((each) => each.includes(text));
      const ref = /\[ref=(e\d+)\]/.exec(line ?? "")?.[1];
      if (ref === undefined) throw new Error(`There is no ref of ${text} in\n${all}`);
      return ref;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
