/** A worker that edits: searching, splicing, hashing and comparing of large files hold up no request. */

import { join } from "node:path";
import { openFileSystem } from "../../platform/file_system.ts";
import type { Journaling, JournalRecord } from "../filesystem/safe_write/journal.ts";
import { carryOut } from "./carry_out.ts";
import { errorOf, failureOf, type FromWorker, Stopped, type ToWorker } from "./edit_messages.ts";

declare const self: {
  onmessage: (event: MessageEvent<ToWorker>) => void;
  postMessage(message: FromWorker): void;
};

const asked = new Map<number, PromiseWithResolvers<number>>();

self.onmessage = async ({ data }) => {
  if ("key" in data) {
    const waiting = asked.get(data.key);
    asked.delete(data.key);
    if ("failed" in data) waiting?.reject(errorOf(data.failed));
    else waiting?.resolve(data.id);
    return;
  }
  const { task, system, stop } = data;
  try {
    const tools = {
      journal: remoteJournal(data.journal),
      files: await openFileSystem(system),
      checkStop() {
        if (Atomics.load(stop, 0) === 1) throw new Stopped();
      },
    };
    self.postMessage({ done: await carryOut(task, tools) });
  } catch (error) {
    self.postMessage({ failed: failureOf(error) });
  }
};

/** The journal is written by the thread that has it open. */
function remoteJournal(
  { folder, run }: { readonly folder: string; readonly run: string },
): Journaling {
  let key = 0;
  const ask = (message: (key: number) => FromWorker) => {
    const waiting = Promise.withResolvers<number>();
    asked.set(++key, waiting);
    self.postMessage(message(key));
    return waiting.promise;
  };
  return {
    folder,
    run,
    begin: (record: JournalRecord) => ask((key) => ({ begin: record, key })),
    replace: async (id: number, record: JournalRecord) => {
      await ask((key) => ({ replace: record, id, key }));
    },
    end: (id: number) => self.postMessage({ end: id }),
    sideFile: () => {
      const [random] = crypto.getRandomValues(new BigUint64Array(1));
      return join(folder, `${run}.${random}.bytes`);
    },
  };
}
