/** A browser with one tab and a page of a button and a field, which does at once whatever it is asked. */

import type {
  Browser,
  BrowserJobName,
  BrowserJobs,
  BrowserTab,
  PageElement,
  PageWindow,
} from "../../src/platform/types/mod.ts";

const TAB: BrowserTab = { id: "t1", title: "Form", url: "http://form.test/", active: true };

/** As the window of the page is on the fake display. */
export const FAKE_BROWSER_WINDOW: PageWindow = {
  bounds: { x: 0, y: 0, width: 800, height: 600 },
  title: "Form",
  pid: 9,
};

function element(node: number, role: string, name: string): PageElement {
  return { target: "target", frame: "frame", loader: "loader", node, role, name };
}

const BUTTON = element(1, "button", "Send");
const FIELD = element(2, "textbox", "City");

type Outputs = { readonly [N in BrowserJobName]: BrowserJobs[N][1] };

const OUTPUTS: Outputs = {
  tabs: [TAB],
  open: { tab: TAB, httpStatus: 200, loaded: true },
  activate: TAB,
  close: undefined,
  navigate: { tab: TAB, httpStatus: 200, loaded: true },
  snapshot: page(),
  find: page(),
  text: { tab: TAB, text: "Send", truncated: false },
  place: {
    area: { x: 600, y: 500, width: 40, height: 20 },
    middle: { x: 620, y: 510 },
    scrolled: false,
    viewport: { x: 0, y: 0, width: 800, height: 600 },
    window: FAKE_BROWSER_WINDOW,
  },
  focus: undefined,
  hasFocus: true,
  enterSecret: undefined,
  watchMouse: undefined,
  sawMouse: true,
  sawPress: undefined,
  click: undefined,
  pointer: { tab: "t1" },
  release: undefined,
  drag: undefined,
  scroll: undefined,
  type: undefined,
  keys: undefined,
  fill: { result: "confirmed", reason: "The field has the value" },
  upload: { result: "confirmed", reason: "The field has the file" },
  saveState: { text: '{"cookies":[],"origins":[]}', cookies: 0, origins: 0 },
  loadState: { cookies: 0, origins: 0 },
  screenshot: { bytes: new Uint8Array(1), viewport: { width: 800, height: 600 } },
  wait: { met: true, elapsedMs: 1 },
  evaluate: { text: "1", truncated: false, threw: false },
  console: { entries: [], dropped: 0 },
  network: { entries: [], dropped: 0 },
  dialogs: [],
  answerDialog: { tab: "t1", kind: "alert", message: "Hello" },
  downloads: [],
};

function page(): BrowserJobs["snapshot"][1] {
  const line = (of: PageElement) => ({
    ...{ level: 0, role: of.role, name: of.name, states: [], value: "" },
    element: of,
  });
  return { tab: TAB, lines: [line(BUTTON), line(FIELD)], truncated: [] };
}

export class FakeBrowser implements Browser {
  /** What `pointer` holds down. */
  readonly down = new Set<string>();

  run<N extends BrowserJobName>(name: N, input: BrowserJobs[N][0]): Promise<BrowserJobs[N][1]> {
    if (name === "pointer") {
      const { action, button } = input as BrowserJobs["pointer"][0];
      if (action === "down") this.down.add(button);
      if (action === "up") this.down.delete(button);
    }
    if (name === "release") this.down.clear();
    return Promise.resolve(OUTPUTS[name]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
