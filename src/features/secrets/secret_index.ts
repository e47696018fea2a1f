/** The index of stored values to look for in command output, in all their forms. */

import { listForms } from "./forms.ts";
import type { Item } from "./item.ts";
import { type Find, type Pattern, PatternTable, type Searched } from "./pattern_table.ts";

/** The value of one field, with its forms and the number of its users. */
interface Value {
  readonly patterns: readonly Pattern[];
  /** Number of users: its service, and each running command that received it. */
  uses: number;
}

export class SecretIndex {
  readonly #table = new PatternTable();
  /** By service, field and value. */
  readonly #values = new Map<string, Value>();
  /** Keys of the current values of each service. */
  readonly #services = new Map<string, Set<string>>();

  /** Sets the values of a service, replacing earlier ones. */
  set(service: string, item: Item): void {
    const earlier = this.#services.get(service);
    this.#services.delete(service);
    this.add(service, item);
    for (const key of earlier ?? []) this.#release(key);
  }

  /** Adds values of a service to earlier ones. */
  add(service: string, item: Item): void {
    const keys = this.#services.get(service) ?? new Set();
    for (const [field, text] of item) {
      const key = indexKey(service, field, text);
      if (keys.has(key)) continue;
      this.#use(key, service, { field, text });
      keys.add(key);
    }
    if (keys.size > 0) this.#services.set(service, keys);
  }

  delete(service: string): void {
    this.set(service, new Map());
  }

  /** Keeps values known until the result is disposed of, even if their service changes. */
  hold(service: string, item: Item): Disposable {
    const keys = [...item].map(([field, text]) => {
      const key = indexKey(service, field, text);
      this.#use(key, service, { field, text });
      return key;
    });
    return {
      [Symbol.dispose]: () => {
        for (const key of keys.splice(0)) this.#release(key);
      },
    };
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** Length of the longest form of any value. */
  get longestBytes(): number {
    let longest = 0;
    for (const { patterns } of this.#values.values()) {
      for (const { bytes } of patterns) longest = Math.max(longest, bytes.byteLength);
    }
    return longest;
  }

  /** Like {@link PatternTable.next}. */
  next(text: Searched, from: number, until: number): Find {
    return this.#table.next(text, from, until);
  }

  #use(key: string, service: string, { field, text }: { field: string; text: string }): void {
    const known = this.#values.get(key);
    if (known !== undefined) {
      known.uses++;
      return;
    }
    const utf8 = new TextEncoder();
    const label = utf8.encode(`[redacted:${service}/${field}]`);
    const patterns = listForms(text).map((form): Pattern => ({ bytes: utf8.encode(form), label }));
    if (patterns.length === 0) return;
    for (const pattern of patterns) this.#table.add(pattern);
    this.#values.set(key, { patterns, uses: 1 });
  }

  #release(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined || --value.uses > 0) return;
    for (const pattern of value.patterns) this.#table.remove(pattern);
    this.#values.delete(key);
  }
}

/** Names contain no control characters, so one can separate them. */
function indexKey(service: string, field: string, text: string): string {
  return `${service}\0${field}\0${text}`;
}
