/** Whatever a compositor does or a caller asks of it: the thread that answers all others is never held up. */

import { expect } from "expect";
import { startWatched } from "../../../../support/command.ts";
import { stallsOf } from "../../../../support/watchdog.ts";
import { openEventLog } from "../../../../support/wayland/event_log.ts";
import { WaylandProxy } from "../../../../support/wayland/proxy.ts";
import { REQUESTS, startSway, testSway } from "./support.ts";

/** More characters than all keys have together, again and again. */
const MANY = String.fromCodePoint(...Array.from({ length: 2_000 }, (_, i) => 0x4e00 + i));
const NONSENSE = new Uint8Array(8 * 1024 * 1024).fill(0xff);

testSway("nothing holds up the main thread: texts, pictures, nonsense, silence", async () => {
  await using desktop = await startSway({ outputs: 2 });
  await using _log = await openEventLog(desktop);
  using proxy = new WaylandProxy(`${desktop.runtime}/proxy`, desktop.socket);
  const { PATH: _path, HOME: _home, ...session } = desktop.env;
  const service = await startWatched([], { ...session, WAYLAND_DISPLAY: "proxy" });
  try {
    const send = async (path: string, body?: unknown) => {
      const response = body === undefined
        ? await fetch(service.address + path)
        : await service.post(path, body);
      await response.body?.cancel();
      return response.status;
    };
    expect(await send("/api/keyboard/type", { text: MANY, typing_delay: 0 })).toBe(200);
    for (const [path, body] of REQUESTS) await send(path, body); // code that runs first takes longer
    const crowd = REQUESTS.flatMap((each) => Array<typeof each>(10).fill(each));
    const statuses = await Promise.all(crowd.map(([path, body]) => send(path, body)));
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    for (let round = 0; round < 5; round++) {
      const answers = REQUESTS.map(([path, body]) => send(path, body));
      proxy.say(NONSENSE);
      expect((await Promise.all(answers)).filter((status) => status === 500)).toEqual([]);
    }
    proxy.isMute = true;
    const answers = await Promise.all(REQUESTS.map(([path, body]) => send(path, body)));
    expect(answers.filter((status) => ![200, 503].includes(status))).toEqual([]);
  } finally {
    await service[Symbol.asyncDispose](); // by then it has logged all
  }
  expect(stallsOf(service.errors.seen)).toEqual([]);
});
