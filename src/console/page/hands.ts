/**
 * A person's hands: what the mouse and the keyboard do over the picture, as operations. Keys are held
 * and released as they are in the browser; text of an input method, of a touch keyboard and of other
 * levels of a key is typed.
 */

import type { Point } from "../../core/geometry.ts";
import type { InputMessage } from "../messages.ts";
import type { ShownDisplay } from "./service.ts";

interface HandsOptions {
  /** Has the focus while the person controls, so that input methods work. */
  readonly field: HTMLTextAreaElement;
  readonly canvas: HTMLCanvasElement;
  /** Whether the person has control now. */
  isActive(): boolean;
  /** What the picture shows. */
  shown(): ShownDisplay;
  /** Whether it shows that already, so that a point of it is one there. */
  isShown(): boolean;
  /** Where the picture begins on the display. */
  origin(): Point;
  send(op: InputMessage["op"], fields: Record<string, unknown>): void;
  /** Puts a text of any length on the clipboard of the display. */
  copy(text: string): Promise<void>;
  fail(error: unknown): void;
  /** Lets go of everything. */
  release(): void;
  /** The person wants the keyboard back for the page. */
  leave(): void;
}

/** By their numbers, with their bits in `buttons`. */
const BUTTONS = [["left", 1], ["middle", 4], ["right", 2], ["back", 8], ["forward", 16]] as const;
/** What a browser calls one notch of a wheel, by the unit of its events. */
const NOTCH = [100, 3, 1];
/** A wheel that is turned further at once has got stuck. */
const MAX_NOTCHES = 20;
/** Characters of one message, which the socket takes however they are encoded. */
const MAX_TEXT = 8_000;
/** The parts of a text that are typed: none ends within a character or a line break. */
const PARTS = new RegExp(`(?:\\r\\n|.){1,${MAX_TEXT}}`, "gsu");
const MODIFIER = /^(?:Control|Shift|Meta)/;
const ANY_MODIFIER = /^(?:Control|Shift|Alt|Meta)/;

/** @returns what lets the listeners go */
export function useHands(options: HandsOptions): () => void {
  const { field, canvas } = options;
  const listening = new AbortController();
  const { signal } = listening;
  const send = (op: InputMessage["op"], fields: Record<string, unknown>) => {
    if (options.isActive()) options.send(op, { ...fields, ...options.shown() });
  };
  const point = (op: InputMessage["op"], fields: Record<string, unknown>) => {
    if (options.isShown() || op === "mouse.up") send(op, fields);
  };
  addMouse(canvas, { ...options, signal, send: point });
  addKeyboard(field, { ...options, signal, send });
  return () => listening.abort();
}

function addMouse(
  canvas: HTMLCanvasElement,
  { field, signal, isActive, origin, send }: HandsOptions & { readonly signal: AbortSignal },
): void {
  let moved: PointerEvent | undefined;
  let wheel = { x: 0, y: 0 };
  const at = (event: MouseEvent) => pixelAt(canvas, origin(), event);
  const flush = () => {
    const last = moved;
    moved = undefined;
    if (last !== undefined) send("mouse.move", { ...at(last) });
  };
  /** Those that are down: of a second one a browser tells as of a movement. */
  let down = 0;
  const press = (event: PointerEvent, now: number) => {
    flush();
    const place = event.type === "pointercancel" ? {} : at(event);
    for (const [button, bit] of BUTTONS) {
      if (((now ^ down) & bit) === 0) continue;
      send((now & bit) === 0 ? "mouse.up" : "mouse.down", { button, ...place });
    }
    down = now;
  };
  canvas.addEventListener("pointermove", (event) => {
    if (event.button >= 0 && down !== 0) return press(event, event.buttons);
    if (moved === undefined) requestAnimationFrame(flush);
    moved = event;
  }, { signal });
  canvas.addEventListener("pointerdown", (event) => {
    if (!isActive()) return;
    event.preventDefault();
    field.focus({ preventScroll: true });
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // it is up again
    }
    down = 0; // the first one: another could have gone up elsewhere
    press(event, BUTTONS[event.button]?.[1] ?? 1);
  }, { signal });
  for (const type of ["pointerup", "pointercancel"] as const) {
    canvas.addEventListener(type, (event) => press(event, 0), { signal });
  }
  canvas.addEventListener("contextmenu", (event) => {
    if (isActive()) event.preventDefault();
  }, { signal });
  canvas.addEventListener("wheel", (event) => {
    if (!isActive()) return;
    event.preventDefault();
    const notch = NOTCH[event.deltaMode] ?? 100;
    wheel = { x: wheel.x + event.deltaX / notch, y: wheel.y + event.deltaY / notch };
    const [right, down] = [whole(wheel.x), whole(wheel.y)];
    if (right === 0 && down === 0) return;
    wheel = { x: wheel.x - right, y: wheel.y - down };
    send("mouse.scroll", { clicks: -down, horizontal_clicks: -right, ...at(event) });
  }, { signal, passive: false });
}

/**
 * The pixel of the display that is below the mouse.
 * @param origin where the picture begins on the display
 */
export function pixelAt(
  canvas: HTMLCanvasElement,
  origin: Point,
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
): Point {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const scaled = (offset: number, shown: number, size: number) =>
    Math.max(0, Math.min(size - 1, Math.floor(offset * size / shown)));
  return {
    x: origin.x + scaled(clientX - left, width, canvas.width),
    y: origin.y + scaled(clientY - top, height, canvas.height),
  };
}

function whole(notches: number): number {
  return Math.max(-MAX_NOTCHES, Math.min(MAX_NOTCHES, Math.trunc(notches)));
}

function addKeyboard(
  field: HTMLTextAreaElement,
  { signal, send, copy, fail, isActive, release, leave }: HandsOptions & {
    readonly signal: AbortSignal;
  },
): void {
  /** Code of a key -> the name under which it is held. */
  const held = new Map<string, string>();
  const type = (text: string) => {
    for (const part of text.match(PARTS) ?? []) {
      send("keyboard.type", { text: part, typing_delay: 0 });
    }
  };
  /** Of the shortcut that pastes, those are pressed anew that have been let go of meanwhile. */
  const paste = async (text: string, modifiers: readonly string[]) => {
    if (text.length > MAX_TEXT) await copy(text);
    else send("clipboard.set", { text });
    const down = [...held.values()];
    const missing = modifiers.filter((name) => !down.includes(name));
    for (const key of [...missing, "v"]) send("keyboard.hold", { key });
    for (const key of ["v", ...missing]) send("keyboard.release", { key });
  };
  const letGo = () => {
    held.clear();
    field.value = "";
    if (isActive()) release();
  };

  field.addEventListener("keydown", (event) => {
    if (!isActive() || event.isComposing || isOfInputMethod(event)) return;
    if (event.code === "Escape" && event.ctrlKey && event.altKey) {
      event.preventDefault();
      letGo();
      return leave();
    }
    if (isPaste(event)) { // the event of that name follows
      if (event.repeat) event.preventDefault();
      return;
    }
    event.preventDefault();
    if (isTyped(event)) return type(event.key);
    if (event.repeat) return; // the display repeats it itself
    const name = nameOf(event);
    held.set(event.code, name);
    send("keyboard.hold", { key: name });
  }, { signal });

  field.addEventListener("keyup", (event) => {
    const name = held.get(event.code);
    if (name === undefined) return;
    event.preventDefault();
    // a Mac does not tell of keys that go up while Cmd is down
    const areUntold = event.key === "Meta" && /^Mac/.test(navigator.platform);
    const others = areUntold ? [...held].filter(([code]) => !ANY_MODIFIER.test(code)) : [];
    for (const [code, key] of [...others, [event.code, name] as const]) {
      held.delete(code);
      send("keyboard.release", { key });
    }
  }, { signal });

  field.addEventListener("beforeinput", (event) => {
    if (!isActive() || event.isComposing || event.inputType === "insertCompositionText") return;
    event.preventDefault();
    if (event.inputType === "deleteContentBackward") send("keyboard.key", { key: "backspace" });
    else if (/^insert(LineBreak|Paragraph)$/.test(event.inputType)) {
      send("keyboard.key", { key: "enter" });
    } else if (event.inputType !== "insertFromPaste") type(event.data ?? "");
  }, { signal });

  field.addEventListener("compositionend", (event) => {
    type(event.data);
    field.value = "";
  }, { signal });

  field.addEventListener("paste", (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text === "" || !isActive()) return;
    const modifiers = [...held.values()].filter((name) => MODIFIER.test(name));
    const isOfMenu = modifiers.length === 0;
    paste(text, isOfMenu ? ["ControlLeft"] : modifiers).catch(fail);
  }, { signal });

  field.addEventListener("blur", letGo, { signal });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) letGo();
  }, { signal });
}

function isOfInputMethod({ key }: KeyboardEvent): boolean {
  return key === "Process" || key === "Dead" || key === "Unidentified";
}

function isPaste(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === "v" && (event.ctrlKey || event.metaKey) && !event.altKey;
}

/**
 * Whether only its character counts, because the display may have it on another key or level: signs
 * with Shift, and what AltGr gives.
 */
function isTyped(event: KeyboardEvent): boolean {
  if ([...event.key].length !== 1) return false;
  if (event.getModifierState("AltGraph")) return true;
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  return event.shiftKey && !/^[\p{L} ]$/u.test(event.key);
}

/** A character by itself, other keys by their position. */
function nameOf({ key, code }: KeyboardEvent): string {
  if ([...key].length === 1 && key !== " " && !code.startsWith("Numpad")) return key;
  if (key === "AltGraph") return "AltGraph";
  return code === "" ? key : code;
}
