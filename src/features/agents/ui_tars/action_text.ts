/**
 * Reads the answers of UI-TARS models: `Thought: ...`, then `Action:` and calls such as
 * `click(start_box='<|box_start|>(500,300)<|box_end|>')`.
 */

import { ValueFault } from "../../../core/errors.ts";

/** One call of the answer, with its arguments as they were written, without quotes and escapes. */
export interface ActionCall {
  readonly name: string;
  readonly args: ReadonlyMap<string, string>;
}

/** At the start of a line the first one counts: the word may stand in a text that is typed. */
const LINE_MARKER = /(?:^|\n)[ \t]*Action[:：](?=\s*\w+\s*\()/;
const MARKER = /Action[:：](?=\s*\w+\s*\()/g;
const NAME = /\s*(\w+)\s*\(\s*/y;
const ARGUMENT = /\s*(\w+)\s*=\s*/y;
const BARE_VALUE = /[^,()\n]*/y;
const SEPARATOR = /\s*,\s*/y;
const CLOSING = /\s*\)/y;
const GAP = /[\s;]*/y;
/** What follows the quote that ends a value; a quote before anything else belongs to the text. */
const AFTER_VALUE = /\s*(?:,\s*\w+\s*=|\)\s*(?:\w+\s*\(|;|$|\n))/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/**
 * The calls after the last `Action:`, or of the whole text where there is none.
 * @throws ValueFault on `text` where it is no list of calls
 */
export function parseActions(text: string): readonly ActionCall[] {
  const reader = new Reader(text, actionsStart(text));
  const calls: ActionCall[] = [];
  for (reader.take(GAP); !reader.atEnd; reader.take(GAP)) calls.push(reader.call());
  if (calls.length === 0) throw new ValueFault("text", 'There is no action after "Action:"');
  return calls;
}

function actionsStart(text: string): number {
  const found = LINE_MARKER.exec(text) ?? [...text.matchAll(MARKER)].at(-1);
  return found ? found.index + found[0].length : 0;
}

class Reader {
  constructor(private readonly text: string, private at: number) {}

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Takes what matches here; `undefined` where it does not. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }

  call(): ActionCall {
    const name = this.take(NAME)?.[1];
    if (name === undefined) {
      throw this.#fault("the name of an action and a parenthesis belong here");
    }
    const args = new Map<string, string>();
    while (!this.take(CLOSING)) {
      if (args.size > 0 && !this.take(SEPARATOR)) throw this.#fault("a comma belongs here");
      const argument = this.take(ARGUMENT)?.[1];
      if (argument === undefined) throw this.#fault(`an argument of ${name} belongs here`);
      args.set(argument, this.#value());
    }
    return { name, args };
  }

  #value(): string {
    const quote = this.text[this.at];
    if (quote !== "'" && quote !== '"') return this.#bareValue();
    let value = "";
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at]!;
      if (character === quote && this.#endsHere()) {
        this.at += 1;
        return value;
      }
      value += character === "\\" ? this.#escaped() : character;
    }
    throw this.#fault(`the ${quote} that ends a value is missing`);
  }

  /** `(500,300)` or `[1, 2]` without quotes, or a word. */
  #bareValue(): string {
    const list = this.take(/(?:\([^()\n]*\)|\[[^[\]\n]*\]|<[^\n]*>)/y);
    return (list ?? this.take(BARE_VALUE))![0].trim();
  }

  #endsHere(): boolean {
    AFTER_VALUE.lastIndex = this.at + 1;
    return AFTER_VALUE.test(this.text);
  }

  #escaped(): string {
    const next = this.text[this.at + 1];
    if (next === undefined || !/[ntr\\'"]/.test(next)) return "\\";
    this.at += 1;
    return ESCAPES[next] ?? next;
  }

  #fault(message: string): ValueFault {
    return new ValueFault(
      "text",
      `The action cannot be read: ${message} (character ${this.at + 1})`,
    );
  }
}
