/** An app on a fake platform, to whose session elements are added. */

import { testApp, type TestAppOptions } from "../../../support/client.ts";
import { FakeTarget, type FakeTargetOptions } from "../../../support/fake_targets.ts";
import { Refs } from "../../../../src/features/input/targets/refs.ts";

export const MIDDLE = { x: 100, y: 50 };

/** What a click on an element there sends. */
export const CLICK = ["reveal", "move 100,50", "press left", "release left"];

export function setUp(options: TestAppOptions = {}) {
  const app = testApp(options);
  const { fake } = app.platform.screen();
  const { sent } = fake;
  const add = (target: FakeTargetOptions = {}) => {
    const element = new FakeTarget({ at: MIDDLE, sent, ...target });
    return { element, ref: app.session.use(Refs).add(element) };
  };
  return { app, fake, sent, add };
}
