/** Defines the operation that the answers of UI-TARS models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import type { Point } from "../../../core/geometry.ts";
import type { Context } from "../../context.ts";
import { defineOperation, json, type Operation } from "../../operation.ts";
import type { FieldNames } from "../actions.ts";
import type { AgentComputer, Spot } from "../agent_computer.ts";
import { inDirection } from "../coordinate_space.ts";
import { domKeyNames } from "../key_names.ts";
import {
  answerOpenModel,
  openModelAnswer,
  openModelFields,
  type OpenModelInput,
} from "../open_model.ts";
import {
  type ActionResult,
  clicksOn,
  computerAction as action,
  type ComputerActions,
  type End,
  type RequestedAction,
  turnBase,
} from "../turn.ts";

const MAX_TEXT = 100_000;

export function uiTarsOperation(limits: Limits): Operation {
  return defineOperation({
    ...turnBase("answerUiTars", "ui-tars"),
    summary: "Perform the actions of a UI-TARS model",
    description:
      "Takes the text of the model as it is (`Thought: ...`, `Action: click(start_box='(500,300)')`), performs its actions in " +
      "order, and answers with the next chat message. The first that fails ends the turn, and the message says why; so " +
      "does a text without a valid action. `finished` and `call_user` end the task. When the client disconnects, the " +
      "action stops, and the keys and buttons that the turn pressed are released.",
    body: z.object({
      text: z.string().max(MAX_TEXT).describe("The content of the model's message."),
      ...openModelFields(limits),
    }),
    answer: json(
      "Every action has its result.",
      openModelAnswer(
        "Append these chat messages after the model's own: what went wrong, and the next picture.",
      ),
    ),
    run: answerText,
  });
}

async function answerText(context: Context, input: OpenModelInput & { readonly text: string }) {
  const turn = { actions: readActions(input.text), table: ACTIONS, fieldNames: FIELD_NAMES };
  return await answerOpenModel(context, input, turn, (results) => ({
    messages: [],
    text: describeFailure(results),
  }));
}

/** Describes for the model the actions that were not done; `undefined` when all were. */
function describeFailure(results: readonly ActionResult[]): string | undefined {
  const failed = results.find(({ status }) => status === "failed");
  if (failed === undefined) return undefined;
  const rest = results.filter(({ status }) => status === "not_run").length;
  const after = rest === 0 ? "" : ` The ${rest} actions after it were not performed.`;
  const which = failed.action === "" ? "An action" : `The action ${failed.action}`;
  return `${which} failed: ${failed.error}.${after}`;
}

function readActions(text: string): readonly RequestedAction[] {
  try {
    return parseActions(text).map(({ name, args }) => ({ name, fields: Object.fromEntries(args) }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [{ name: "", fields: {}, problem: error }];
  }
}

// Reads the points in actions of UI-TARS models: a point, or a box of which the centre is meant.

const TAGS = /<\|box_(?:start|end)\|>|<\/?(?:point|bbox)>|[()[\]]/g;
const NUMBER = /^-?\d{1,9}(?:\.\d{1,9})?$/;

/**
 * `(500,300)`, `[1, 2, 3, 4]`, `<point>500 300</point>`, `<bbox>1 2 3 4</bbox>`, also between
 * `<|box_start|>` and `<|box_end|>`.
 * @throws FieldError on `field`
 */
export function parsePoint(text: string, field: string): Point {
  const words = text.replaceAll(TAGS, " ").split(/[\s,]+/).filter((word) => word !== "");
  if (![2, 4].includes(words.length) || !words.every((word) => NUMBER.test(word))) {
    throw new FieldError(field, "a point is written (x,y), and a box (x1,y1,x2,y2)");
  }
  const [x, y, right = x, bottom = y] = words.map(Number) as [number, number, number?, number?];
  return { x: (x + right) / 2, y: (y + bottom) / 2 };
}

// Reads the answers of UI-TARS models: `Thought: ...`, then `Action:` and calls such as
// `click(start_box='<|box_start|>(500,300)<|box_end|>')`.

/** One call of the answer, with its arguments as they were written, without quotes and escapes. */
interface ActionCall {
  readonly name: string;
  readonly args: ReadonlyMap<string, string>;
}

/** At the start of a line the first one counts: the word may stand in a text that is typed. */
const LINE_MARKER = /(?:^|\n)[ \t]*Action[:：](?=\s*\w+\s*\()/;
const MARKER = /Action[:：](?=\s*\w+\s*\()/g;
const NAME = /\s*(\w+)\s*\(\s*/y;
const ARGUMENT = /\s*(\w+)\s*=\s*/y;
/** A quote ends a value before this; before anything else it belongs to the text. */
const AFTER_VALUE = String.raw`(?=\s*(?:,\s*\w+\s*=|\)\s*(?:\w+\s*\(|;|$|\n)))`;
const QUOTED = { "'": quotedValue("'"), '"': quotedValue('"') };
/** `(500,300)` or `[1, 2]` without quotes, or a word. */
const BARE_VALUE = /\([^()\n]*\)|\[[^[\]\n]*\]|<[^\n]*>|[^,()\n]*/y;
const SEPARATOR = /\s*,\s*/y;
const CLOSING = /\s*\)/y;
const GAP = /[\s;]*/y;
const ESCAPE = /\\([ntr\\'"])/g;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function quotedValue(quote: string): RegExp {
  const part = String.raw`\\[ntr\\'"]|\\(?![ntr\\'"])|(?!${quote}${AFTER_VALUE})[^\\]`;
  return new RegExp(`${quote}((?:${part})*)${quote}${AFTER_VALUE}`, "y");
}

/**
 * The calls after the last `Action:`, or of the whole text where there is none.
 * @throws FieldError on `text` where it is no list of calls
 */
export function parseActions(text: string): readonly ActionCall[] {
  const reader = new Reader(text, actionsStart(text));
  const calls: ActionCall[] = [];
  for (reader.take(GAP); !reader.atEnd; reader.take(GAP)) calls.push(reader.call());
  if (calls.length === 0) throw new FieldError("text", 'There is no action after "Action:"');
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
      throw this.#parseError("expected the name of an action and a parenthesis");
    }
    const args = new Map<string, string>();
    while (!this.take(CLOSING)) {
      if (args.size > 0 && !this.take(SEPARATOR)) throw this.#parseError("expected a comma");
      const argument = this.take(ARGUMENT)?.[1];
      if (argument === undefined) throw this.#parseError(`expected an argument of ${name}`);
      args.set(argument, this.#value());
    }
    return { name, args };
  }

  #value(): string {
    const quote = this.text[this.at];
    if (quote !== "'" && quote !== '"') return this.take(BARE_VALUE)![0].trim();
    const value = this.take(QUOTED[quote])?.[1];
    if (value === undefined) {
      this.at = this.text.length;
      throw this.#parseError(`the ${quote} that closes a value is missing`);
    }
    return value.replaceAll(ESCAPE, (_, escaped) => ESCAPES[escaped] ?? escaped);
  }

  #parseError(message: string): FieldError {
    return new FieldError(
      "text",
      `The action cannot be parsed: ${message} (character ${this.at + 1})`,
    );
  }
}

// The actions of UI-TARS models (1.0, 1.5 and 2, and Doubao's), with the names that each version
// has for them. Source: ByteDance's published prompts and `@ui-tars/action-parser` 1.2.3.

/** The model gives no time: its prompt says that it is five seconds. */
const DEFAULT_WAIT_MS = 5_000;
/** The model gives no amount; the vendor's own driver turns the wheel by five notches. */
const SCROLL_NOTCHES = 5;

const FIELD_NAMES: FieldNames = { keys: "key", text: "content" };

const Text = z.string().max(100_000);
const PointText = z.string().max(200);
/** One of three names: `start_box` until 1.5, `point` since then. */
const At = z.object({
  start_box: PointText.optional(),
  point: PointText.optional(),
  start_point: PointText.optional(),
});
const FromTo = At.extend({ end_box: PointText.optional(), end_point: PointText.optional() });
const Key = z.object({ key: Text.optional(), hotkey: Text.optional() });
const Content = z.object({ content: Text.default("") });
const Scroll = At.extend({ direction: z.enum(["up", "down", "left", "right"]).default("down") });

const click = clicksOn(At, (input) => ({ at: readPoint(input) }));
const move = action(At, (computer, input) => computer.move(readPoint(input)));
const drag = action(FromTo, (computer, input) => {
  const to = { start_box: input.end_box, point: input.end_point };
  return computer.drag({ from: readPoint(input), to: readPoint(to, "end_box") });
});
const hotkey = action(Key, (computer, input) => computer.hotkey(readKeys(input)));
const hold = eachKey((computer, key) => computer.holdKey(key));
const release = eachKey((computer, key) => computer.releaseKey(key));

const ACTIONS: ComputerActions = {
  click: click("left"),
  left_click: click("left"),
  left_single: click("left"),
  left_double: click("left", 2),
  double_click: click("left", 2),
  left_triple: click("left", 3),
  triple_click: click("left", 3),
  right_single: click("right"),
  right_click: click("right"),
  middle_click: click("middle"),
  move,
  mouse_move: move,
  hover: move,
  drag,
  select: drag,
  left_click_drag: drag,
  hotkey,
  press: hotkey,
  keydown: hold,
  press_down: hold,
  keyup: release,
  release,
  type: action(Content, (computer, { content }) => computer.type(content)),
  scroll: action(Scroll, (computer, { direction, ...input }) => {
    const at = pointText(input) === undefined ? undefined : readPoint(input);
    return computer.scroll({ at, ...inDirection(direction, SCROLL_NOTCHES) });
  }),
  wait: action(z.object({}), (computer) => computer.wait(DEFAULT_WAIT_MS)),
  finished: end("finished"),
  call_user: end("call_user"),
};

function eachKey(act: (computer: AgentComputer, key: string) => Promise<void>) {
  return action(Key, async (computer, input) => {
    for (const key of domKeyNames(readKeys(input))) await act(computer, key);
  });
}

function end(kind: End["kind"]) {
  return action(
    Content,
    (_computer, { content }) => ({ kind, status: null, content: content || null }),
  );
}

function pointText({ start_box, point, start_point }: z.output<typeof At>): string | undefined {
  return start_box ?? point ?? start_point;
}

/** @throws FieldError on the field when there is no point, or none that can be read */
function readPoint(input: z.output<typeof At>, field = "start_box"): Spot {
  return { point: parsePoint(pointText(input) ?? "", field), field };
}

/** `ctrl c`, `ctrl+c`; the vendor's prompt separates keys by blanks. */
function readKeys({ key, hotkey }: z.output<typeof Key>): readonly string[] {
  const text = key ?? hotkey ?? "";
  return text.trim() === "" ? [text] : text.trim().split(/\s+/);
}
