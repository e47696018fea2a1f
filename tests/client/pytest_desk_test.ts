/**
 * The plugin of pytest: a wheel of the Python client in an empty project, whose tests have desks of a
 * real service with a real program.
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
import { pythonWith } from "../support/python_packages.ts";
import { unless } from "../support/test_if.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const python = await pythonWith(["pytest==9.2.0", "httpx==0.28.1", "setuptools==84.2.1"]);
const ignore = unless(typeof python === "object", String(python));
const packages = typeof python === "object" ? python.path : "";

const HEAD = `
import os, pathlib, re, time
import pytest
from computer_control.testing import Desk, expect

def open_form(desk):
    desk.open("zenity", "--entry", "--title=Greeting", "--text=Your name", "--entry-text=Ada")
`;

const PASSING = `${HEAD}
def test_passes(desk: Desk):
    open_form(desk)
    expect(desk).to_have_window("greeting", timeout_ms=60_000)
    expect(desk).to_show_text("your name", timeout_ms=60_000)
    field = desk.find(role="textbox")
    expect(field).to_have_value("Ada", timeout_ms=60_000)
    desk.keyboard.key("ctrl+a")
    desk.keyboard.type("Grüße 🙂")
    expect(field).to_have_value(re.compile("^Grü"), timeout_ms=60_000)
    assert desk.screenshot().data.startswith(b"\\x89PNG")
    desk.find("OK", role="button").click()
    expect(desk.find("OK")).not_to_be_visible(timeout_ms=60_000)
    expect(desk).not_to_have_window("Greeting", timeout_ms=60_000)

def test_reads_files_of_its_desk(desk):
    desk.bash.command("echo Grüße >note.txt")
    assert desk.read_file("note.txt") == "Grüße\\n".encode()

@pytest.mark.desk(size={"width": 640, "height": 480})
def test_chooses_the_size(desk):
    assert desk.display.screen_size() == {"width": 640, "height": 480}

def test_waits_for_pages(desk):
    desk.browser.open(url="data:text/html,<title>Shop</title>Thank you")
    expect(desk.browser).to_show_text("Thank you", timeout_ms=60_000)
    expect(desk.browser).to_have_url("data:text", timeout_ms=60_000)
    expect(desk.browser).not_to_show_text("Sorry")
    with pytest.raises(AssertionError, match='"Shop" at data:text.*\\nThank you'):
        expect(desk.browser).to_show_text("Sorry", timeout_ms=1_000)

def test_says_what_was_there_instead(desk):
    open_form(desk)
    field = desk.find(role="textbox")
    for wait, instead in [
        (lambda: expect(desk.find("Save")).to_be_visible(timeout_ms=1_000), 'button "OK"'),
        (lambda: expect(desk.find("OK")).not_to_be_visible(timeout_ms=1_000), 'button "OK"'),
        (lambda: expect(field).to_have_value("Bob", timeout_ms=1_000), 'value "Ada"'),
        (lambda: expect(desk).to_show_text("Save", timeout_ms=1_000), '"Your name"'),
        (lambda: expect(desk).to_have_window("Editor", timeout_ms=1_000), 'windows: "Greeting"'),
    ]:
        with pytest.raises(AssertionError) as raised:
            wait()
        assert instead in str(raised.value)
`;

const FAILING = `${HEAD}
@pytest.fixture
def form(desk):
    open_form(desk)
    yield
    desk.find("Cancel").click()

def test_fails(desk, form, monkeypatch):
    monkeypatch.chdir("/")
    desk.keyboard.type("x")
    expect(desk.find("Save")).to_be_visible(timeout_ms=1_000)

@pytest.fixture
def broken(desk):
    raise ValueError("a broken fixture")

def test_has_a_broken_fixture(broken):
    pass

@pytest.mark.xfail
def test_is_known_to_fail(desk):
    raise ValueError

def test_passes(desk):
    pass
`;

/** Both tests are at the same place at the same time. */
const MEETING = `${HEAD}
def meet(place, name):
    (pathlib.Path(os.environ["MEETING"]) / place).mkdir(exist_ok=True)
    (pathlib.Path(os.environ["MEETING"]) / place / name).touch()
    end = time.monotonic() + 120
    while len(names := os.listdir(pathlib.Path(os.environ["MEETING"]) / place)) < 2:
        assert time.monotonic() < end, "the other one has not come"
        time.sleep(0.05)
    return names

def test_meets(desk, computer):
    names = meet("desks", desk.name)
    assert {each["name"] for each in computer.desk.list()} >= set(names)
    desk.clipboard.set(text=desk.name)
    meet("clipboards", desk.name)
    assert desk.clipboard.get()["text"] == desk.name
    meet("end", desk.name)
`;

Deno.test({
  name: "pytest gives each test a desk of its own, and keeps the evidence of a failing one",
  ignore,
  async fn(test) {
    await using folder = await testFolder();
    await using service = await startDeskService(folder);
    const project = await openProject(folder, service);

    await test.step("passing tests leave nothing", async () => {
      const { code, said } = await project.test("test_passing.py", PASSING);
      expect([code, said]).toEqual([0, expect.stringContaining("5 passed")]);
      expect(namesIn(project.path)).toEqual(["test_passing.py"]);
      expect(await service.desks()).toEqual([]);
    });

    await test.step("a failing test leaves a picture, the trail and a video", async () => {
      const options = ["--junitxml=report.xml", "--desk-artifacts=kept/here"];
      const { code, said } = await project.test("test_failing.py", FAILING, options);
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/1 failed, 1 passed, 1 xfailed, 1 err/),
      ]);
      const kept = `${project.path}/kept/here`;
      expect(namesIn(kept)).toEqual([
        "test_failing.py-test_fails",
        "test_failing.py-test_has_a_broken_fixture",
      ]);
      await expectEvidence(`${kept}/test_failing.py-test_fails`, "keyboard.type");
      const report = await Deno.readTextFile(`${project.path}/report.xml`);
      for (const [kind, name] of [["picture", "png"], ["trail", "html"], ["video", "webm"]]) {
        const path = `kept/here/test_failing.py-test_fails/${kind}.${name}`;
        expect(report).toContain(`<property name="desk_${kind}" value="${path}" />`);
        expect(said).toContain(`desk_${kind}: ${path}`);
      }
      expect(said).toContain('Expected element name="Save" to be visible within 1000 ms.');
      expect(await service.desks()).toEqual([]);
    });

    await test.step("two tests at once have different desks", async () => {
      const meeting = `${folder.path}/meeting`;
      await Deno.mkdir(meeting);
      const runs = ["test_one.py", "test_other.py"].map((name) =>
        project.test(name, MEETING, [], { MEETING: meeting })
      );
      for (const { code, said } of await Promise.all(runs)) expect([code, said]).toEqual([0, said]);
      expect(namesIn(`${meeting}/end`).length).toBe(2);
      expect(await service.desks()).toEqual([]);
    });
  },
});

/** An empty folder with the wheel, as pip installs it. */
async function openProject(folder: TestFolder, service: DeskService) {
  const path = `${folder.path}/project`;
  const site = `${folder.path}/site`;
  await Deno.mkdir(path);
  const wheel = await buildWheel(folder);
  const env = {
    ...service.env,
    PATH: Deno.env.get("PATH")!,
    HOME: folder.path,
    PYTHONPATH: `${site}:${packages}`,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONIOENCODING: "utf-8",
  };
  const runPython = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runTests(
      new Deno.Command("/usr/bin/python3", {
        args: [...args],
        cwd: path,
        env: { ...env, ...more },
        clearEnv: true,
        stdin: "null",
      }),
    );
  const install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", site];
  const { code, said } = await runPython([...install, wheel]);
  expect([code, said]).toEqual([0, said]);
  return {
    path,
    /** Writes the file, and has pytest run it. */
    async test(name: string, text: string, options: readonly string[] = [], more = {}) {
      await Deno.writeTextFile(`${path}/${name}`, text);
      return await runPython(["-m", "pytest", "-p", "no:cacheprovider", ...options, name], more);
    },
  };
}

/** @returns its path */
async function buildWheel({ path }: TestFolder): Promise<string> {
  const clone = `${path}/clone`; // setuptools writes into what it builds
  await Deno.mkdir(`${clone}/client`, { recursive: true });
  await Deno.copyFile(`${ROOT}openapi.json`, `${clone}/openapi.json`);
  const copying = new Deno.Command("cp", {
    args: ["-r", `${ROOT}client/python`, `${clone}/client`],
  });
  expect((await runTests(copying)).code).toBe(0);
  const build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"];
  const { code, said } = await runTests(
    new Deno.Command("/usr/bin/python3", {
      args: [...build, "--wheel-dir", `${path}/wheels`, `${clone}/client/python`],
      env: { PYTHONPATH: packages },
      stdin: "null",
    }),
  );
  expect([code, said]).toEqual([0, said]);
  const [wheel] = namesIn(`${path}/wheels`);
  return `${path}/wheels/${wheel}`;
}
