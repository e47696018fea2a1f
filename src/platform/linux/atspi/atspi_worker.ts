/** The thread that talks with accessibility buses: answers of programs are large. */

import { type JobCaller, serveJobs } from "../../../core/serve_jobs.ts";
import { AtspiClient } from "./client.ts";
import { EventCount } from "./find_bus.ts";
import { containsElement, findElementAt } from "./locate.ts";
import type { AtspiAnswers, AtspiJob, AtspiQuestion, AtspiResults } from "./accessibility.ts";
import { performAction } from "./perform.ts";
import { readTree, refreshElements } from "./read_tree.ts";
import { Toolkits } from "./describe.ts";

/** How long a job waits for events; who asks on does so again. */
const EVENT_MS = 1_000;

interface Bus {
  readonly client: AtspiClient;
  readonly toolkits: Toolkits;
  readonly events: EventCount;
}

/** Without a job for this long all connections are closed, before the thread ends that has none. */
const IDLE_MS = 30_000;

let running = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

/** The connection to each bus, by its address. */
const buses = new Map<string, Promise<Bus>>();

serveJobs(async (job: AtspiJob, caller): Promise<AtspiResults[keyof AtspiResults]> => {
  clearTimeout(idle);
  if (job.task === "close") return await closeAll();
  running++;
  try {
    return await execute(await openBus(job.address), job, caller);
  } finally {
    clearTimeout(idle);
    if (--running === 0) idle = setTimeout(closeAll, IDLE_MS);
  }
});

type BusJob = Exclude<AtspiJob, { readonly task: "close" }>;

async function execute({ client, toolkits, events }: Bus, job: BusJob, caller: JobCaller) {
  const checkStop = () => caller.checkStop();
  const ask = async <Question extends AtspiQuestion>(question: Question) =>
    await caller.request(question) as AtspiAnswers[Question];
  const listWindows = () => ask("windows");
  let popups: Promise<AtspiAnswers["popups"]> | undefined;
  const listPopups = () => popups ??= ask("popups"); // once for all elements of a job
  const { origin } = job;
  const asked = { client, toolkits, origin, checkStop, listWindows, listPopups };
  switch (job.task) {
    case "read":
      return await readTree(job.reading, { ...asked, report: (slice) => caller.notify(slice) });
    case "refresh":
      return await refreshElements(job.ids, asked);
    case "perform":
      return await performAction(client, job.id, job.action);
    case "at":
      return await findElementAt(job.point, job.near, asked);
    case "contains":
      return await containsElement(job.outer, job.inner, asked);
    case "changed":
      return await events.wait(job.seen, EVENT_MS);
  }
}

/** The open connection, or a new one after the bus has ended. */
function openBus(address: string): Promise<Bus> {
  const known = buses.get(address);
  if (known !== undefined) return known;
  const opening = AtspiClient.open(address).then((client): Bus => ({
    client,
    toolkits: new Toolkits(client),
    events: new EventCount(client),
  }));
  buses.set(address, opening);
  const forget = () => buses.delete(address);
  opening.then(({ client }) => client.bus.closed.then(forget), forget);
  return opening;
}

/** The end of the thread alone would leave their descriptors open. */
async function closeAll(): Promise<null> {
  const all = await Promise.allSettled(buses.values());
  await Promise.all(all.map(async (opened) => {
    if (opened.status === "rejected") return;
    const { bus } = opened.value.client;
    bus[Symbol.dispose]();
    await bus.released;
  }));
  return null;
}
