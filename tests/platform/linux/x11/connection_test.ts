/** A connection whose requests fail while they are written. */

import { expect } from "expect";
import { X11Connection } from "../../../../src/platform/linux/x11/connection.ts";
import { requireExtension, type Shm } from "../../../../src/platform/linux/x11/extensions.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const NO_NUMBER = 1e9;

Deno.test("call() leaves nothing pending after an exception while the request is written", async () => {
  await using server = await startXvfb();
  using connection = await X11Connection.open(server.display);
  const shm = (await requireExtension<Shm>(connection, "shm"))!;
  const countReplies = () => Object.keys(connection.client.replies).length;

  await expect(connection.call(() => {
    throw new TypeError("before anything is counted");
  })).rejects.toThrow("before anything is counted");
  // the package has counted this request when it notices that no field of it can hold the number
  await expect(
    connection.call((done) =>
      shm.GetImage(connection.root, NO_NUMBER, 0, 1, 1, 0xffffffff, 2, 1, 0, done)
    ),
  ).rejects.toThrow();

  expect(countReplies()).toBe(0);
  expect(await Promise.all([pointer(connection), screenSize(connection), pointer(connection)]))
    .toEqual([{ x: 640, y: 400 }, { width: 1280, height: 800 }, { x: 640, y: 400 }]);
  expect(connection.connected).toBe(true);
});

async function pointer(connection: X11Connection) {
  const { rootX, rootY } = await connection.call<{ rootX: number; rootY: number }>((done) =>
    connection.client.QueryPointer(connection.root, done)
  );
  return { x: rootX, y: rootY };
}

async function screenSize(connection: X11Connection) {
  await connection.confirm();
  return connection.size;
}
