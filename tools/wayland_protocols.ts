/**
 * `deno run -A -c deno.dev.json tools/wayland_protocols.ts`: makes
 * src/platform/linux/wayland/protocols/tables.ts from the XML files that Debian packages install. The
 * tables in mod.ts are written by hand, because no package of Debian 12 has their files.
 */

import { fileURLToPath } from "node:url";

export const TABLES_FILE = new URL(
  "../src/platform/linux/wayland/protocols/tables.ts",
  import.meta.url,
);
const HEAD = "/** Protocols of Wayland as tables: made by tools/wayland_protocols.ts. */\n\n" +
  'import type { ProtocolTable } from "../wire/encoding.ts";\n';
/** `librust-wayland-protocols-dev` has the protocols of wlroots, whose versions are in the name. */
const WLR = "/usr/share/cargo/registry/wayland-protocols-0.29.4/wlr-protocols/unstable";
const WAYLAND_PROTOCOLS = "/usr/share/wayland-protocols";
const PLASMA = "/usr/share/plasma-wayland-protocols";

export interface TableSource {
  /** The Debian package that installs the file. */
  readonly package: string;
  readonly path: string;
  /** Those in use; all of the file's when absent. */
  readonly interfaces?: readonly string[];
}

/** The name of each table, and what it is made from. */
export const TABLES: Readonly<Record<string, TableSource>> = {
  wayland: {
    package: "libwayland-dev",
    path: "/usr/share/wayland/wayland.xml",
    interfaces: [
      "wl_display",
      "wl_registry",
      "wl_callback",
      "wl_shm",
      "wl_shm_pool",
      "wl_buffer",
      "wl_output",
      "wl_seat",
      "wl_pointer",
      "wl_keyboard",
      "wl_touch",
    ],
  },
  xdg_output: {
    package: "wayland-protocols",
    path: `${WAYLAND_PROTOCOLS}/unstable/xdg-output/xdg-output-unstable-v1.xml`,
  },
  wlr_virtual_pointer: {
    package: "librust-wayland-protocols-dev",
    path: `${WLR}/wlr-virtual-pointer-unstable-v1.xml`,
  },
  wlr_screencopy: {
    package: "librust-wayland-protocols-dev",
    path: `${WLR}/wlr-screencopy-unstable-v1.xml`,
  },
  wlr_data_control: {
    package: "librust-wayland-protocols-dev",
    path: `${WLR}/wlr-data-control-unstable-v1.xml`,
  },
  wlr_foreign_toplevel: {
    package: "librust-wayland-protocols-dev",
    path: `${WLR}/wlr-foreign-toplevel-management-unstable-v1.xml`,
  },
  kde_fake_input: { package: "plasma-wayland-protocols", path: `${PLASMA}/fake-input.xml` },
  kde_keystate: { package: "plasma-wayland-protocols", path: `${PLASMA}/keystate.xml` },
};

interface Message {
  readonly name: string;
  readonly since?: number;
  readonly destructor?: true;
  readonly args: string[];
}

interface Interface {
  readonly version: number;
  readonly requests: Message[];
  readonly events: Message[];
  readonly enums: Record<string, Record<string, number>>;
}

type Attributes = Readonly<Record<string, string>>;

/** Reads the interfaces of a protocol file. */
export function parseProtocol(xml: string): Map<string, Interface> {
  const interfaces = new Map<string, Interface>();
  let current: Interface | undefined;
  let message: Message | undefined;
  let values: Record<string, number> = {};
  for (const { tag, attributes } of readTags(xml)) {
    const name = attributes["name"] ?? "";
    if (tag === "interface") {
      current = { version: Number(attributes["version"]), requests: [], events: [], enums: {} };
      interfaces.set(name, current);
    } else if (tag === "request" || tag === "event") {
      message = newMessage(attributes);
      current![tag === "request" ? "requests" : "events"].push(message);
    } else if (tag === "arg") message!.args.push(describeArgument(attributes));
    else if (tag === "enum") current!.enums[name] = values = {};
    else if (tag === "entry") values[name] = Number(attributes["value"]);
  }
  return interfaces;
}

function* readTags(xml: string): Generator<{ tag: string; attributes: Attributes }> {
  const text = xml.replace(/<!--[^]*?-->/g, "");
  for (const [, tag, rest] of text.matchAll(/<([a-z]+)((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*\/?>/g)) {
    const pairs = [...rest!.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)];
    yield {
      tag: tag!,
      attributes: Object.fromEntries(pairs.map(([, key, value]) => [key, value])),
    };
  }
}

function newMessage({ name, since, type }: Attributes): Message {
  return {
    name: name!,
    ...(since !== undefined && since !== "1" ? { since: Number(since) } : {}),
    ...(type === "destructor" ? { destructor: true as const } : {}),
    args: [],
  };
}

function describeArgument(attributes: Attributes): string {
  const { name, type, interface: of } = attributes;
  const nullable = attributes["allow-null"] === "true" ? "?" : "";
  return `${name}:${nullable}${type}${of === undefined ? "" : `:${of}`}`;
}

/** The text of a table, formatted. */
export async function makeTable(name: string, source: TableSource): Promise<string> {
  const all = parseProtocol(await Deno.readTextFile(source.path));
  const wanted = source.interfaces ?? [...all.keys()];
  const table = Object.fromEntries(wanted.map((each) => {
    const { enums, ...rest } = all.get(each)!;
    return [each, { ...rest, errors: enums["error"] }];
  }));
  const file = source.path.split("/").at(-1);
  const text = JSON.stringify(table)
    .replace(/"([a-z]\w*)":/g, "$1:")
    .replace(/\[\{/g, "[\n{"); // one message per line
  return await format(
    `// ${file} of Debian's ${source.package}\n\n` +
      `export const ${name} = ${text} as const satisfies ProtocolTable;\n`,
  );
}

async function format(text: string): Promise<string> {
  const config = fileURLToPath(new URL("../deno.dev.json", import.meta.url));
  const args = ["fmt", "--quiet", "--config", config, "--ext", "ts", "-"];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error("The table cannot be formatted");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  let text = HEAD;
  for (const [name, source] of Object.entries(TABLES)) {
    text += `\n${await makeTable(name, source)}`;
  }
  await Deno.writeTextFile(TABLES_FILE, text);
}
