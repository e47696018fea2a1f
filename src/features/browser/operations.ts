/** Defines the operations of the browser as data. */

import type { Limits } from "../../config/limits.ts";
import type { Operation } from "../operation.ts";
import { formOperations } from "./form_operations.ts";
import { pageOperations } from "./page_operations.ts";
import { pictureOperations } from "./picture_operations.ts";
import { pointerOperations } from "./pointer_operations.ts";
import { stateOperations } from "./state_operations.ts";
import { tabOperations } from "./tab_operations.ts";

export function browserOperations(limits: Limits): readonly Operation[] {
  return [
    ...tabOperations(limits),
    ...pageOperations(limits),
    ...pictureOperations(limits),
    ...formOperations(),
    ...pointerOperations(limits),
    ...stateOperations(limits),
  ];
}
