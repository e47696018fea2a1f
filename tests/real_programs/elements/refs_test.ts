/** Input by refs, and waits for what programs show, in a form of zenity and a page of Chromium. */

import { expect } from "expect";
import { startService } from "../../support/service.ts";
import { type AccessibleSession, startAccessibleSession } from "../support/accessible_session.ts";
import { openBrowser, type PageEvent } from "../support/browser.ts";
import { startProcess } from "../support/processes.ts";
import { openZenityForm } from "../support/zenity.ts";

const LONG_MS = 30_000;

interface Waited {
  readonly status: string;
  readonly element: { readonly ref: string; readonly value?: string };
}

async function serve({ display, env }: AccessibleSession) {
  const service = await startService({ displays: [display], env: { ...env, DISPLAY: display } });
  const wait = async (until: unknown, timeout_ms = LONG_MS) =>
    await service.call("/api/display/wait", { until, timeout_ms }) as Waited;
  const call = (operation: string, body: unknown) => service.call(`/api/${operation}`, body);
  const refused = (operation: string, body: unknown) =>
    service.refused(409, `/api/${operation}`, body);
  /** Also those that are scrolled away. */
  const find = async (name: string) => {
    const fields = { name, exact: true, include_hidden: true };
    const { elements } = await call("accessibility/find", fields) as {
      elements: { ref: string; role: string }[];
    };
    return elements.find(({ role }) => role !== "text")!.ref;
  };
  const end = () => service[Symbol.asyncDispose]();
  return { wait, call, refused, find, [Symbol.asyncDispose]: end };
}

Deno.test("a form of zenity is awaited, filled and sent by refs alone", async () => {
  await using session = await startAccessibleSession();
  await using service = await serve(session);
  const { wait, call } = service;
  await call("keychain/set-item", { service: "shop", item: { password: "s3cret Ü" } });
  const opened = wait({ element: { role: "button", name: "OK" } });
  expect((await wait({ element: { role: "button", name: "OK" } }, 100)).status).toBe("timeout");
  await using form = await openZenityForm(session.place);
  const { element: ok } = await opened;
  const { elements } = await call("accessibility/find", { role: "textbox" }) as {
    elements: { ref: string; states: string[]; bounds: { y: number } }[];
  };
  const [name, street, secret] = elements.toSorted((a, b) => a.bounds.y - b.bounds.y);
  expect(secret!.states).toContain("protected");
  await call("keyboard/type", { ref: street!.ref, text: "Straße 5" });
  await call("keyboard/type", { ref: name!.ref, text: "not this" });
  await call("keyboard/type", { ref: name!.ref, text: "Zoë 中", clear: true });
  const authElements = [{ type: "password", ref: secret!.ref }];
  expect(await call("keychain/authenticate", { service: "shop", authElements })).toBe(true);
  expect((await wait({ text: "straße" })).element).toMatchObject({ ref: street!.ref });
  const closed = [
    wait({ gone: { element: { ref: ok.ref } } }),
    wait({ gone: { text: "Zoë" } }),
    wait({ gone: { window: { title: "Order" } } }),
  ];
  expect((await wait({ gone: { text: "Zoë" } }, 0)).status).toBe("timeout");
  await call("mouse/left-click", { ref: ok.ref });
  expect(await form.printed()).toEqual(["Zoë 中", "Straße 5", "s3cret Ü", ""]);
  for (const { status } of await Promise.all(closed)) expect(status).toBe("gone");
  expect(await service.refused("mouse/left-click", { ref: ok.ref })).toContain("gone");
});

const PAGE = `
<button id="top" onclick="setTimeout(() => {
  const late = document.createElement('button');
  late.textContent = 'Late';
  document.getElementById('top').after(late);
}, 300)">Top</button>
<div id="card" role="button" aria-label="Card" draggable="true"
  ondragstart="event.dataTransfer.setData('text/plain', 'card')">Card</div>
<div id="bin" role="button" aria-label="Bin" style="height: 40px" ondragover="event.preventDefault()"
  ondrop="event.preventDefault(); note.value = event.dataTransfer.getData('text/plain')">Bin</div>
<input id="note" aria-label="Note">
<p style="height: 3000px">space</p>
<button id="deep">Deep</button>
<div id="area" role="group" aria-label="Area" style="height: 100px; overflow: auto">
  <p style="height: 900px">long</p></div>
<p style="height: 3000px">space</p>`;

Deno.test("a page of Chromium is clicked, scrolled, dragged and typed into by refs alone", async () => {
  await using session = await startAccessibleSession();
  await using service = await serve(session);
  const { wait, call, find } = service;
  await using browser = await openBrowser(session.place, "chromium", { body: PAGE });
  await wait({ element: { role: "button", name: "Top" } });
  const names = ["Top", "Card", "Bin", "Note", "Deep", "Area"];
  const refs: string[] = [];
  for (const name of names) refs.push(await find(name));
  const [top, card, bin, note, deep, area] = refs as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];

  const step = { operation: "mouse.left-click", input: { ref: top } };
  const until = { element: { role: "button", name: "Late" } };
  const { results } = await call("batch", { steps: [{ ...step, until }] }) as {
    results: unknown[];
  };
  expect(results).toMatchObject([{ status: "done", waited: { status: "found" } }]);

  await call("mouse/drag", { from: { ref: card }, ref: bin });
  await wait({ element: { ref: note, text: "card" } });
  await browser.expectValue("#note", "card");

  browser.clear();
  await call("mouse/left-click", { ref: deep });
  await browser.waitFor((events) => events.length === 1, { type: "click" });
  expect(browser.events("click")).toMatchObject([{ target: "deep", isTrusted: true }]);
  const turned = (events: readonly PageEvent[]) =>
    events.reduce((sum, { deltaY }) => sum + deltaY!, 0);
  await call("mouse/scroll", { ref: area, clicks: -1 });
  const notch = turned(await browser.waitFor((events) => events.length > 0, { type: "wheel" }));
  await call("mouse/scroll", { ref: area, clicks: -2 });
  // of both in one event, where it is busy
  const isTurned = (events: readonly PageEvent[]) => Math.round(turned(events) / notch) === 3;
  await browser.waitFor(isTurned, { type: "wheel" });
  expect(browser.events("wheel").map(({ target }) => target)).not.toContain("note");
  await call("keyboard/type", { ref: note, text: "tüped 日本", clear: true });
  await browser.expectValue("#note", "tüped 日本");
  const apart = await service.refused("mouse/drag", { from: { ref: card }, ref: deep });
  expect(apart).toContain("are not visible at the same time");

  browser.clear();
  await using _cover = startProcess("xterm", {
    args: ["-geometry", "200x70+0+0", "-T", "Cover"],
    env: { DISPLAY: session.display, PATH: Deno.env.get("PATH")! },
    log: `${session.home.path}/cover`,
  });
  await wait({ window: { title: "Cover" } });
  expect(await service.refused("mouse/left-click", { ref: top })).toContain(
    "covered by the window",
  );
  expect(await service.refused("mouse/move", { ref: top })).toContain("covered by the window");
  expect(browser.events("click")).toEqual([]);
});
