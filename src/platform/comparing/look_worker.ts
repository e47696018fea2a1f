/** The worker that takes pictures of one screen and compares each with the one before. */

import { ServiceError } from "../../core/errors.ts";
import type { Look } from "./compared_changes.ts";
import { PictureComparer } from "../../imaging/picture_comparer.ts";
import { openMeasuredScreen } from "../screens.ts";
import type { MeasuredBackend, MeasuredScreen, ScreenAddress } from "../types/mod.ts";
import type { LookReply, LookRequest } from "./worker_looker.ts";

const MAX_TRIES = 3;

const scope = self as unknown as {
  onmessage: (event: MessageEvent<LookRequest>) => void;
  postMessage(reply: LookReply): void;
};
const comparer = new PictureComparer();
let opened: Promise<MeasuredScreen> | undefined;
/** Answers go out in the order of the questions. */
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  last = last.then(async () => scope.postMessage(await answer(data)));
};

async function answer({ ask, address }: LookRequest): Promise<LookReply> {
  try {
    const screen = await openOnce(address);
    return { result: ask === "look" ? await look(screen) : screen.cursor() };
  } catch (error) {
    if (error instanceof ServiceError) {
      return { failure: { code: error.code, message: error.message } };
    }
    return { failure: { code: "internal", message: String((error as Error).stack ?? error) } };
  }
}

function openOnce(address: ScreenAddress<MeasuredBackend>): Promise<MeasuredScreen> {
  opened ??= openMeasuredScreen(address).catch((error) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** A size that changes before the picture is taken is asked for again. */
async function look(screen: MeasuredScreen): Promise<Look> {
  for (let tries = 1;; tries++) {
    try {
      return await lookOnce(screen);
    } catch (error) {
      const resized = error instanceof ServiceError && error.code === "conflict";
      if (!resized || tries === MAX_TRIES) throw error;
    }
  }
}

async function lookOnce(screen: MeasuredScreen): Promise<Look> {
  const size = screen.size();
  const areas = await screen.capture(
    { x: 0, y: 0, ...size },
    { cursor: "hidden" },
    (picture) => comparer.compare(picture),
  );
  return { size, areas };
}
