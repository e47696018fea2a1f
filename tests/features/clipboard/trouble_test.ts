/** Programs that own the clipboard of an X display and do not behave, and clients that do not wait. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { startDesktop } from "../../support/desktop.ts";
import { openSelectionOwner } from "../../support/selection_owner.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { pasteWith, XCLIP } from "../../support/x_clipboard.ts";

const GET = "/api/clipboard/get";
const SET = "/api/clipboard/set";
const CLEAR = "/api/clipboard/clear";

Deno.test("clipboard/get ends in time whatever the program does that owns the content", async (t) => {
  await using desktop = await startDesktop({ limits: { maxClipboardBytes: 1_000_000 } });
  const { display, service } = desktop;

  await t.step("one that never answers: 504", async () => {
    using _owner = await openSelectionOwner(display, () => {});
    const detail = await service.refused(504, GET, { timeout_ms: 100 });
    expect(detail).toContain("has sent no data for 100 ms");
  });

  await t.step("one that stops in the middle: 504", async () => {
    using owner = await openSelectionOwner(display, (request) => {
      if (request.target === "TARGETS") return owner.answerTargets(request, ["UTF8_STRING"]);
      owner.beginPieces(request, 500_000);
    });
    await service.refused(504, GET, { timeout_ms: 100 });
  });

  await t.step("one that announces 1 GiB: 413, at once", async () => {
    using owner = await openSelectionOwner(display, (request) => {
      if (request.target === "TARGETS") return owner.answerTargets(request, ["UTF8_STRING"]);
      owner.beginPieces(request, 2 ** 30);
    });
    const detail = await service.refused(413, GET, { timeout_ms: 60_000 });
    expect(detail).toContain("more than the service reads");
  });

  await t.step("one that announces little and never ends: 413", async () => {
    using owner = await openSelectionOwner(display, (request) => {
      if (request.target === "TARGETS") return owner.answerTargets(request, ["UTF8_STRING"]);
      owner.sendForEver(request);
    });
    await service.refused(413, GET, { timeout_ms: 60_000 });
  });

  await t.step("one that offers types that no server knows, and refuses the rest", async () => {
    using owner = await openSelectionOwner(display, (request) => {
      if (request.target !== "TARGETS") return owner.refuse(request);
      owner.answerAtoms(request, [0, 0x1fffffff, owner.atom("UTF8_STRING")]);
    });
    expect(await service.call(GET, {})).toEqual({ available: ["text"], types: ["UTF8_STRING"] });
  });

  await t.step("a client that leaves ends the read, and the next one has its place", async () => {
    using owner = await openSelectionOwner(display, () => {});
    const gone = Array.from({ length: 20 }, async () => {
      const client = new AbortController();
      const asked = owner.requests.length;
      const reading = service.send(GET, { timeout_ms: 60_000 }, client.signal);
      await Promise.race([reading, waitFor(() => owner.requests.length > asked).catch(() => {})]);
      client.abort();
      await reading.then((response) => response.body?.cancel(), () => {});
    });
    await Promise.all(gone);
    await service.call(CLEAR, {});
    expect(await service.call(GET, {})).toEqual({ available: [], types: [] });
  });
});

Deno.test("readers of a program that sends next to nothing keep nobody from writing, and end", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  using owner = await openSelectionOwner(display, (request) => {
    if (request.target === "TARGETS") owner.answerTargets(request, ["UTF8_STRING"]);
    else owner.beginPieces(request, 4); // and sends none
  });
  const client = new AbortController();
  const reads = Array.from(
    { length: 20 },
    () =>
      service.send(GET, { timeout_ms: 60_000 }, client.signal).then(
        (response) => response.body?.cancel(),
        () => {},
      ),
  );
  await waitFor(() => owner.requests.filter((target) => target !== "TARGETS").length >= 4);
  await service.call(SET, { text: "mine" });
  const text = new TextDecoder().decode(await pasteWith(XCLIP.paste(), display));
  await service.call(CLEAR, {});
  client.abort();
  await Promise.all(reads);
  expect(text).toBe("mine");
});

Deno.test("clipboard/set takes a large PNG in base64 with and without line breaks, and nothing after its end", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const png = new Uint8Array(400_001).map((_, at) => at * 31 % 251);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const base64 = png.toBase64();
  const broken = base64.replace(/.{76}/g, "$&\r\n");
  for (const text of [base64, `${broken}\n`, `\n${base64.slice(0, 7)} ${base64.slice(7)}`]) {
    await service.call(SET, { png: text });
    const read = await service.call(GET, { formats: ["png"] }) as { png: string };
    expect(read.png === base64).toBe(true);
  }
  const twice = png.subarray(0, 131_071).toBase64() + base64;
  expect(await service.refused(422, SET, { png: twice })).toContain("not valid Base64");
});

Deno.test("clipboard/set is not disturbed by programs that ask and go, or never take what they asked for", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  const text = "0123456789".repeat(100_000);
  await service.call(SET, { text });
  {
    using asker = await openSelectionOwner(display, () => {}, { selection: "NULL" });
    for (let i = 0; i < 10; i++) asker.ask("UTF8_STRING"); // takes none of the pieces
    asker.ask("NO_SUCH_TYPE");
    await waitFor(() => asker.notices.length === 11, { what: "eleven answers" });
    expect(asker.notices.filter((isGiven) => isGiven).length).toBe(10);
  }
  const pasted = new TextDecoder().decode(await pasteWith(XCLIP.paste(), display));
  expect(pasted === text).toBe(true);
});

Deno.test("clipboard/set with what another program replaces at once answers 204 or 409, and get has one of both", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  using other = await openSelectionOwner(display, (request) => {
    if (request.target === "TARGETS") return other.answerTargets(request, ["UTF8_STRING"]);
    other.answerText(request, "theirs");
  });
  for (let i = 0; i < 50; i++) {
    const setting = service.send(SET, { text: "ours" });
    other.take();
    const response = await setting;
    await response.body?.cancel();
    expect([204, 409]).toContain(response.status);
    const last = await other.owns() ? "theirs" : "ours";
    const { text } = await service.call(GET, {}) as { text: string };
    expect(text).toBe(last);
    if (response.status === 409) expect(text).toBe("theirs");
  }
});

Deno.test("what was put on the clipboard survives the service where a clipboard manager runs", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  let kept: string | undefined;
  using manager = await openSelectionOwner(display, (request) => {
    if (request.target !== "SAVE_TARGETS") return manager.refuse(request);
    manager.askSeveral(["UTF8_STRING"]).then(([text]) => {
      kept = text;
      manager.confirmSave(request);
    });
  }, { selection: "CLIPBOARD_MANAGER" });
  await service.call(SET, { text: "kept" });
  await service.platform[Symbol.asyncDispose]();
  expect(kept).toBe("kept");
});

Deno.test("an X server that ends while a program is asked is 503 at once, and used again when it is back", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  const owner = await openSelectionOwner(display, () => {});
  const reading = service.send(GET, { timeout_ms: 60_000 });
  await waitFor(() => owner.requests.length > 0, { what: "the question" });
  await desktop.server.kill();
  const response = await reading;
  await response.body?.cancel();
  expect(response.status).toBe(503);
  owner[Symbol.dispose]();
  await using _again = await startXvfb({ display });
  await waitFor(() => service.call("/api/mouse/position"), { what: "the display to be back" });
  await service.call(SET, { text: "again" });
  expect(await service.call(GET, {})).toMatchObject({ text: "again" });
});

Deno.test("a program that asks for several types at once gets each, and knows which are not there", async () => {
  await using desktop = await startDesktop();
  const { display, service } = desktop;
  using asker = await openSelectionOwner(display, () => {}, { selection: "NULL" });
  await service.call(SET, { text: "é漢", html: "<b>é</b>" });
  const [text, none, html, time, several] = await asker.askSeveral(
    ["UTF8_STRING", "NO_SUCH_TYPE", "text/html", "TIMESTAMP", "MULTIPLE"],
  );
  expect([text, none, several]).toEqual(["é漢", undefined, undefined]);
  expect(html).toContain("<b>é</b>");
  expect(time?.length).toBeGreaterThan(0);
});

Deno.test("clipboard/set refuses what cannot be there", async () => {
  await using desktop = await startDesktop({ limits: { maxClipboardBytes: 1_000 } });
  const { service } = desktop;
  expect(await service.refused(422, SET, {})).toContain("at least one of");
  expect(await service.refused(422, SET, { text: "a\0b" })).toContain("NUL");
  expect(await service.refused(422, SET, { png: "!!!!" })).toContain("not valid Base64");
  expect(await service.refused(422, SET, { png: btoa("GIF89a") })).toContain("not a PNG");
  await service.refused(404, SET, { files: ["/nonexistent/file"] });
  await service.refused(413, SET, { text: "漢".repeat(500) });
});

Deno.test("clipboard/set with files does not bypass --disable filesystem, whether they exist or not", async () => {
  const app = testApp({ config: { disabled: new Set(["filesystem"]) } });
  for (const file of ["/etc/hosts", "/nonexistent/file"]) {
    const refused = await app.post(SET, { text: "x", files: [file] });
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      'The group "filesystem" is disabled by --disable',
    ]);
  }
});
