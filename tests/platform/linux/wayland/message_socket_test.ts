/** The local socket that passes descriptors. */

import { expect } from "expect";
import { MemoryFile, readFirst } from "../../../../src/platform/linux/wayland/wire/memory_file.ts";
import { closeFile, MessageSocket } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { countDescriptors, socketPair } from "../../../support/wayland/socket_pair.ts";
import { testIf } from "../../../support/test_if.ts";

const onLinux = testIf(Deno.build.os === "linux", "only Linux has such sockets");
const encoder = new TextEncoder();

onLinux("send() passes descriptors, which stay the sender's", async () => {
  const before = countDescriptors();
  {
    const [left, right] = socketPair();
    using _left = left, _right = right;
    const memory = MemoryFile.from(encoder.encode("a keymap: é 日本 🙂"));
    left.send(encoder.encode("ab"), [memory.file, memory.file]);
    const size = memory.bytes.length;
    memory[Symbol.dispose]();
    const { bytes, files } = await right.receive();
    expect(new TextDecoder().decode(bytes)).toBe("ab");
    expect(files.length).toBe(2);
    expect(new TextDecoder().decode(readFirst(files[1]!, size))).toBe("a keymap: é 日本 🙂");
    expect(() => readFirst(files[0]!, size + 1)).toThrow("less than");
    files.forEach(closeFile);
  }
  expect(countDescriptors()).toBe(before);
});

onLinux("receive() ends when the socket is disposed, and leaves no descriptor open", async () => {
  const before = countDescriptors();
  const [left, right] = socketPair();
  const waiting = expect(right.receive()).rejects.toThrow("the connection is closed");
  right[Symbol.dispose]();
  await waiting;
  await expect(left.receive()).rejects.toThrow("has closed the connection");
  left[Symbol.dispose]();
  expect(countDescriptors()).toBe(before);
  expect(() => left.send(encoder.encode("x"))).toThrow("closed");
});

onLinux("send() queues what the peer does not take, in order, with its descriptors", async () => {
  const before = countDescriptors();
  const [left, right] = socketPair();
  const sent: number[] = [];
  let pending: void | Promise<void> = undefined;
  for (let i = 0; i < 64; i++) {
    sent.push(i);
    pending = left.send(new Uint8Array(50_000).fill(i));
  }
  expect(pending).toBeInstanceOf(Promise);
  const memory = MemoryFile.from(encoder.encode("last"));
  const last = left.send(encoder.encode("!"), [memory.file]);
  memory[Symbol.dispose]();
  let received = 0;
  for (const files: number[] = []; files.length === 0;) {
    const chunk = await right.receive();
    for (const byte of chunk.bytes) {
      if (byte !== (received === 3_200_000 ? 33 : Math.floor(received / 50_000))) {
        throw new Error(`byte ${received} is ${byte}`);
      }
      received++;
    }
    files.push(...chunk.files);
    if (files.length > 0) expect(new TextDecoder().decode(readFirst(files[0]!, 4))).toBe("last");
    files.forEach(closeFile);
  }
  await last;
  expect(received).toBe(3_200_001);
  left[Symbol.dispose]();
  right[Symbol.dispose]();
  expect(countDescriptors()).toBe(before);
});

onLinux("send() gives up on a peer that never reads", () => {
  const [left, right] = socketPair();
  using _left = left, _right = right;
  const flood = () => {
    for (let i = 0; i < 40; i++) left.send(new Uint8Array(1_000_000));
  };
  expect(flood).toThrow("has stopped reading");
});

onLinux("connect() tells apart an absent program, a refusal and no address", () => {
  const folder = Deno.makeTempDirSync();
  const path = `${folder}/socket`;
  expect(() => MessageSocket.connect(path)).toThrow(`no program listens at "${path}"`);
  Deno.writeTextFileSync(path, "");
  expect(() => MessageSocket.connect(path)).toThrow("no program listens");
  expect(() => MessageSocket.connect("/" + "x".repeat(108))).toThrow("is not the address");
  expect(() => MessageSocket.connect("@no such abstract socket")).toThrow("no program listens");
  Deno.removeSync(folder, { recursive: true });
});

onLinux("connect() reaches a server, which hears the end", async () => {
  const folder = await Deno.makeTempDir();
  const server = Deno.listen({ transport: "unix", path: `${folder}/socket` });
  const accepting = server.accept();
  const socket = MessageSocket.connect(`${folder}/socket`);
  const connection = await accepting;
  await connection.write(encoder.encode("hello"));
  expect(new TextDecoder().decode((await socket.receive()).bytes)).toBe("hello");
  socket[Symbol.dispose]();
  expect(await connection.read(new Uint8Array(8))).toBe(null);
  connection.close();
  server.close();
  await Deno.remove(folder, { recursive: true });
});
