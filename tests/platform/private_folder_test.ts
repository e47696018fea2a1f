/** A state folder that another user could change is refused, and nothing in it is believed: neither journal nor key. */

import { expect } from "expect";
import { recover } from "../../src/features/filesystem/safe_write/recovery.ts";
import { FileKeychain } from "../../src/platform/keychain/file_keychain.ts";
import { checkStateFolder, openStateFolder } from "../../src/platform/private_folder.ts";
import { MAY_SWITCH } from "../features/filesystem/as_user.ts";
import { namesIn } from "../features/filesystem/files_app.ts";
import { runCommand } from "../support/command.ts";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";

const OTHER = 12_345;
const ignore = unless(MAY_SWITCH, "only root can give files away");

/** Who could change the folder `a/b/state`, and what the message names. */
const TRAPS: Readonly<Record<string, readonly [(root: string) => Promise<unknown>, string]>> = {
  "a folder that others may write to": [
    (root) => Deno.chmod(`${root}/a/b/state`, 0o777),
    "other users can change it (mode 777): run chmod go-w",
  ],
  "a folder that a group may write to": [
    (root) => Deno.chown(`${root}/a/b/state`, null, OTHER).then(() => groupWritable(root)),
    "other users can change it (mode 770)",
  ],
  "a folder of another user": [
    (root) => Deno.chown(`${root}/a/b/state`, OTHER, null),
    `belongs to user ${OTHER}`,
  ],
  "a folder above it that others may write to": [
    (root) => Deno.chmod(`${root}/a`, 0o777),
    "other users can change",
  ],
  "a folder above it of another user": [
    (root) => Deno.chown(`${root}/a/b`, OTHER, null),
    `belongs to user ${OTHER}`,
  ],
  "a link of another user": [
    async (root) => {
      await Deno.rename(`${root}/a/b/state`, `${root}/real`);
      await Deno.symlink(`${root}/real`, `${root}/a/b/state`);
      await new Deno.Command("chown", { args: ["-h", `${OTHER}`, `${root}/a/b/state`] }).output();
    },
    `belongs to user ${OTHER}`,
  ],
  "a link into a folder of another user": [
    async (root) => {
      await Deno.mkdir(`${root}/theirs`);
      await Deno.rename(`${root}/a/b/state`, `${root}/theirs/state`);
      await Deno.chown(`${root}/theirs`, OTHER, null);
      await Deno.symlink("../../theirs/state", `${root}/a/b/state`);
    },
    `belongs to user ${OTHER}`,
  ],
};

async function groupWritable(root: string): Promise<void> {
  await Deno.chmod(`${root}/a/b/state`, 0o770);
}

async function stateIn({ path }: TestFolder): Promise<string> {
  await Deno.mkdir(`${path}/a/b/state`, { recursive: true, mode: 0o700 });
  return `${path}/a/b/state`;
}

for (const [what, [setTrap, message]] of Object.entries(TRAPS)) {
  Deno.test({
    name: `openStateFolder() refuses ${what}`,
    ignore,
    async fn() {
      await using folder = await testFolder();
      const state = await stateIn(folder);
      expect(await openStateFolder(state)).toBe(state);
      await setTrap(folder.path);
      for (const use of [openStateFolder, checkStateFolder]) {
        const error = await use(state).catch((error) => error);
        expect(error).toMatchObject({ code: "unavailable" });
        expect(error.message).toContain(message);
        expect(error.message).toContain("--state-dir");
      }
    },
  });
}

Deno.test("openStateFolder() makes a folder for this user alone, below a sticky one too", async () => {
  await using folder = await testFolder();
  await Deno.chmod(folder.path, 0o1777);
  const state = `${folder.path}/new/state`;
  await checkStateFolder(state);
  expect(namesIn(folder.path)).toEqual([]);
  await openStateFolder(state);
  expect((await Deno.stat(state)).mode! & 0o777).toBe(0o700);
  await Deno.symlink(state, `${folder.path}/link`);
  await openStateFolder(`${folder.path}/link`);
});

Deno.test({
  name: "a service whose state folder another user can change does not start, and touches nothing",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const state = await stateIn(folder);
    const victim = await plantJournal(folder.path, state);
    await Deno.chown(state, OTHER, null);
    const { code, stdout, stderr } = await runCommand(["--state-dir", state]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`computer-control: Cannot use the state folder "${state}"`);
    expect(stderr).toContain("--state-dir");
    expect((await Deno.stat(victim)).isFile).toBe(true);
  },
});

/** Another program's journal, which asks for the removal of a folder. Gives a file in that folder. */
async function plantJournal(root: string, state: string, record?: object): Promise<string> {
  await Deno.mkdir(`${root}/victim`);
  await Deno.writeTextFile(`${root}/victim/precious`, "");
  await Deno.mkdir(`${state}/journal`, { recursive: true });
  const planted = record ?? { kind: "temporary", path: `${root}/victim`, target: `${root}/x` };
  const line = JSON.stringify(planted);
  await Deno.writeTextFile(`${state}/journal/planted.journal`, line + "\n");
  return `${root}/victim/precious`;
}

const HEX = "0123456789abcdef".repeat(2);

for (
  const [what, record] of [
    ["has no name of ours", { kind: "temporary", path: "R/victim", target: "R/x" }],
    ["lies beside nothing", { kind: "temporary", path: `R/victim/.x.${HEX}.tmp`, target: "R/x" }],
    ["is not said to lie beside anything", { kind: "temporary", path: "R/victim" }],
    ["is put back over another name", { kind: "aside", path: "R/x", aside: "R/victim" }],
  ] as const
) {
  Deno.test(`recover() touches nothing that ${what}`, async () => {
    await using folder = await testFolder();
    const root = folder.path;
    await Deno.mkdir(`${root}/state`);
    const own = JSON.parse(JSON.stringify(record).replaceAll("R/", `${root}/`));
    const victim = await plantJournal(root, `${root}/state`, own);
    const said: string[] = [];
    await recover(`${root}/state`, { info() {}, warn: (event) => said.push(event) });
    expect(said.join()).toContain("cannot be read");
    expect((await Deno.stat(victim)).isFile).toBe(true);
    expect(namesIn(root)).toEqual(["state", "victim"]);
  });
}

for (const [what, change] of [["of another user", "chown"], ["that is a link", "link"]] as const) {
  Deno.test({
    name: `recover() works off no journal ${what}`,
    ignore,
    async fn() {
      await using folder = await testFolder();
      const state = await stateIn(folder);
      const root = `${folder.path}/a/b`;
      const record = { kind: "temporary", path: `${root}/.x.${HEX}.tmp`, target: `${root}/x` };
      await plantJournal(root, state, record);
      await Deno.writeTextFile(record.path, "");
      const journal = `${state}/journal/planted.journal`;
      if (change === "chown") await Deno.chown(journal, OTHER, null);
      else {
        await Deno.rename(journal, `${root}/elsewhere`);
        await Deno.symlink(`${root}/elsewhere`, journal);
      }
      const said: string[] = [];
      await recover(state, { info() {}, warn: (event) => said.push(event) });
      expect(said).toEqual(["a journal cannot be recovered"]);
      expect((await Deno.stat(record.path)).isFile).toBe(true);
    },
  });
}

Deno.test({
  name: "a keychain whose key belongs to another user is refused",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const path = `${folder.path}/keychain/items`;
    await using keychain = new FileKeychain({ path });
    await keychain.write("github", "secret");
    await Deno.chown(`${path}.key`, OTHER, null);
    await using second = new FileKeychain({
      path: `${folder.path}/second/items`,
      keyFile: `${path}.key`,
    });
    const refused = `it belongs to user ${OTHER}: run chown`;
    await expect(second.write("github", "secret")).rejects.toThrow(refused);
  },
});
