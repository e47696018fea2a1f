/** A program that owns a selection of an X display, and answers as a test says, rightly or wrongly. */

import { Buffer } from "node:buffer";
import { TestX } from "./x_client.ts";
import { waitFor } from "./wait.ts";

const PROPERTY_CHANGE = 1 << 22;
const INPUT_ONLY = 2;
const REPLACE = 0;
const DELETED = 1;
const ATOM = 4;
const SELECTION_NOTIFY = 31;
/** Atoms that every server has: any can name a property. */
const FIRST_PROPERTY = 1;

export interface SelectionRequest {
  readonly target: string;
  // deno-lint-ignore no-explicit-any -- an event of the package
  readonly event: any;
}

export interface SelectionOwner extends Disposable {
  /** The targets that were asked for. */
  readonly requests: readonly string[];
  /** Whether it was given what it asked for, in the order of the answers. */
  readonly notices: readonly boolean[];
  atom(name: string): number;
  take(): void;
  /** Whether it has the selection, after everything that it has asked for. */
  owns(): Promise<boolean>;
  answerTargets(request: SelectionRequest, types: readonly string[]): void;
  answerAtoms(request: SelectionRequest, atoms: readonly number[]): void;
  answerText(request: SelectionRequest, text: string): void;
  /** Announces pieces, and sends none. */
  beginPieces(request: SelectionRequest, size: number): void;
  /** Sends one piece after the other. */
  sendForEver(request: SelectionRequest): void;
  refuse(request: SelectionRequest): void;
  confirmSave(request: SelectionRequest): void;
  /** Asks the owner of the clipboard, and takes nothing of the answer. */
  ask(target: string): void;
  /** Asks for several targets at once; gives the bytes of each, `undefined` where it was refused. */
  askSeveral(targets: readonly string[]): Promise<(string | undefined)[]>;
}

const NAMES = [
  ...["CLIPBOARD", "CLIPBOARD_MANAGER", "SAVE_TARGETS", "TARGETS", "INCR", "NULL"],
  ...["UTF8_STRING", "text/plain", "text/plain;charset=utf-8", "NO_SUCH_TYPE"],
  ...["MULTIPLE", "ATOM_PAIR", "TIMESTAMP", "text/html"],
];

export async function openSelectionOwner(
  display: string,
  answer: (request: SelectionRequest) => void,
  { selection = "CLIPBOARD" } = {},
): Promise<SelectionOwner> {
  const x = await TestX.open(display);
  const { client } = x;
  const atoms = new Map<string, number>();
  await Promise.all(
    NAMES.map((name) =>
      new Promise<void>((resolve, reject) =>
        client.InternAtom(false, name, (error, atom) => {
          if (error) reject(error);
          atoms.set(name, atom);
          resolve();
        })
      )
    ),
  );
  const atom = (name: string) => atoms.get(name)!;
  const nameOf = (wanted: number) => [...atoms].find(([, each]) => each === wanted)?.[0] ?? "other";
  const window = client.AllocID();
  const { root } = x.setup.screen[0]!;
  client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {});
  let asked = 0;
  const requests: string[] = [];
  const notices: boolean[] = [];
  const endless = new Map<number, () => void>();

  // deno-lint-ignore no-explicit-any -- an event of the package
  client.on("event", (event: any) => {
    if (event.name === "SelectionRequest") {
      const target = nameOf(event.target);
      requests.push(target);
      answer({ target, event });
    }
    if (event.name === "SelectionNotify") notices.push(event.property !== 0);
    if (event.name === "PropertyNotify" && event.state === DELETED) endless.get(event.wid)?.();
  });
  client.on("error", () => {}); // the other program has gone

  const notify = ({ event }: SelectionRequest, property = event.property) => {
    const packet = Buffer.alloc(32);
    packet[0] = SELECTION_NOTIFY;
    [event.time, event.requestor, event.selection, event.target, property].forEach((word, index) =>
      packet.writeUInt32LE(word >>> 0, 4 + 4 * index)
    );
    client.SendEvent(event.requestor, false, 0, packet);
  };
  const put = (request: SelectionRequest, type: number, data: readonly number[] | Buffer) => {
    const { requestor, property } = request.event;
    client.ChangeProperty(REPLACE, requestor, property, type, Buffer.isBuffer(data) ? 8 : 32, data);
  };
  const owner: SelectionOwner = {
    ...{ requests, notices, atom },
    take: () => client.SetSelectionOwner(window, atom(selection), 0),
    answerTargets: (request, types) => owner.answerAtoms(request, types.map(atom)),
    answerAtoms(request, list) {
      put(request, ATOM, list);
      notify(request);
    },
    answerText(request, text) {
      put(request, atom("UTF8_STRING"), Buffer.from(text));
      notify(request);
    },
    beginPieces(request, size) {
      put(request, atom("INCR"), [size]);
      notify(request);
    },
    sendForEver(request) {
      const { requestor } = request.event;
      client.ChangeWindowAttributes(requestor, { eventMask: PROPERTY_CHANGE });
      endless.set(requestor, () => put(request, atom("UTF8_STRING"), Buffer.alloc(60_000, "x")));
      owner.beginPieces(request, 1);
    },
    refuse: (request) => notify(request, 0),
    confirmSave(request) {
      put(request, atom("NULL"), []);
      notify(request);
    },
    ask(target) {
      const property = FIRST_PROPERTY + asked++;
      client.ConvertSelection(window, atom("CLIPBOARD"), atom(target), property, 0);
    },
    async askSeveral(targets) {
      const before = notices.length;
      const pairs = targets.flatMap((target, index) => [atom(target), FIRST_PROPERTY + 1 + index]);
      client.ChangeProperty(REPLACE, window, FIRST_PROPERTY, atom("ATOM_PAIR"), 32, pairs);
      client.ConvertSelection(window, atom("CLIPBOARD"), atom("MULTIPLE"), FIRST_PROPERTY, 0);
      await waitFor(() => notices.length > before, { what: "the answer" });
      const read = (property: number) =>
        new Promise<Buffer>((resolve) =>
          client.GetProperty(0, window, property, 0, 0, 1_000, (_, { data }) => resolve(data))
        );
      const answered = await read(FIRST_PROPERTY);
      return await Promise.all(targets.map(async (_, index) => {
        const property = answered.readUInt32LE(8 * index + 4);
        return property === 0 ? undefined : (await read(property)).toString();
      }));
    },
    owns: () =>
      new Promise((resolve) =>
        client.GetSelectionOwner(atom(selection), (_error, now) => resolve(now === window))
      ),
    [Symbol.dispose]: () => x[Symbol.dispose](),
  };
  owner.take();
  await waitFor(() => owner.owns(), { what: "the selection" });
  return owner;
}
