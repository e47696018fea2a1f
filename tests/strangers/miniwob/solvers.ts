/** The solvers by their task. */

import { APPLICATION_SOLVERS } from "./application_solvers.ts";
import { CLICK_SOLVERS } from "./click_solvers.ts";
import { FORM_SOLVERS } from "./form_solvers.ts";
import type { Solver } from "./hand.ts";
import { SHAPE_SOLVERS } from "./shape_solvers.ts";
import { TEXT_SOLVERS } from "./text_solvers.ts";

export const SOLVERS: Readonly<Record<string, Solver>> = {
  ...CLICK_SOLVERS,
  ...FORM_SOLVERS,
  ...TEXT_SOLVERS,
  ...APPLICATION_SOLVERS,
  ...SHAPE_SOLVERS,
};
