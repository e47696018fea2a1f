/** A service in a session of sway whose compositor a test can spoil: it is reached through a proxy. */

import { expect } from "expect";
import type { Limits } from "../../../../../src/config/limits.ts";
import { type Service, startService } from "../../../../support/service.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../../../../support/wayland/desktop.ts";
import { FILLS_OUTPUT } from "../../../../support/wayland/event_log.ts";
import { type ProxyOptions, WaylandProxy } from "../../../../support/wayland/proxy.ts";
import { waitFor } from "../../../../support/wait.ts";
import { testIf } from "../../../../support/test_if.ts";

const missing = missingFor("sway", ["foot"]);

/** A test with sway, ignored where that is not installed. */
export const testSway = testIf(missing === undefined, missing ?? "");

export function startSway(
  options: Parameters<typeof startWaylandDesktop>[1] = {},
): Promise<WaylandDesktop> {
  return startWaylandDesktop("sway", {
    ...options,
    config: `${FILLS_OUTPUT}\n${options?.config ?? ""}`,
  });
}

export interface Spoiled extends AsyncDisposable {
  readonly proxy: WaylandProxy;
  readonly service: Service;
}

/** Every request to the compositor, and every event, passes the proxy. */
export async function startSpoiled(
  desktop: WaylandDesktop,
  options: ProxyOptions & { readonly limits?: Partial<Limits> } = {},
): Promise<Spoiled> {
  await using opening = new AsyncDisposableStack();
  const name = `proxy-${crypto.randomUUID()}`;
  const proxy = opening.use(
    new WaylandProxy(`${desktop.runtime}/${name}`, desktop.socket, options),
  );
  const service = opening.use(
    await startService({
      displays: [],
      env: { ...desktop.env, WAYLAND_DISPLAY: name },
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    }),
  );
  const open = opening.move();
  return { proxy, service, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** One request of each kind that needs the compositor. */
export const REQUESTS: readonly (readonly [path: string, body?: unknown])[] = [
  ["/api/display/screen_size"],
  ["/api/display/screenshot"],
  ["/api/display/pixel_color", { x: 1, y: 1 }],
  ["/api/mouse/move", { x: 5, y: 5 }],
  ["/api/mouse/left-click", { x: 5, y: 5 }],
  ["/api/mouse/scroll", { clicks: 1 }],
  ["/api/keyboard/key", { key: "a" }],
  ["/api/keyboard/type", { text: "aé漢" }],
];

/** Every request is answered as it should be; resolves with nothing else. */
export async function expectAll(service: Service, requests = REQUESTS): Promise<void> {
  for (const [path, body] of requests) {
    const response = await service.send(path, body);
    const said = response.ok ? "" : await response.text();
    await response.body?.cancel().catch(() => {}); // it was read
    expect({ path, said }).toEqual({ path, said: "" });
  }
}

/** Waits until the service has opened the compositor again, and then expects everything to work. */
export async function expectBack(service: Service, requests = REQUESTS): Promise<void> {
  const isBack = async () => (await service.send("/api/mouse/move", { x: 1, y: 1 })).ok;
  await waitFor(isBack, { what: "the compositor to be back" });
  await expectAll(service, requests);
}
