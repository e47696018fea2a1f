/** A program in Qt on a desk: it tells its elements there, takes what is typed, and nobody else sees it. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";
import type { ElementNode } from "./support/element_desktop.ts";

Deno.test("FeatherPad on a desk types, is read by its elements, and saves there", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  for (const name of ["alice", "bob"]) await service.call("/api/desk/create", { name });
  const { folder } = (await service.call("/api/desk/list") as { name: string; folder: string }[])
    .find(({ name }) => name === "alice")!;
  await Deno.writeTextFile(`${folder}/note.txt`, "");
  await service.call("/api/window/open", {
    ...{ desk: "alice", program: "featherpad", args: [`${folder}/note.txt`] },
  });
  const texts = async (where: object) => {
    const { elements = [] } = await service.call("/api/accessibility/snapshot", {
      ...{ ...where, format: "json", boxes: true },
    }) as { elements?: readonly ElementNode[] };
    return all(elements).filter(({ role, bounds }) =>
      role === "textbox" && (bounds?.height ?? 0) > 100
    );
  };
  const { ref } = await waitFor(async () => (await texts({ desk: "alice" }))[0], {
    what: "the text of the editor",
    timeoutMs: 60_000,
  });
  await service.call("/api/mouse/left-click", { desk: "alice", ref });
  await service.call("/api/keyboard/type", { desk: "alice", text: "Grüße, 漢字 😀" });
  const read = await waitFor(async () => {
    const [field] = await texts({ desk: "alice" });
    return field?.value?.includes("😀") && field.value;
  }, { what: "what was typed, as an element", timeoutMs: 60_000 });
  expect(read).toBe("Grüße, 漢字 😀");
  expect(await texts({ desk: "bob" })).toEqual([]);
  await service.call("/api/keyboard/key", { desk: "alice", key: "ctrl+s" });
  await waitFor(
    async () => await Deno.readTextFile(`${folder}/note.txt`) === "Grüße, 漢字 😀\n",
    { what: "the file", timeoutMs: 60_000 },
  );
});

function all(elements: readonly ElementNode[]): readonly ElementNode[] {
  return elements.flatMap((element) => [element, ...all(element.children ?? [])]);
}
