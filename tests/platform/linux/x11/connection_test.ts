/** A connection whose requests fail while they are written, and those that have no answer. */

import { Buffer } from "node:buffer";
import { expect } from "expect";
import {
  requireExtension,
  type Shm,
  X11Connection,
} from "../../../../src/platform/linux/x11/connection.ts";
import { internAtom } from "../../../../src/platform/linux/x11/window_queries.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const NO_NUMBER = 1e9;
const NO_WINDOW = 1;
const BAD_WINDOW = 3;
const STRING = 31;

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

Deno.test("confirm() asks nothing more after a question that waits for company", async () => {
  await using server = await startXvfb();
  using connection = await X11Connection.open(server.display);
  const { client, root } = connection;
  const ask = () => connection.call((done) => client.QueryPointer(root, done), { isPatient: true });
  const countSent = async (send: () => void) => {
    const before = client.seq_num;
    send();
    await connection.confirm();
    return client.seq_num - before;
  };

  expect(await countSent(() => {})).toBe(1);
  expect(await countSent(ask)).toBe(1);
  expect(
    await countSent(() => {
      ask();
      client.ChangeWindowAttributes(root, { eventMask: 0 });
    }),
  ).toBe(3);
  const learned: number[] = [];
  connection.onConfirm({
    isWaiting: () => learned.length === 0,
    learn: (focus) => learned.push(focus),
  });
  expect(await countSent(ask)).toBe(2);
  expect(learned.length).toBe(1);
  expect(await countSent(ask)).toBe(1);
  const broken = () =>
    void connection.call(() => {
      throw new TypeError("nothing is sent");
    }, { isPatient: true }).catch(() => {});
  expect(await countSent(broken)).toBe(1);
});

Deno.test("requests without an answer call back among those that have one", async () => {
  await using server = await startXvfb();
  using connection = await X11Connection.open(server.display);
  const { client, root } = connection;
  const name = await internAtom(connection, "_A_PROPERTY");
  const setProperty = (window: number, value: string) => {
    const bytes = Buffer.from(value);
    return connection.call<void>((done) =>
      // the package takes a callback for every request
      Reflect.apply(client.ChangeProperty, client, [0, window, name, STRING, 8, bytes, done])
    );
  };

  for (const value of ["first", "second"]) {
    const [before, , refused, after] = await Promise.all([
      pointer(connection),
      setProperty(root, value),
      setProperty(NO_WINDOW, value).catch((error) => error),
      pointer(connection),
    ]);

    expect([before, after]).toEqual([{ x: 640, y: 400 }, { x: 640, y: 400 }]);
    expect(refused).toMatchObject({ error: BAD_WINDOW });
    const { data } = await connection.call<{ data: Uint8Array }>((done) =>
      client.GetProperty(0, root, name, STRING, 0, 10, done)
    );
    expect(new TextDecoder().decode(data)).toBe(value);
  }
  expect(Object.keys(client.replies)).toEqual([]);
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
