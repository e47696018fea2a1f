/** The flags that choose running services. */

import { readWholeNumber } from "../config/flag_values.ts";
import { option } from "../config/option.ts";
import { OPTIONS } from "../config/options.ts";

export const CHOICE = {
  port: option("port", "<number>", {
    help: OPTIONS.port.help,
    read: (text) => readWholeNumber(text, { min: 1, max: 65_535 }),
  }),
  name: OPTIONS.name,
  stateDir: OPTIONS.stateDir,
};
