/** A picture that was asked for before a secret was filled in is not kept afterwards. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { FrameRecorder } from "../../../src/features/recording/frame_recorder.ts";
import type { ScreenAddress } from "../../../src/platform/types/mod.ts";
import {
  countCapturePauses,
  createPausedCapture,
  pauseCapture,
  resumeCapture,
} from "../../../src/features/recording/masks.ts";

Deno.test("a picture whose connection takes longer than filling in a secret is not kept", async () => {
  await using folder = await testFolder();
  await using xvfb = await startXvfb({ size: "320x240" });
  const size = { width: 320, height: 240 };
  const withheld = createPausedCapture();
  const address = { backend: "x11", name: xvfb.display } as const;
  const recorder = await FrameRecorder.open({
    ...{ ask: "open", screen: address, size, format: "webp", keepTimes: [] },
    ...{
      path: `${folder.path}/recording`,
      maxBytes: 1_000_000,
      cursor: "hidden",
      pausedCapture: withheld,
    },
  });
  try {
    const again = { ...address, name: `${xvfb.display}.0` }; // a new connection
    const frame = (screen: ScreenAddress) => {
      const withholdings = countCapturePauses(withheld);
      return { ask: "frame", screen, size, masks: [], pauseCount: withholdings } as const;
    };
    const late = recorder.addFrame(frame(again));
    pauseCapture(withheld);
    resumeCapture(withheld);
    expect((await late).frames).toBe(0);
    expect((await recorder.addFrame(frame(address))).frames).toBe(1);
  } finally {
    await recorder.close(100);
  }
});
