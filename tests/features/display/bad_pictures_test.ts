/** Faulty requests for pictures and faulty images: the documented error, and the service goes on. */

import { expect } from "expect";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { run, startDesktop } from "../../support/desktop.ts";

Deno.test("screenshot refuses faulty fields, naming each", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const table = [
    ["?x=320", "x", "value_error"],
    ["?y=240&height=1", "y", "value_error"],
    ["?x=300&width=21", "width", "value_error"],
    ["?y=1&height=240", "height", "value_error"],
    ["?width=0", "width", "greater_than_equal"],
    ["?height=0", "height", "greater_than_equal"],
    ["?width=-1", "width", "greater_than_equal"],
    ["?width=99999999", "width", "less_than_equal"],
    ["?width=1.5", "width", "int_parsing"],
    ["?max_width=0", "max_width", "greater_than_equal"],
    ["?max_height=-1", "max_height", "greater_than_equal"],
    ["?quality=0", "quality", "greater_than_equal"],
    ["?quality=101", "quality", "less_than_equal"],
    ["?format=gif", "format", "literal_error"],
    ["?format=PNG", "format", "literal_error"],
    ["?cursor=maybe", "cursor", "bool_parsing"],
    ["?max_edge=0", "max_edge", "greater_than_equal"],
    ["?fit=claude-3", "fit", "value_error"],
    ["?fit=max_bytes:1", "fit", "value_error"],
    ["?frame=none", "frame", "value_error"],
    ["?since=none", "since", "value_error"],
  ] as const;
  for (const [query, field, type] of table) {
    const detail = await desktop.service.refused(422, `/api/display/screenshot${query}`);
    expect(detail).toContain(`"loc":["query","${field}"]`);
    expect(detail).toContain(`"type":"${type}"`);
  }
});

/** A PNG file with any header and any stream of rows. */
function png(width: number, height: number, stream: Uint8Array): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    ...[chunk("IHDR", header), chunk("IDAT", stream), chunk("IEND", new Uint8Array())],
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([new TextEncoder().encode(type), data]);
  const ends = new DataView(new ArrayBuffer(8));
  ends.setUint32(0, data.length);
  ends.setUint32(4, crc32(body));
  return Buffer.concat([
    new Uint8Array(ends.buffer, 0, 4),
    body,
    new Uint8Array(ends.buffer, 4, 4),
  ]);
}

/** A file that can be opened, but reading from its start is an error of the system. */
const UNREADABLE: [string, number, string] = ["/proc/self/mem", 503, "the disk reported an error"];

Deno.test("locate refuses what is no image, is too large, or is a bomb", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { service } = desktop;
  const folder = await Deno.makeTempDir();
  try {
    const write = async (name: string, bytes: Uint8Array | string) => {
      const path = join(folder, name);
      if (typeof bytes === "string") await Deno.writeTextFile(path, bytes);
      else await Deno.writeFile(path, bytes);
      return path;
    };
    const zeros = deflateSync(new Uint8Array(80_000_000));
    const padding = new Uint8Array(60 * 2 ** 20).fill(0xff); // all before a segment that never comes
    padding[1] = 0xd8;
    const good = png(9, 5, deflateSync(new Uint8Array((9 * 3 + 1) * 5)));
    await run("mkfifo", [join(folder, "fifo")]);
    const table: [string, number, string][] = [
      [folder, 400, "folder"],
      [join(folder, "none.png"), 404, "no such file"],
      [join(folder, "fifo"), 422, "regular file"],
      [join(folder, "fifo"), 422, `"loc":["body","image_path"]`],
      ["/dev/null", 422, `"loc":["body","image_path"]`],
      [await write("padding.jpg", padding), 422, "not an image"],
      [await write("text.png", "this is no picture\n".repeat(9)), 422, "not an image"],
      [await write("empty.png", ""), 422, "not an image"],
      [await write("huge.png", png(20_000, 10_000, zeros)), 413, "20000x10000"],
      [await write("large.png", png(321, 5, deflateSync(new Uint8Array(964 * 5)))), 422, "321x5"],
      [await write("bomb.png", png(9, 5, zeros)), 422, "damaged"],
      [await write("cut.png", good.subarray(0, 50)), 422, "damaged"],
      [await write("short.png", png(9, 5, deflateSync(new Uint8Array(10)))), 422, "damaged"],
      [await write("noise.png", png(9, 5, new Uint8Array(99).fill(7))), 422, "damaged"],
      [
        await write(
          "bad.jpg",
          Uint8Array.from([
            0xff,
            0xd8,
            0xff,
            0xc0,
            0,
            17,
            8,
            0,
            5,
            0,
            9,
            3,
            ...new Array(40).fill(1),
          ]),
        ),
        422,
        "damaged",
      ],
      [await write("zero.png", png(0, 5, deflateSync(new Uint8Array(5)))), 422, "not an image"],
      ["a\0b", 422, "NUL"],
      ["a".repeat(300), 422, "longer than the system allows"],
      ...Deno.build.os === "linux" ? [UNREADABLE] : [],
      ["", 422, "string_too_short"],
    ];
    for (const [image_path, status, message] of table) {
      expect(await service.refused(status, "/api/display/locate", { image_path })).toContain(
        message,
      );
    }
    const found = await service.call("/api/display/locate", {
      image_path: await write("good.png", good),
    });
    expect(found).toMatchObject({ x: 0, y: 0, width: 9, height: 5, confidence: 1 });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("locate refuses faulty fields", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const table: [Record<string, unknown>, string][] = [
    [{}, `["body","image_path"]`],
    [{ image_path: "a.png", confidence: 1.1 }, `["body","confidence"]`],
    [{ image_path: "a.png", confidence: -0.1 }, `["body","confidence"]`],
    [{ image_path: "a.png", all: 1 }, `["body","all"]`],
    [
      { image_path: "a.png", region: { x: 0, y: 0, width: 321, height: 1 } },
      `["body","region","width"]`,
    ],
    [{ image_path: "a.png", frame: "none" }, `["body","frame"]`],
  ];
  for (const [body, error] of table) {
    expect(await desktop.service.refused(422, "/api/display/locate", body)).toContain(error);
  }
});
