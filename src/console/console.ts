/**
 * The console: the page in which a person watches the displays, sees what programs do, and takes over.
 * Loaded when somebody first asks for it.
 */

import { createHash } from "node:crypto";
import { ServiceError } from "../core/errors.ts";
import {
  accessOf,
  type Actor,
  ANYONE,
  findsRoom,
  mayControl,
  Revocations,
} from "../features/actor.ts";
import { Callables, type OperationSource } from "../features/call/callables.ts";
import { Control } from "../features/control/control.ts";
import { LiveDisplays } from "../features/live/live_displays.ts";
import { deskNamed } from "../features/on_desk.ts";
import { Activity } from "./activity.ts";
import { ConsoleConnection, type PageSocket } from "./connection.ts";

/** More pages than that at a time are refused. */
const MAX_PAGES = 100;
/** Of those who may not take over. */
const MAX_WATCHING = { each: 16, all: 80 } as const;
/** What waits to be sent to all pages, in bytes, before those are closed that do not read. */
const MAX_UNSENT = 256 * 1024 * 1024;

interface Page {
  readonly socket: PageSocket;
  readonly person: Actor;
}

/** @param ending aborts when the service stops: all pages are told then */
export function openConsole({ services, operations }: OperationSource, ending: AbortSignal) {
  const { config, session } = services;
  const control = session.use(Control);
  const revocations = session.use(Revocations);
  const calls = new Callables(services, operations);
  const activity = new Activity({ session });
  const open = new Map<ConsoleConnection, Page>();
  const refuseLive = config.disabled.has("display")
    ? new ServiceError("forbidden", "The display is disabled by --disable")
    : undefined;
  const isCrowded = () =>
    open.values().reduce((sum, { socket }) => sum + socket.unsent, 0) > MAX_UNSENT;

  /** Whether a page of this person is open. */
  const isHere = ({ id }: Actor) => open.values().some(({ person }) => person.id === id);

  ending.addEventListener("abort", () => {
    for (const connection of open.keys()) connection[Symbol.dispose]();
    activity[Symbol.dispose]();
  }, { once: true });

  return {
    /**
     * Must be asked before a socket is opened.
     * @throws ServiceError `unavailable` when too many pages are open
     */
    checkRoom(person: Actor): void {
      const others = open.values().map((page) => page.person);
      const hasRoom = open.size < MAX_PAGES && findsRoom(person, others, MAX_WATCHING);
      if (hasRoom && !ending.aborted) return;
      const reason = ending.aborted ? "the service ends" : "too many pages are open already";
      throw new ServiceError("unavailable", `Cannot open the console: ${reason}`);
    },

    personOf,

    /** Serves a page from the opening of its socket to its end. */
    connect(socket: PageSocket, person: Actor): void {
      const connection = new ConsoleConnection(socket, {
        actor: person,
        calls,
        activity,
        control,
        live: session.use(LiveDisplays),
        desk: (name) => {
          const { running, session: own } = deskNamed(session, name);
          return { live: own.use(LiveDisplays), running };
        },
        computer: config.name ?? null,
        refuseLive,
        isCrowded,
      });
      if (!isHere(person)) control.personReturned(person);
      open.set(connection, { socket, person });
      const following = revocations.on(accessOf(person), () => connection[Symbol.dispose]());
      connection.closed.then(() => {
        following[Symbol.dispose]();
        open.delete(connection);
        if (!isHere(person)) control.personLeft(person);
      });
    },

    /**
     * The person before an open page, whose requests carry the page's key beside the token.
     * @throws ServiceError `forbidden` when no such page is open
     */
    requirePerson(actor: Actor, page: string): Actor {
      const person = personOf(actor, page);
      if (isHere(person)) return person;
      throw new ServiceError("forbidden", "The page is not connected: load it again");
    },
  };
}

/**
 * Who is before a page, known by the token and by the key of the page, which others cannot find from
 * the id. Only who may control is a person: else a program could make itself one, and pass what waits
 * for a person's word.
 */
function personOf(actor: Actor, page: string): Actor {
  const digest = createHash("sha256").update(`${actor.token ?? actor.id}\n${page}`).digest("hex");
  return {
    ...actor,
    id: `page-${digest.slice(0, 32)}`,
    name: actor.id === ANYONE.id ? "a person" : actor.name,
    kind: mayControl(actor) ? "person" : "program",
  };
}
