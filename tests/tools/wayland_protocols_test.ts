/** The Wayland protocols as tables. */

import { expect } from "expect";
import { INTERFACES } from "../../src/platform/linux/wayland/protocols/mod.ts";
import type { ProtocolTable } from "../../src/platform/linux/wayland/wire/encoding.ts";
import { makeTable, parseProtocol, TABLES, TABLES_FILE } from "../../tools/wayland_protocols.ts";
import { testIf } from "../support/test_if.ts";

for (const [name, source] of Object.entries(TABLES)) {
  const test = testIf(isFile(source.path), `${source.package} is not installed`);
  test(`the table ${name} is the one that the tool makes`, async () => {
    const made = await makeTable(name, source);
    expect(await Deno.readTextFile(TABLES_FILE)).toContain(`\n\n${made}`);
  });
}

Deno.test("every interface that an argument names is in a table, or not in use", () => {
  const interfaces: ProtocolTable = INTERFACES;
  const made = Object.values(interfaces)
    .flatMap(({ requests, events }) => [...requests, ...events])
    .flatMap(({ args }) => args)
    .filter((arg) => /:\??new_id:/.test(arg))
    .map((arg) => arg.split(":")[2]!);
  expect(made.length).toBeGreaterThan(10);
  const unknown = new Set(made.filter((each) => !Object.hasOwn(interfaces, each)));
  expect([...unknown]).toEqual([]);
});

Deno.test("parseProtocol() reads versions, nullable arguments, destructors and enums", () => {
  const xml = `<?xml version="1.0"?><protocol name="p"><!-- <interface name="no"/> -->
    <interface name="a" version="3"><description summary="x > y">t</description>
      <request name="end" type="destructor" since="2"/>
      <request name="set"><arg name="to" type="object" interface="b" allow-null="true"/></request>
      <event name="done"><arg name="serial" type="uint" summary="1 &lt; 2"/></event>
      <enum name="e"><entry name="90" value="0x10"/></enum></interface></protocol>`;
  expect(Object.fromEntries(parseProtocol(xml))).toEqual({
    a: {
      version: 3,
      requests: [{ name: "end", since: 2, destructor: true, args: [] }, {
        name: "set",
        args: ["to:?object:b"],
      }],
      events: [{ name: "done", args: ["serial:uint"] }],
      enums: { e: { "90": 16 } },
    },
  });
});

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
