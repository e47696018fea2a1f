/** The page's picture begins anew where what it was sent cannot be drawn: no person acts on an old one. */

import { expect } from "expect";
import { LivePicture } from "../../src/console/page/picture.ts";
import { composeMessage } from "../../src/features/live/message.ts";
import { settle } from "../simulation/virtual_time.ts";
import { waitFor } from "../support/wait.ts";

function openPicture() {
  const canvas = { width: 1, height: 1, getContext: () => ({}), style: {} };
  const happened: string[] = [];
  const picture = new LivePicture({
    canvas: canvas as never,
    cursor: { hidden: true, style: {} } as never,
    acknowledge: (id) => happened.push(`drawn ${id}`),
    changed: () => happened.push("changed"),
    failed: () => happened.push("failed"),
  });
  return { picture, happened };
}

const message = (id: number) => composeMessage({ id, copies: [], parts: [] }, { x: 0, y: 0 });

function damaged(id: number): ArrayBuffer {
  return message(id).slice(0, 5);
}

Deno.test("a message that cannot be drawn is reported once, and what follows it is not shown", async () => {
  const { picture, happened } = openPicture();
  picture.note({ kind: "size", x: 0, y: 0, width: 8, height: 6 });
  picture.receive(message(1));
  await waitFor(() => happened.length === 2);
  expect([happened, picture.isShown]).toEqual([["changed", "drawn 1"], true]);
  picture.receive(damaged(2));
  picture.receive(damaged(3));
  await waitFor(() => happened.length === 3);
  picture.receive(damaged(4));
  picture.receive(message(5));
  picture.note({ kind: "size", x: 0, y: 0, width: 8, height: 6 });
  await settle();
  expect([happened.slice(2), picture.isShown]).toEqual([["failed"], false]);
  picture.restart(); // it is asked for anew
  picture.note({ kind: "size", x: 0, y: 0, width: 8, height: 6 });
  picture.receive(message(1));
  await waitFor(() => happened.length === 5);
  expect(happened.slice(2)).toEqual(["failed", "changed", "drawn 1"]);
  expect(picture.isShown).toBe(true);
});

Deno.test("what belongs to the picture before is neither drawn nor reported", async () => {
  const { picture, happened } = openPicture();
  picture.receive(message(7));
  picture.receive(damaged(8));
  picture.restart();
  picture.note({ kind: "size", x: 0, y: 0, width: 8, height: 6 });
  await waitFor(() => happened.length > 0);
  expect(happened).toEqual(["changed"]);
});
