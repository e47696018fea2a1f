/**
 * The test helpers of the TypeScript client: its package, packed and installed in an empty project,
 * whose tests of `node:test` and Vitest have desks of a real service with a real program.
 */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import {
  type DeskService,
  expectEvidence,
  namesIn,
  runTests,
  startDeskService,
} from "../support/desk_tests.ts";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";

const CLIENT = fileURLToPath(new URL("../../client/typescript/", import.meta.url));
const ignore = unless(Deno.build.os === "linux", "only Linux has desks");

const HEAD = `
import assert from "node:assert/strict";
import { expectDesk, withDesk } from "computer-control-client/testing";

/** For what comes: a busy machine is slow. */
const LONG = { timeout_ms: 60_000 };

async function openForm(desk) {
  await desk.open("zenity", "--entry", "--title=Greeting", "--text=Your name", "--entry-text=Ada");
}
`;

const NODE_PASSING = `${HEAD}
import { test } from "node:test";

test("passes", withDesk(async (desk) => {
  await openForm(desk);
  await expectDesk(desk).toHaveWindow("greeting", LONG);
  await expectDesk(desk).toShowText("your name", LONG);
  const field = desk.find({ role: "textbox" });
  await expectDesk(field).toHaveValue("Ada", LONG);
  await desk.keyboard.key({ key: "ctrl+a" });
  await desk.keyboard.type({ text: "Grüße 🙂" });
  await expectDesk(field).toHaveValue(/^Grü/g, LONG);
  await desk.find({ name: "OK", role: "button" }).click();
  await expectDesk(desk.find("OK")).notToBeVisible(LONG);
  await expectDesk(desk).notToHaveWindow("Greeting", LONG);
}));

test("reads files of its desk", withDesk(async (desk) => {
  await desk.bash.command({ command: "echo Grüße >note.txt" });
  assert.equal(new TextDecoder().decode(await desk.readFile("note.txt")), "Grüße\\n");
}));

test("chooses the size", withDesk(async (desk) => {
  assert.deepEqual(await desk.display.screenSize(), { width: 640, height: 480 });
}, { desk: { size: { width: 640, height: 480 } } }));

test("waits for pages", withDesk(async (desk) => {
  await desk.browser.open({ url: "data:text/html,<title>Shop</title>Thank you" });
  await expectDesk(desk.browser).toShowText("Thank you", LONG);
  await expectDesk(desk.browser).toHaveUrl("data:text", LONG);
  const wait = expectDesk(desk.browser).toShowText("Sorry", { timeout_ms: 1_000 });
  await assert.rejects(wait, /"Shop" at data:text.*\\nThank you/);
}));

test("says what was there instead", withDesk(async (desk) => {
  await openForm(desk);
  const options = { timeout_ms: 1_000 };
  const waits = [
    [() => expectDesk(desk.find("Save")).toBeVisible(options), 'button "OK"'],
    [() => expectDesk(desk.find("OK")).notToBeVisible(options), '"name":"OK"'],
    [() => expectDesk(desk.find({ role: "textbox" })).toHaveValue("Bob", options), '"value":"Ada"'],
    [() => expectDesk(desk).toShowText("Save", options), '"Your name"'],
    [() => expectDesk(desk).toHaveWindow("Editor", options), 'windows: "Greeting"'],
  ];
  for (const [wait, instead] of waits) {
    await assert.rejects(wait, (error) => error.message.includes(instead) || assert.fail(error));
  }
}));
`;

const NODE_FAILING = `${HEAD}
import { describe, test } from "node:test";

describe("a form", () => {
  test("fails", withDesk(async (desk) => {
    await openForm(desk);
    await desk.keyboard.type({ text: "x" });
    await expectDesk(desk.find("Save")).toBeVisible({ timeout_ms: 1_000 });
  }, { artifacts: "kept" }));

  test("hangs", { timeout: 3_000 }, withDesk(async (desk) => {
    await desk.bash.command({ command: "sleep 1000" });
  }, { artifacts: "kept" }));

  test("passes", withDesk(() => {}, { artifacts: "kept" }));
});
`;

const NODE_MEETING = `${HEAD}
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";

/** Resolves when both tests have come with something. */
const places = new Map();
async function meet(place, name) {
  const names = places.get(place) ?? [];
  places.set(place, [...names, name]);
  while (places.get(place).length < 2) await setTimeout(10);
  return places.get(place);
}

describe("at once", { concurrency: 2, timeout: 120_000 }, () => {
  for (const name of ["one", "other"]) {
    test(name, withDesk(async (desk) => {
      const names = await meet("desks", desk.name);
      const open = (await desk.desk.list()).map(({ name }) => name);
      assert.deepEqual(names.filter((each) => !open.includes(each)), []);
      assert.equal(new Set(names).size, 2);
      await desk.clipboard.set({ text: desk.name });
      await meet("clipboards", desk.name);
      assert.equal((await desk.clipboard.get()).text, desk.name);
      await meet("end", desk.name);
    }));
  }
});
`;

const VITEST = `
import { describe, expect, test as base } from "vitest";
import { type Desk, deskFixture, expectDesk, withDesk } from "computer-control-client/testing";

const test = base.extend<{ desk: Desk }>({ desk: deskFixture() });

describe("a form", () => {
  test("passes", async ({ desk }) => {
    await desk.open("zenity", "--info", "--title=Hello", "--text=Seen");
    await expectDesk(desk).toShowText("Seen", { timeout_ms: 60_000 });
    expect((await desk.screenshot()).bytes.length).toBeGreaterThan(0);
  });

  test("fails", async ({ desk }) => {
    await desk.keyboard.type({ text: "x" });
    await expectDesk(desk).toHaveWindow("Editor", { timeout_ms: 1_000 });
  });

  base("fails without a fixture", withDesk(async (desk) => {
    await desk.keyboard.type({ text: "x" });
    await expectDesk(desk).toHaveWindow("Editor", { timeout_ms: 1_000 });
  }));
});
`;

Deno.test({
  name:
    "node:test and Vitest give each test a desk of its own, and keep the evidence of a failing one",
  ignore,
  async fn(test) {
    await using folder = await testFolder();
    await using service = await startDeskService(folder);
    const project = await openProject(folder, service);
    const nodeTest = (name: string, options: readonly string[] = []) =>
      project.run(new Deno.Command("node", project.options(["--test", ...options, name])));

    await test.step("passing tests of node:test leave nothing", async () => {
      await project.write("passing.test.mjs", NODE_PASSING);
      const { code, said } = await nodeTest("passing.test.mjs");
      expect([code, said]).toEqual([0, expect.stringContaining("pass 5")]);
      expect(namesIn(project.path)).not.toContain("desk-artifacts");
      expect(await service.desks()).toEqual([]);
    });

    await test.step("a failing test of node:test leaves a picture, the trail and a video", async () => {
      await project.write("failing.test.mjs", NODE_FAILING);
      const { code, said: report } = await nodeTest("failing.test.mjs", ["--test-reporter=junit"]);
      expect([code, report]).toEqual([1, report]);
      const names = namesIn(`${project.path}/kept`);
      // Node 20 does not say to a test what its file is
      expect(names.map((name) => name.replace("failing.test.mjs-", "")))
        .toEqual(["a-form-fails", "a-form-hangs"]);
      await expectEvidence(`${project.path}/kept/${names[0]}`, "keyboard.type");
      await expectEvidence(`${project.path}/kept/${names[1]}`, "bash.command");
      for (const file of ["picture.png", "trail.html", "video.webm"]) {
        expect(report).toContain(`desk_${file.split(".")[0]}: kept/${names[0]}/${file}`);
      }
      expect(report).toContain('windows: "Greeting"; elements:');
      expect(await service.desks()).toEqual([]);
    });

    await test.step("two tests at once have different desks", async () => {
      await project.write("meeting.test.mjs", NODE_MEETING);
      const { code, said } = await nodeTest("meeting.test.mjs");
      expect([code, said]).toEqual([0, expect.stringContaining("pass 2")]);
      expect(await service.desks()).toEqual([]);
    });

    await test.step("Vitest has the desk as a fixture", async () => {
      await project.write("form.test.ts", VITEST);
      const vitest = ["vitest", "run", "--testTimeout=120000", "--reporter=junit"];
      const { code, said } = await project.run(
        new Deno.Command("npx", project.options(["--offline", ...vitest, "form.test.ts"])),
      );
      expect([code, said]).toEqual([1, expect.stringContaining('tests="3" failures="2"')]);
      const kept = "desk-artifacts";
      const names = namesIn(`${project.path}/${kept}`);
      expect(names).toEqual([
        "form.test.ts-a-form-fails",
        "form.test.ts-a-form-fails-without-a-fixture",
      ]);
      for (const name of names) {
        await expectEvidence(`${project.path}/${kept}/${name}`, "keyboard.type");
        expect(said).toContain(`${kept}/${name}/trail.html`);
      }
      expect(await service.desks()).toEqual([]);
    });

    await test.step("the tests have types", async () => {
      const flags = ["--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck"];
      const { code, said } = await project.run(
        new Deno.Command("npx", project.options(["--offline", "tsc", ...flags, "form.test.ts"])),
      );
      expect([code, said]).toEqual([0, ""]);
    });
  },
});

/** An empty folder with the package, as npm installs it, and Vitest. */
async function openProject(folder: TestFolder, service: DeskService) {
  const path = `${folder.path}/project`;
  await Deno.mkdir(path);
  await Deno.writeTextFile(`${path}/package.json`, '{"type":"module","private":true}');
  const options = (args: readonly string[], cwd = path): Deno.CommandOptions => ({
    args: [...args],
    cwd,
    env: { ...service.env, CI: "1", NO_COLOR: "1" },
    stdin: "null",
  });
  const npm = async (args: readonly string[], cwd: string) => {
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
    const { code, said } = await runTests(
      new Deno.Command("npm", options([...args, ...quiet], cwd)),
    );
    expect([code, said]).toEqual([0, said]);
  };
  const build = `${folder.path}/client`;
  const copying = new Deno.Command("cp", { args: ["-r", CLIENT, build] });
  expect((await runTests(copying)).code).toBe(0);
  await npm(["install"], build);
  await npm(["pack", "--pack-destination", folder.path], build);
  const packed = namesIn(folder.path).find((name) => name.endsWith(".tgz"));
  const tools = ["vitest@4.0.15", "typescript@5.9.3"];
  await npm(["install", `${folder.path}/${packed}`, ...tools], path);
  return {
    path,
    options,
    run: runTests,
    write: (name: string, text: string) => Deno.writeTextFile(`${path}/${name}`, text),
  };
}
