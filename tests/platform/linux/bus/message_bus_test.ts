/** The client of D-Bus on a real bus, with a real service at its other end. */

import { expect } from "expect";
import {
  BusError,
  type BusSignal,
  parseBusAddress,
} from "../../../../src/platform/linux/bus/types.ts";
import { openBus } from "../../../../src/platform/linux/bus/message_bus.ts";
import { closeFile } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { startBus } from "../../../support/bus.ts";
import { countOpenFiles } from "../../../support/processes.ts";
import { waitFor } from "../../../support/wait.ts";

const ECHO = {
  destination: "org.example.Echo",
  path: "/org/example",
  interface: "org.example.Echo",
};
const echo = (signature: string, value: unknown) => ({
  ...ECHO,
  member: "Echo",
  signature: "v",
  body: [[signature, value]],
});

Deno.test("values of every type come back as they were sent", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  expect(bus.name).toMatch(/^:\d/);
  const values: [string, unknown][] = [
    ["s", "é漢😀"],
    ["b", true],
    ["y", 255],
    ["i", -2],
    ["u", 0xffff_ffff],
    ["x", -(2 ** 40)],
    ["t", 2 ** 40],
    ["d", 0.5],
    ["as", ["a", "", "ü"]],
    ["(sib)", ["a", 1, false]],
    ["a(ii)", [[1, 2], [3, 4]]],
    ["ai", []],
  ];
  for (const [signature, value] of values) {
    const { body } = await bus.call(echo(signature, value));
    expect([signature, body]).toEqual([signature, [value]]);
  }
});

Deno.test("dictionaries arrive as objects, variants as plain values", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  const { body } = await bus.call(echo("a{sv}", [["one", ["u", 1]], ["list", ["as", ["x"]]]]));
  expect(body).toEqual([{ one: 1, list: ["x"] }]);
});

Deno.test("descriptors pass in both directions, also inside of variants", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  const { body, files } = await bus.call({
    ...ECHO,
    member: "MakePipe",
    signature: "s",
    body: ["through a pipe"],
  });
  expect(body).toEqual([0, { same: 0 }]);
  expect(files.length).toBe(1);
  const read = await bus.call({ ...ECHO, member: "ReadFile", signature: "h", body: [0], files });
  files.forEach(closeFile);
  expect(read.body).toEqual(["through a pipe"]);
});

Deno.test("no descriptor stays open, whoever does not take it", async () => {
  await using server = await startBus();
  await server.startService();
  const bus = await openBus(server.address);
  const call = { ...ECHO, member: "MakePipe", signature: "s", body: ["x"] };
  const before = countOpenFiles(Deno.pid);
  for (let i = 0; i < 50; i++) {
    bus.send(call); // its answer, if any, is for nobody
    const { files } = await bus.call(call);
    files.forEach(closeFile);
    await expect(bus.call(call, { signal: AbortSignal.abort() })).rejects.toThrow();
  }
  await bus.call({ ...ECHO, member: "Count" });
  expect(countOpenFiles(Deno.pid)).toBe(before);
  bus[Symbol.dispose]();
});

Deno.test("an error names the program and what it said", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  const refused = await bus.call({ ...ECHO, member: "Fail" }).catch((error) => error);
  expect(refused).toBeInstanceOf(BusError);
  expect(refused.errorName).toBe("org.example.Refused");
  expect(refused.message).toBe(
    '"org.example.Echo" replied on the bus: not today (org.example.Refused)',
  );
  const long = await bus.call({ ...ECHO, member: "FailAtLength" }).catch((error) => error);
  expect(long.text).toBe("…");
  const absent = await bus.call({ ...ECHO, destination: "org.example.None", member: "Fail" })
    .catch((error) => error);
  expect(absent.isServiceMissing).toBe(true);
});

Deno.test("a program that does not respond, or goes away, ends the call alone", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  await expect(bus.call({ ...ECHO, member: "Silent" }, { timeoutMs: 50 })).rejects
    .toThrow('"org.example.Echo" did not respond to Silent within 50 ms');
  await expect(bus.call({ ...ECHO, member: "Exit" })).rejects.toThrow("NoReply");
  expect(bus.connected).toBe(true);
});

Deno.test("signals reach those who listen, until they stop", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  const heard: BusSignal[] = [];
  const other: BusSignal[] = [];
  const match = { interface: "org.example.Echo", member: "Shouted" };
  const subscription = await bus.on(match, (signal) => heard.push(signal));
  using _ = await bus.on({ ...match, path: "/elsewhere" }, (signal) => other.push(signal));
  const shout = { ...ECHO, member: "Shout", signature: "u", body: [3] };
  await bus.call(shout);
  expect(heard.map(({ body }) => body)).toEqual(
    [0, 1, 2].map((number) => [number, { list: ["a", "é"] }]),
  );
  subscription[Symbol.dispose]();
  await bus.call(shout);
  expect(heard.length).toBe(3);
  expect(other).toEqual([]);
});

Deno.test("calls without an answer keep their place before those with one", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  for (let i = 0; i < 500; i++) bus.send({ ...ECHO, member: "Noise" });
  expect((await bus.call({ ...ECHO, member: "Count" })).body).toEqual([500]);
});

Deno.test("a caller of this side gets an error, not silence", async () => {
  await using server = await startBus();
  using bus = await openBus(server.address);
  using caller = await openBus(server.address);
  const call = { destination: bus.name, path: "/", interface: "org.example.Any", member: "Any" };
  await expect(caller.call(call)).rejects.toThrow("UnknownMethod");
});

Deno.test("calls that are received are answered, and reach nobody afterwards", async () => {
  await using server = await startBus();
  using bus = await openBus(server.address);
  using other = await openBus(server.address);
  const match = { path: "/here", interface: "org.example.Here", member: "Tell" };
  const received: unknown[] = [];
  const receiving = bus.receive(match, (body) => received.push(body));
  const call = { ...match, destination: bus.name, signature: "si", body: ["é", -1] };
  expect((await other.call(call)).body).toEqual([]);
  other.send(call);
  await expect(other.call({ ...call, member: "Other" })).rejects.toThrow("no such method");
  expect(received).toEqual([["é", -1], ["é", -1]]);
  receiving[Symbol.dispose]();
  await expect(other.call(call)).rejects.toThrow("no such method");
  expect(received.length).toBe(2);
});

Deno.test("a bus that dies fails what waits, and everything after it", async () => {
  await using server = await startBus();
  await server.startService();
  const bus = await openBus(server.address);
  const waiting = bus.call({ ...ECHO, member: "Silent" });
  const failed = expect(waiting).rejects.toMatchObject({ code: "unavailable" });
  await server.kill();
  await failed;
  expect((await bus.closed).message).toContain("Cannot use the session bus");
  expect(bus.connected).toBe(false);
  expect(() => bus.send({ ...ECHO, member: "Noise" })).toThrow("Cannot use the session bus");
});

Deno.test("a bus that does not respond, or is not there, is unavailable in time", async () => {
  await using server = await startBus();
  server.signal("SIGSTOP");
  await expect(openBus(server.address, { timeoutMs: 100 })).rejects
    .toThrow("Cannot use the session bus: it did not respond within 100 ms");
  server.signal("SIGCONT");
  await expect(openBus("unix:path=/tmp/no-such-bus")).rejects
    .toMatchObject({ code: "unavailable" });
  await expect(openBus("tcp:host=localhost,port=1")).rejects.toThrow(
    "does not name a local socket",
  );
  using bus = await openBus(`unix:path=/tmp/no-such-bus;${server.address}`);
  expect(bus.connected).toBe(true);
});

Deno.test("closing leaves nothing open", async () => {
  await using server = await startBus();
  (await openBus(server.address))[Symbol.dispose]();
  const before = countOpenFiles(Deno.pid);
  for (let i = 0; i < 10; i++) (await openBus(server.address))[Symbol.dispose]();
  await waitFor(() => countOpenFiles(Deno.pid) <= before, { what: "the sockets to close" });
});

Deno.test("parseBusAddress() reads paths, abstract names and escapes", () => {
  expect(
    parseBusAddress("unix:path=/run/user/1000/bus,guid=abc;unix:abstract=/tmp/x%2fy;tcp:port=1"),
  )
    .toEqual(["/run/user/1000/bus", "@/tmp/x/y"]);
});

Deno.test("a listener that fails ends neither the others nor the connection", async () => {
  await using server = await startBus();
  using bus = await openBus(server.address);
  const match = { member: "NameOwnerChanged", arg0: "org.example.Failing" };
  const heard: string[] = [];
  using _failing = await bus.on(match, () => {
    heard.push("failing");
    throw new Error("on purpose");
  });
  using _other = await bus.on(match, () => void heard.push("other"));
  const daemon = {
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
  };
  const name = { ...daemon, signature: "su", body: ["org.example.Failing", 0] };
  await bus.call({ ...name, member: "RequestName" });
  await waitFor(() => heard.length === 2, { what: "both listeners" });
  expect(heard).toEqual(["failing", "other"]);
  await bus.call({ ...daemon, member: "GetId" });
  expect(bus.connected).toBe(true);
});

Deno.test("a call to what is no name of a bus fails alone", async () => {
  await using server = await startBus();
  await server.startService();
  using bus = await openBus(server.address);
  for (
    const destination of [
      "not a name",
      "nodots",
      ":1",
      ":1.",
      ".a.b",
      "a..b",
      "a.1b",
      "é.b",
      `a.${"b".repeat(255)}`,
    ]
  ) {
    const error = await bus.call({ ...echo("i", 1), destination }).catch((error) => error);
    expect({ destination, error }).toEqual({ destination, error: expect.any(BusError) });
  }
  expect((await bus.call(echo("i", 1))).body).toEqual([1]);
  expect(await bus.call({ ...echo("i", 2), destination: bus.name }).catch((error) => error))
    .toBeInstanceOf(BusError); // it offers no such method
});
