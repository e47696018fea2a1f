/**
 * The text that a person has put on a clipboard, as the console does to paste it: what is still there
 * of it when control is handed back is taken away before programs may read it.
 */

import { joinBytes } from "../../core/bytes.ts";
import { decodeText } from "../../core/texts.ts";
import type { Clipboard } from "../../platform/types/mod.ts";
import { Control } from "../control/control.ts";
import type { Session } from "../session.ts";
import { useClipboard } from "./clipboard.ts";

/** A longer one is taken away whatever is there by then. */
const MAX_KEPT = 1024 * 1024;
/** Time for all of it, and for the program that owns what is there by then. */
const CLEAR_MS = 3_000;
const IDLE_MS = 1_000;

export class PersonsText {
  static readonly ofService = true;
  /** By session and display. */
  readonly #last = new Map<Session, Map<number, string | undefined>>();

  constructor(session: Session) {
    session.use(Control).onHandBack(() => this.#clearAll());
  }

  /** What a person is about to put there. */
  note(session: Session, displayNum: number, text: string): void {
    const last = this.#last.getOrInsertComputed(session, () => new Map());
    last.set(displayNum, text.length > MAX_KEPT ? undefined : text);
  }

  async #clearAll(): Promise<void> {
    const all = [...this.#last].flatMap(([session, texts]) =>
      [...texts].map(([displayNum, text]) => ({ session, displayNum, text }))
    );
    this.#last.clear();
    const signal = AbortSignal.timeout(CLEAR_MS);
    await Promise.allSettled(all.map(({ session, displayNum, text }) =>
      // after a write that goes on
      useClipboard(
        { platform: session.platform, session, signal },
        displayNum,
        "writing",
        async (clipboard) => {
          const isThere = text === undefined || await readText(clipboard, signal) === plain(text);
          if (isThere) await clipboard.clear(signal);
        },
      )
    ));
  }
}

/** `undefined` for more than is kept, or none. */
async function readText(clipboard: Clipboard, signal: AbortSignal): Promise<string | undefined> {
  const reading = { formats: ["text"], maxBytes: 4 * MAX_KEPT, idleMs: IDLE_MS, signal } as const;
  const { content: { text } } = await clipboard.read(reading);
  return text && plain(await decodeText(joinBytes(text)));
}

/** As systems keep lines. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed();
}
