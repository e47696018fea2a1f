/** A disk that is full at any step of an edit: the old file or the new one, a clear refusal, and nothing left behind. */

import { expect } from "expect";
import { fillBut } from "../../support/full_disk.ts";
import { openFilesApp } from "../filesystem/files_app.ts";
import { cannotMount, mountSmall } from "../filesystem/mounts.ts";

/** More than any of the edits takes. */
const MAX_PAGES = 24;
const OLD = "old\n".padEnd(12_000, "x");
const NEW = "a longer text ".repeat(700) + OLD.slice(3);
const EDIT = { old_str: "old", new_str: NEW.slice(0, -OLD.length + 3) };

for (const links of [1, 2]) {
  Deno.test({
    name: `an edit of a file with ${links} name(s) on a disk with room for each number of pages`,
    ignore: await cannotMount(),
    async fn() {
      await using disk = await mountSmall("400k");
      await using app = await openFilesApp({ folder: disk.folder });
      const path = await app.put("x", OLD);
      if (links === 2) await Deno.link(path, app.at("y"));
      await app.call("editor/insert", { path, text: "the journal is there" });
      await app.call("editor/undo-edit", { path });
      const statuses = new Set<number>();
      for (let pages = 0; pages <= MAX_PAGES; pages++) {
        let status: number;
        let text: string;
        {
          await using _full = await fillBut(disk.folder, pages);
          ({ status, text } = await app.app.post("/api/editor/str-replace", { path, ...EDIT }));
        }
        statuses.add(status);
        expect([pages, (await Deno.readTextFile(path)) === (status === 204 ? NEW : OLD)])
          .toEqual([pages, true]);
        if (status !== 204) {
          expect([status, text]).toEqual([503, expect.stringMatching(/[Nn]o space/)]);
        }
        const names = [...Deno.readDirSync(app.home)].map(({ name }) => name).sort();
        expect(names).toEqual(["x", "y"].slice(0, links));
        expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
        if (status === 204) await app.call("editor/undo-edit", { path });
      }
      expect([...statuses].sort()).toEqual([204, 503]);
    },
  });
}
