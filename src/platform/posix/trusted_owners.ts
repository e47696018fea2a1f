/** Whose files this user may trust: its own, those of the root, and groups that have no other member. */

/** Looked up once and at once: both files are made up by the kernel. The root, this user, and in a container of its own the user that stands for all who are not known there. */
export function trustedOwners(): ReadonlySet<number> {
  return trusted ??= new Set([0, Deno.uid() ?? 0, ...unknownOwner()]);
}

let trusted: ReadonlySet<number> | undefined;

/** The whole range of users: no user namespace. */
const ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;

/** In a user namespace the system's own folders belong to nobody that is known there. */
function unknownOwner(): number[] {
  try {
    if (ALL_USERS.test(Deno.readTextFileSync("/proc/self/uid_map"))) return [];
    return [Number(Deno.readTextFileSync("/proc/sys/fs/overflowuid"))];
  } catch {
    return []; // no Linux
  }
}

/** Whether a group has no member but this user: many systems give each user such a group, which may write. */
export async function isPrivateGroup(gid: number): Promise<boolean> {
  try {
    const users = (await readFields("/etc/passwd")).filter((fields) => fields.length > 3);
    const own = users.find((fields) => Number(fields[2]) === Deno.uid())?.[0];
    const group = (await readFields("/etc/group")).find((fields) => Number(fields[2]) === gid);
    if (own === undefined || group === undefined) return false;
    const members = (group[3] ?? "").split(",").filter((name) => name !== "");
    const byLogin = users.filter((fields) => Number(fields[3]) === gid).map(([name]) => name!);
    return byLogin.length > 0 && [...members, ...byLogin].every((name) => name === own);
  } catch {
    return false;
  }
}

async function readFields(path: string): Promise<string[][]> {
  const text = await Deno.readTextFile(path);
  return text.split("\n").map((line) => line.split(":"));
}
