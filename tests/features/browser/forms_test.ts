/** Forms, keys, dialogs, logs and pictures in a real Chromium, which is started once for all tests of this file. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { testFolder } from "../../support/folder.ts";
import { decodePng } from "../../support/png.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

// deno-lint-ignore no-explicit-any -- each test knows the shape it expects
type Json = any;

const FORM = `<title>Form</title><form oninput="report(event.target.id + ' input')">
<input id="text" aria-label="Text" value="old">
<textarea id="area" aria-label="Area"></textarea>
<div id="rich" contenteditable role="textbox" aria-label="Rich">old</div>
<input id="secret" type="password" aria-label="Secret">
<input id="number" type="number" aria-label="Number" max="10">
<input id="date" type="date" aria-label="Date">
<input id="color" type="color" aria-label="Color">
<input id="range" type="range" aria-label="Range">
<input id="box" type="checkbox" aria-label="Box">
<label><input id="hidden" type="checkbox" style="position:absolute;opacity:0;width:0;height:0"> Own box</label>
<input id="one" type="radio" name="r" aria-label="One"><input id="two" type="radio" name="r" aria-label="Two">
<select id="single" aria-label="Single"><option value="r">Red<option value="g">Green<option disabled>Grey</select>
<select id="many" aria-label="Many" multiple><option>A<option>B<option>C</select>
<input id="short" maxlength="3" aria-label="Short">
<input id="upper" aria-label="Upper" oninput="this.value = this.value.toUpperCase()">
<input id="off" disabled aria-label="Off">
<input id="file" type="file" multiple aria-label="Files">
<button type="button" onclick="report('button')">Button</button>
</form>`;

Deno.test({
  name: "the browser operations fill forms, press keys, and tell what happens in pages",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop({ evaluate: true });
    const { service, pages } = desktop;
    const evaluate = async (expression: string) => {
      const { text } = await service.call("/api/browser/evaluate", { expression }) as Json;
      return JSON.parse(text);
    };
    const fill = async (name: string, value: unknown) => {
      const ref = await desktop.refOf(`"${name}"`);
      return (await service.call("/api/browser/fill", { ref, value }) as Json).result;
    };

    await test.step("every kind of field is filled, and read again", async () => {
      await desktop.show("/form", FORM);
      const read = (id: string) => evaluate(`document.querySelector("#${id}").value`);
      for (
        const [name, value, id, held] of [
          ["Text", "Grüße 漢字 😀", "text", "Grüße 漢字 😀"],
          ["Text", "", "text", ""],
          ["Area", "one\ntwo", "area", "one\ntwo"],
          ["Secret", "hunter2", "secret", "hunter2"],
          ["Number", 7, "number", "7"],
          ["Date", "2026-11-22", "date", "2026-11-22"],
          ["Color", "#ff8000", "color", "#ff8000"],
          ["Range", 80, "range", "80"],
          ["Single", "Green", "single", "g"],
          ["Single", "r", "single", "r"],
        ] as const
      ) {
        expect([name, await fill(name, value), await read(id)]).toEqual([name, "confirmed", held]);
      }
      expect([await fill("Rich", "new"), await evaluate("rich.innerText")])
        .toEqual(["confirmed", "new"]);
      expect(await fill("Many", ["A", "C"])).toBe("confirmed");
      expect(await evaluate("[...many.selectedOptions].map((each) => each.value).join()"))
        .toBe("A,C");
      for (const wanted of [true, true, false]) {
        expect([await fill("Box", wanted), await evaluate("box.checked")])
          .toEqual(["confirmed", wanted]);
      }
      expect([await fill("Two", true), await evaluate("two.checked")]).toEqual(["confirmed", true]);
      expect([
        await fill("Own box", true),
        await evaluate("document.querySelector('#hidden').checked"),
      ])
        .toEqual(["confirmed", true]);
    });

    await test.step("a field of several lines says so, and others do not", async () => {
      const marked = (await desktop.snapshot()).split("\n").filter((line) =>
        line.includes("[multiline]")
      )
        .map((line) => /"(\w+)"/.exec(line)![1]);
      expect(marked).toEqual(["Area", "Rich"]);
      const find = async (query: string) => {
        const { matches } = await service.call("/api/browser/find", { query }) as Json;
        return matches[0];
      };
      expect(await find("Area")).toMatchObject({ role: "textbox", name: "Area", multiline: true });
      expect(await find("Text")).not.toHaveProperty("multiline");
    });

    await test.step("a long value is cut in a line, and full where its field alone is read", async () => {
      const long = "one line\n".repeat(30).trim();
      expect(await fill("Area", long)).toBe("confirmed");
      const line = (await desktop.snapshot()).split("\n").find((each) => each.includes('"Area"'))!;
      expect(line).toMatch(/: "(one line )+.*…"$/);
      const read = async (name: string) => {
        const ref = await desktop.refOf(`"${name}"`);
        return (await service.call("/api/browser/snapshot", { ref }) as Json).value;
      };
      expect(await read("Area")).toBe(long);
      expect(await read("Secret")).toBeUndefined();
      expect(await read("Button")).toBeUndefined();
    });

    await test.step("what a page changes is unverified, and what a field cannot take is refused", async () => {
      expect(await fill("Short", "abcdef")).toBe("unverified");
      expect(await fill("Upper", "abc")).toBe("unverified");
      const refuse = async (status: number, name: string, value: unknown) => {
        const ref = await desktop.refOf(`"${name}"`);
        return await service.refused(status, "/api/browser/fill", { ref, value });
      };
      expect(await refuse(422, "Single", "Blue")).toContain("Red");
      expect(await refuse(409, "Single", "Grey")).toContain("disabled");
      expect(await refuse(422, "Date", "22.11.2026")).toContain("YYYY-MM-DD");
      expect(await refuse(422, "Box", "yes")).toContain("true or false");
      expect(await refuse(409, "Off", "x")).toContain("disabled");
      expect(await refuse(422, "Button", "x")).toContain("not a form field");
      expect(await refuse(422, "Files", "x")).toContain("browser/upload");
    });

    await test.step("files are given to a field", async () => {
      await using folder = await testFolder();
      const path = `${folder.path}/hello.txt`;
      await Deno.writeTextFile(path, "hello");
      const ref = await desktop.refOf('"Files');
      const { result } = await service.call("/api/browser/upload", { ref, paths: [path] }) as Json;
      expect(result).toBe("confirmed");
      expect(await evaluate("document.querySelector('#file').files[0].text()")).toBe("hello");
      await service.refused(404, "/api/browser/upload", { ref, paths: [`${path}.none`] });
    });

    await test.step("keys and texts go to the element with the focus", async () => {
      const ref = await desktop.refOf('"Text"');
      await service.call("/api/browser/type", { ref, text: "Ab c! é漢" });
      await service.call("/api/browser/key", { key: "Left" });
      await service.call("/api/browser/key", { key: "shift+Home" });
      await service.call("/api/browser/key", { key: "BackSpace" });
      expect(await evaluate("text.value")).toBe("漢");
      await service.call("/api/browser/key", { key: "ctrl+a" });
      await service.call("/api/browser/key", { key: "x", repeat: 3 });
      expect(await evaluate("text.value")).toBe("xxx");
      await service.refused(422, "/api/browser/key", { key: "nokey" });
    });

    await test.step("a password is in no snapshot, whatever mask the page gives it", async () => {
      const field = (mask: string) =>
        `<input type="password" value="hunter2" aria-label="${mask}" style="-webkit-text-security: ${mask}">`;
      const masks = ["none", "circle", "square", "disc"];
      await desktop.show("/masks", `<title>Masks</title>${masks.map(field).join("")}`);
      for (const filter of ["all", "interactive"]) {
        const lines = (await desktop.snapshot({ filter })).split("\n")
          .map((line) => line.trim().replace(/ \[ref=e\d+\]/, ""))
          .filter((line) => !line.startsWith("- document"));
        expect(lines).toEqual(masks.map((mask) => `- textbox "${mask}"`));
      }
      for (const mask of masks) {
        const ref = await desktop.refOf(`"${mask}"`);
        const read = await service.call("/api/browser/snapshot", { ref }) as Json;
        expect([mask, read.value]).toEqual([mask, undefined]);
        expect(read.text).not.toMatch(/hunter2|[•◦■]/);
      }
      const { elements } = await service.call("/api/browser/find", { query: "hunter2" }) as Json;
      expect(elements).toBe(0);
    });

    await test.step("keys have the names that keyboard/key takes, and say where they are", async () => {
      await desktop.show(
        "/keys",
        `<title>Keys</title><body onkeydown="report([event.key, event.code, event.location].join())">`,
      );
      for (
        const key of ["ctrlright", "AltGraph", "Numpad7", "KP_Enter", "F13", "volumeup", "break"]
      ) {
        await service.call("/api/browser/key", { key });
      }
      await service.call("/api/browser/key", { key: "shift_r+plus" });
      const wanted = [
        ...["Control,ControlRight,2", "AltGraph,AltRight,2", "7,Numpad7,3"],
        ...["Enter,NumpadEnter,3", "F13,F13,0", "AudioVolumeUp,AudioVolumeUp,0"],
        ...["Cancel,Pause,0", "Shift,ShiftRight,2", "+,Equal,0"],
      ];
      await waitFor(() => pages.reports.length >= wanted.length, { what: "all keys" });
      expect(pages.reports).toEqual(wanted);
    });

    await test.step("a page sees a key with Shift as from a real keyboard", async () => {
      const script =
        "report([event.key, event.code, event.keyCode, event.shiftKey, event.ctrlKey].join(' '))";
      await desktop.show(
        "/shifted",
        `<title>Shifted</title><input id="text" aria-label="Text" autofocus onkeydown="${script}">`,
      );
      await service.call("/api/browser/type", { ref: await desktop.refOf('"Text"'), text: "-" });
      const plain = "`1234567890-=[]\\;',./a";
      for (const sign of plain) await service.call("/api/browser/key", { key: `shift+${sign}` });
      expect(await evaluate("text.value")).toBe('-~!@#$%^&*()_+{}|:"<>?A');
      for (const key of ["ctrl+shift+,", "ctrl+<", "ctrl+B"]) {
        await service.call("/api/browser/key", { key });
      }
      expect(await evaluate("text.value")).toBe('-~!@#$%^&*()_+{}|:"<>?A');
      const wanted = [
        ...["Shift ShiftLeft 16 true false", "< Comma 188 true false"],
        ...["Control ControlLeft 17 false true", "Shift ShiftLeft 16 true true"],
        ...["< Comma 188 true true", "Control ControlLeft 17 false true"],
        ...["< Comma 188 true true", "Control ControlLeft 17 false true"],
        "b KeyB 66 false true",
      ];
      const isDone = () => pages.reports.at(-1) === wanted.at(-1);
      await waitFor(isDone, { what: "the last key" });
      const comma = pages.reports.indexOf("< Comma 188 true false");
      expect(pages.reports.slice(comma - 1, comma + 1)).toEqual(wanted.slice(0, 2));
      expect(pages.reports.slice(2 - wanted.length)).toEqual(wanted.slice(2));
    });

    await test.step("a field that a page takes the focus from is not filled, nor is the other", async () => {
      await desktop.show(
        "/steal",
        `<title>Steal</title><input aria-label="Shy" onfocus="thief.focus()"><input id="thief" value="old">`,
      );
      const ref = await desktop.refOf('"Shy"');
      expect(await service.refused(409, "/api/browser/fill", { ref, value: "new" }))
        .toContain("does not take the keyboard focus");
      expect(await evaluate("thief.value")).toBe("old");
    });

    await test.step("texts for several fields at once do not mix", async () => {
      await desktop.show(
        "/two",
        `<input aria-label="One" id="one"><input aria-label="Two" id="two">`,
      );
      const refs = [await desktop.refOf('"One"'), await desktop.refOf('"Two"')];
      const texts = ["a".repeat(100), "b".repeat(100)];
      await Promise.all(
        refs.map((ref, index) => service.call("/api/browser/type", { ref, text: texts[index] })),
      );
      expect(await evaluate("[one.value, two.value]")).toEqual(texts);
    });

    await test.step("a dialog blocks its page and nothing else, until it is answered", async () => {
      await desktop.show(
        "/dialog",
        `<title>Dialog</title>
        <button onclick="report('answer ' + confirm('Really?'))">Ask</button>
        <button onclick="alert('x'); report('closed')">Warn</button>`,
      );
      const ref = await desktop.refOf('"Ask"');
      await service.call("/api/browser/click", { ref });
      const [dialog] = await service.call("/api/browser/dialogs") as Json;
      expect(dialog).toMatchObject({ kind: "confirm", message: "Really?" });
      expect(await service.refused(409, "/api/browser/snapshot", {})).toContain("dialog");
      const next = { url: "/next", loaded: true, text: "Next", timeout_ms: 200 };
      expect(await service.call("/api/browser/wait", next)).toMatchObject({ status: "timeout" });
      const [tab] = await service.call("/api/browser/tabs") as Json;
      expect(tab.id).toBe(dialog.tab);
      await service.call("/api/browser/dialog", { accept: true });
      await waitFor(() => pages.reports.includes("answer true"), { what: "the answer" });
      await service.call("/api/browser/click", { ref: await desktop.refOf('"Warn"') });
      await service.call("/api/browser/dialog", { accept: true });
      await waitFor(() => pages.reports.includes("closed"), { what: "the end of the alert" });
      await service.refused(404, "/api/browser/dialog", { accept: true });
    });

    await test.step("a dialog at the press of a button keeps no button down and no element away", async () => {
      await desktop.show(
        "/press",
        `<title>Press</title><button onmousedown="alert('x')" onmouseup="report('up')">Press</button>`,
      );
      const ref = await desktop.refOf('button "Press"');
      await service.call("/api/browser/click", { ref });
      expect(await service.refused(409, "/api/browser/wait", { ref_gone: ref })).toContain(
        "dialog",
      );
      await service.call("/api/browser/dialog", { accept: true });
      await waitFor(() => pages.reports.includes("up"), { what: "the release of the button" });
    });

    await test.step("console, network and downloads are told, and waiting sees changes", async () => {
      pages.serve("/file.bin", () =>
        new Response("x".repeat(1_000), {
          headers: { "content-disposition": "attachment; filename=file.bin" },
        }));
      await desktop.show(
        "/log",
        `<title>Log</title><a href="/file.bin">File</a><p id="p"></p>
        <script>console.warn("careful", 5); fetch("/none");
        setTimeout(() => { p.textContent = "Later"; throw new Error("broken"); }, 300)</script>`,
      );
      const { status } = await service.call("/api/browser/wait", { text: "Later" }) as Json;
      expect(status).toBe("met");
      const late = await service.call("/api/browser/wait", {
        text: "Never",
        timeout_ms: 200,
      }) as Json;
      expect(late.status).toBe("timeout");
      const { entries } = await service.call("/api/browser/console", {}) as Json;
      const texts = entries.map(({ level, text }: Json) => `${level} ${text.split("\n")[0]}`);
      expect(texts).toEqual(expect.arrayContaining(["warning careful 5", "error Error: broken"]));
      const request = await waitFor(async () => {
        const { entries: requests } = await service.call("/api/browser/network", {
          max: 500,
        }) as Json;
        return requests.find(({ url, status }: Json) => url === `${pages.origin}/none` && status);
      }, { what: "the answered request" });
      expect(request).toMatchObject({ status: 404, type: "Fetch" });
      await service.call("/api/browser/click", { ref: await desktop.refOf('"File"') });
      const [file] = await waitFor(async () => {
        const all = await service.call("/api/browser/downloads") as Json;
        return all[0]?.state === "completed" ? all : undefined;
      }, { what: "the download" }) as Json;
      expect(file).toMatchObject({ name: "file.bin", bytes: 1_000 });
      if (file.path !== null) await Deno.remove(file.path);
    });

    await test.step("a picture shows the page, or a part of it", async () => {
      await desktop.show(
        "/red",
        `<body style="margin:0;background:#f00">
        <div style="width:50px;height:50px;background:#00f"></div></body>`,
      );
      const take = async (input: object) => {
        const response = await service.send("/api/browser/screenshot", input);
        expect(response.status).toBe(200);
        return decodePng(new Uint8Array(await response.arrayBuffer()));
      };
      const all = await take({});
      expect([...all.rgb.subarray(0, 3)]).toEqual([0, 0, 255]);
      const part = await take({ x: 40, y: 40, width: 30, height: 20 });
      expect([part.width, part.height, ...part.rgb.subarray(-3)]).toEqual([30, 20, 255, 0, 0]);
    });

    await test.step("a script gives its value, throws, or is stopped", async () => {
      const answerTo = (expression: string, timeout_ms = 10_000) =>
        service.call("/api/browser/evaluate", { expression, timeout_ms });
      expect(await answerTo("Promise.resolve({ a: 1 })"))
        .toEqual({ text: '{"a":1}', threw: false, truncated: false });
      expect(await answerTo("nothing.there")).toMatchObject({ threw: true });
      expect(await answerTo("while (true);", 300)).toMatchObject({ threw: true });
      expect(await evaluate("1 + 1")).toBe(2);
    });
  },
});
