/** What every keychain must do, tested on each of them. */

import { expect } from "expect";
import type { Keychain } from "../../src/platform/types/mod.ts";

export interface KeychainContract {
  /** How the tests call it: `FileKeychain`. */
  readonly name: string;
  readonly ignore?: boolean;
  /** Opens one that holds nothing. */
  open(): Promise<Tried>;
}

/** Two that are open at once on the same items, as two services have them, where there may be two. */
export interface Tried extends AsyncDisposable {
  readonly keychain: Keychain;
  readonly other: Keychain;
}

/** Among them names that a system could take for one another, for a pattern, or for an option. */
const NAMES = [
  ...["github", "GitHub", "GITHUB", "git*", "*", "?", "%47it%48ub", "-x", "a/b c", "a\\\"'`$ = b"],
  ...["é", "É", "Büro 日本 🙂", "computer-control:x", " ", "__proto__", "x".repeat(70)],
];

export function testKeychain({ name, ignore = false, open }: KeychainContract): void {
  Deno.test({ name: `${name} tells all names apart, and lists them`, ignore }, async () => {
    await using tried = await open();
    const { keychain } = tried;
    expect(await keychain.names()).toEqual([]);
    for (const each of NAMES) await keychain.write(each, `secret of ${each} 🔑`);
    expect((await keychain.names()).toSorted()).toEqual(NAMES.toSorted());
    for (const each of NAMES) expect(await keychain.read(each)).toBe(`secret of ${each} 🔑`);
    expect(await keychain.read("gitHub")).toBeUndefined();
    expect(await keychain.read("toString")).toBeUndefined();
  });

  Deno.test({ name: `${name} replaces and forgets one item and no other`, ignore }, async () => {
    await using tried = await open();
    const { keychain } = tried;
    for (const each of NAMES) await keychain.write(each, "first");
    await keychain.write("github", "second");
    await keychain.write("a/b c", "");
    await keychain.remove("GitHub");
    await keychain.remove("*");
    await keychain.remove("never stored");
    const left = NAMES.filter((each) => each !== "GitHub" && each !== "*");
    expect((await keychain.names()).toSorted()).toEqual(left.toSorted());
    expect(await keychain.read("github")).toBe("second");
    expect(await keychain.read("GITHUB")).toBe("first");
    expect(await keychain.read("GitHub")).toBeUndefined();
    expect(await keychain.read("a/b c")).toBe("");
  });

  Deno.test(
    { name: `${name} is seen by another service, and by the next one`, ignore },
    async () => {
      await using tried = await open();
      const { keychain, other } = tried;
      await keychain.write("github", "one");
      expect(await other.read("github")).toBe("one");
      await other.write("github", "two");
      await other.write("other", "three");
      expect(await keychain.read("github")).toBe("two");
      await keychain.remove("other");
      expect(await other.names()).toEqual(["github"]);
      const writes = Array.from({ length: 20 }, (_, index) => `n${index}`);
      await Promise.all(
        writes.map((each, index) => (index % 2 ? keychain : other).write(each, each)),
      );
      expect((await keychain.names()).toSorted()).toEqual(["github", ...writes].toSorted());
    },
  );

  Deno.test({ name: `${name} says that it can be used`, ignore }, async () => {
    await using tried = await open();
    expect(await tried.keychain.readiness()).toMatchObject({ ready: true });
  });
}
