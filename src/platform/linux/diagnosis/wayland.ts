/** Checks a Wayland session: which compositor it is, what that offers, and who may use it. */

import { note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../wayland/client.ts";
import { KDE_WAYLAND_INTERFACES } from "../wayland/kde/interfaces.ts";
import type { CompositorSocket } from "../wayland/session.ts";
import { findListener } from "./socket_owner.ts";

/** Compositors that print their version when they are asked to, by the names of their processes. */
const COMPOSITORS = [
  ...["sway", "gnome-shell", "mutter", "kwin_wayland", "labwc", "river", "wayfire", "Hyprland"],
  ...["niri", "cosmic-comp", "weston", "cage", "phoc"],
];

/** Interface -> what it is for, in the order in which it is shown. */
const PURPOSES: Readonly<Record<string, string>> = {
  zwlr_screencopy_manager_v1: "pictures",
  ext_image_copy_capture_manager_v1: "pictures",
  zwlr_virtual_pointer_manager_v1: "mouse",
  zwp_virtual_keyboard_manager_v1: "keyboard",
  org_kde_kwin_fake_input: "mouse and keyboard",
  org_kde_kwin_keystate: "lock keys",
  zwlr_data_control_manager_v1: "clipboard",
  ext_data_control_manager_v1: "clipboard",
  zwlr_foreign_toplevel_manager_v1: "windows",
  zxdg_output_manager_v1: "outputs",
};

/** What suffices, without anybody's permission. */
const OPEN = [
  "zwlr_screencopy_manager_v1",
  "zwlr_virtual_pointer_manager_v1",
  "zwp_virtual_keyboard_manager_v1",
];

/** The program behind the socket, with its version. */
export async function checkCompositor(
  host: Host,
  { name, path }: CompositorSocket,
): Promise<Verdict> {
  const program = (await findListener(path))?.program ?? await onlyCompositor(path);
  if (program === undefined) return note(`"${name}": its program cannot be seen`);
  const version = COMPOSITORS.includes(program) ? await versionOf(host, program) : undefined;
  return ok(`"${name}": ${version ?? `${program}, which does not say its version`}`);
}

/** What the compositor offers to this program, by its own list. */
export async function checkProtocols(host: Host, socket: CompositorSocket): Promise<Verdict> {
  const options = { name: socket.name, openTimeoutMs: KWIN_OPEN_TIMEOUT_MS };
  using client = await WaylandClient.open(socket.path, options);
  const offered = new Map(client.globals.list().map((each) => [each.interface, each.version]));
  const found = Object.entries(PURPOSES).flatMap(([name, purpose]) => {
    const version = offered.get(name);
    return version === undefined ? [] : [`${purpose} (${name} ${version})`];
  });
  const list = found.length === 0 ? "none that sees or controls" : found.join(", ");
  const lacking = OPEN.filter((name) => !offered.has(name));
  if (lacking.length === 0) return ok(list);
  if (KDE_WAYLAND_INTERFACES.every((name) => offered.has(name))) return ok(list);
  return note(`${list}; not ${lacking.map((name) => PURPOSES[name]).join(", ")}`, adviceFor(host));
}

/** What grants a session that offers too little by itself. */
export function adviceFor({ env }: Host): string {
  const desktop = env["XDG_CURRENT_DESKTOP"] ?? "";
  if (/kde/i.test(desktop)) return "computer-control grant kde";
  if (/gnome/i.test(desktop)) {
    return "computer-control grant portal, or --wayland-backend mutter for unattended machines";
  }
  return "computer-control grant portal, or --virtual-display";
}

/** KWin may raise its priority, and such processes show nobody what they hold. */
async function onlyCompositor(path: string): Promise<string | undefined> {
  const found: string[] = [];
  const uid = await Deno.stat(path).then((socket) => socket.uid, () => undefined);
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const program = (await Deno.readTextFile(`/proc/${name}/comm`).catch(() => "")).trim();
    if (!COMPOSITORS.includes(program)) continue;
    const status = await Deno.readTextFile(`/proc/${name}/status`).catch(() => "");
    if (Number(status.match(/^Uid:\s+(\d+)/m)?.[1]) === uid) found.push(program);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** One line, such as `sway version 1.7`. */
async function versionOf(host: Host, program: string): Promise<string | undefined> {
  if (host.which(program) === undefined) return undefined;
  const { code, output } = await host.run(program, ["--version"])
    .catch(() => ({ code: 1, output: "" }));
  const line = output.split("\n").find((each) => each.trim() !== "")?.trim();
  return code === 0 && line !== undefined ? line.slice(0, 100) : undefined;
}
