/** Stores and deletes items, and lists the names of stored ones. */

import type { Context } from "../context.ts";
import { itemToText } from "../secrets/item.ts";
import { requireKeychain } from "../secrets/stored.ts";

export interface SetInput {
  readonly service: string;
  /** Fields that are `null` are omitted. */
  readonly item: Readonly<Record<string, string | null | undefined>>;
}

/** Stores the item of a service, replacing an earlier one. */
export async function setItem({ platform, session }: Context, { service, item }: SetInput) {
  const values = Object.entries(item)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const stored = new Map(values);
  const keychain = requireKeychain(platform);
  session.knownSecrets.add(service, stored); // a failed write may have stored the item all the same
  await keychain.write(service, itemToText(stored));
  session.knownSecrets.set(service, stored);
}

/** Deletes the item of a service; succeeds even if there is none. */
export async function deleteItem(
  { platform, session }: Context,
  { service }: { readonly service: string },
) {
  await requireKeychain(platform).remove(service);
  session.knownSecrets.delete(service);
}

export async function listServices({ platform }: Context): Promise<string[]> {
  return (await requireKeychain(platform).names()).sort(byCodePoint);
}

/** Gives the same order in every locale. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
