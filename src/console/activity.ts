/** What is being done, for the pages of the console: the last operations, and pictures of some of them. */

import { within } from "../core/deadline.ts";
import { Curtain } from "../features/curtain.ts";
import { LiveDisplays, type Photograph } from "../features/live/live_displays.ts";
import type { OperationRecord } from "../features/trail/entry.ts";
import { OperationLog } from "../features/trail/operation_log.ts";
import type { CalledNote, Session } from "../features/session.ts";

export type ActivityEntry = OperationRecord;

type Listener = (entries: readonly ActivityEntry[]) => void;

const KEPT = 1_000;

export class Activity implements Disposable {
  readonly pictures: Pictures;
  readonly #log: OperationLog;
  readonly #using = new DisposableStack();
  #watching = 0;

  constructor({ session }: { readonly session: Session }) {
    const pictures = this.pictures = new Pictures(session);
    this.#log = session.use(OperationLog);
    this.#using.use(this.#log.observe({
      begin: (id, operation, input, { desk }) => {
        const isSeen = this.#watching > 0 && desk === undefined; // those of desks are not kept
        const end = isSeen ? pictures.begin(id, operation, input) : undefined;
        return end && { end };
      },
    }));
  }

  /** The last ones, the oldest first. */
  get kept(): readonly ActivityEntry[] {
    return [...this.#log.kept].slice(-KEPT);
  }

  /** @param listener gets each entry when it has begun and when it has ended, or only once, soon after */
  watch(listener: Listener): Disposable {
    this.#watching++;
    const watching = this.#log.watch(listener, { running: true });
    return {
      [Symbol.dispose]: () => {
        this.#watching--;
        watching[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#using.dispose();
  }
}

// What a display showed before and after an operation: of the last ones that began while somebody
// watched it. The live picture has it already: nothing more is captured, and no operation waits.

/** Operations whose pictures are kept, and bytes of all: the oldest are dropped for new ones. */
const MAX_KEPT = 100;
const MAX_BYTES = 16 * 1024 * 1024;
/** Until programs have drawn what an operation did, unless the next one begins before. */
const AFTER_MS = 500;
/** What acts on a display, but for the cursor that only moves. */
const GROUPS: ReadonlySet<string> = new Set([
  ...["mouse", "keyboard", "window", "accessibility", "browser", "batch"],
]);
const MOVE = "moveMouse";

interface Kept {
  before?: Photograph;
  after?: Photograph;
  /** Resolves when all is there that has been asked for so far. */
  taken: Promise<unknown>;
}

type Watched = NonNullable<ReturnType<LiveDisplays["watched"]>>;

export class Pictures {
  /** By the number of the operation, the oldest first. */
  readonly #kept = new Map<number, Kept>();
  /** What is taken when the next operation begins there. */
  readonly #next = new WeakMap<Watched, PromiseWithResolvers<Photograph | undefined>>();

  constructor(private readonly session: Session) {}

  /** An operation begins; what is returned must be called once, at its end. */
  begin(id: number, operation: CalledNote, input: unknown): (() => void) | undefined {
    const { group, readOnly } = operation;
    if (readOnly || operation.id === MOVE || !GROUPS.has(group)) return undefined;
    const { display_num, frame } = input as { display_num?: number; frame?: string };
    const wanted = frame === undefined ? display_num : undefined; // it names a display by itself
    const screen = this.session.use(LiveDisplays).watched(wanted);
    if (screen === undefined || this.session.use(Curtain).isClosed) return undefined;
    const before = this.#photograph(screen);
    this.#next.get(screen)?.resolve(before);
    this.#next.set(screen, Promise.withResolvers());
    const kept: Kept = { taken: Promise.resolve() };
    this.#kept.set(id, kept);
    this.#keep(kept, "before", before);
    return () => {
      const next = this.#next.get(screen)!.promise;
      const after = within(next, AFTER_MS);
      this.#keep(kept, "after", after.then((isNext) => isNext ? next : this.#photograph(screen)));
    };
  }

  /** Once all is there that has been asked for. */
  async of(id: number): Promise<Omit<Kept, "taken">> {
    const kept = this.#kept.get(id);
    await kept?.taken;
    return kept ?? {};
  }

  /** Nothing of what a person does in control. Never rejects. */
  async #photograph(screen: Watched): Promise<Photograph | undefined> {
    const curtain = this.session.use(Curtain);
    const { isClosed, closings } = curtain;
    if (isClosed) return undefined;
    const taken = await screen.photograph().catch(() => undefined); // it is not watched any more
    if (taken === undefined || curtain.closings !== closings) return undefined;
    const isSame = ({ at, file }: Photograph) =>
      at === taken.at && file.length === taken.file.length;
    return this.#photographs.find(isSame) ?? taken;
  }

  #keep(kept: Kept, when: "before" | "after", taking: Promise<Photograph | undefined>): void {
    const keeping = taking.then((photograph) => {
      if (photograph !== undefined) kept[when] = photograph;
      this.#drop();
    });
    kept.taken = Promise.all([kept.taken, keeping]);
    this.#drop();
  }

  /** Each once, however many operations share it. */
  get #photographs(): readonly Photograph[] {
    const all = [...this.#kept.values()].flatMap(({ before, after }) => [before, after]);
    return [...new Set(all)].filter((each) => each !== undefined);
  }

  #drop(): void {
    const isTooMuch = () =>
      this.#kept.size > MAX_KEPT ||
      this.#photographs.reduce((sum, { file }) => sum + file.length, 0) > MAX_BYTES;
    while (isTooMuch()) this.#kept.delete(this.#kept.keys().next().value!);
  }
}
