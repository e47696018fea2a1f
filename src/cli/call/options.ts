/** The options of `call` beside the fields of the operation. */

import { readAddress } from "../../config/flag_values.ts";
import { option } from "../../config/option.ts";
import { OPTIONS } from "../../config/options.ts";
import { CHOICE } from "../command.ts";

export const CALL_OPTIONS = {
  json: option("json", "<object|->", {
    help: "the fields as a JSON object, or - for standard input; flags come on top",
    read: (text) => text,
  }),
  output: option("output", "<file|->", {
    help: "where the answer goes, such as a picture; - is standard output",
    read: (text) => text,
  }),
  url: option("url", "<url>", {
    help: "address of the service, as http://127.0.0.1:4242 or http://host:4242/name",
    read: readBase,
  }),
  tokenFile: { ...OPTIONS.tokenFile, help: "file with the token of the service (mode 600)" },
  port: { ...CHOICE.port, help: "port of the service, where several run on this computer" },
  name: { ...CHOICE.name, help: "name of the service, where several run on this computer" },
  stateDir: { ...CHOICE.stateDir, help: "state folder of the service, if it is another one" },
};

/** `--json`, `--output` ... */
export const OPTION_FLAGS: readonly string[] = Object.values(CALL_OPTIONS)
  .map(({ flag }) => `--${flag}`);

/** The base address, without a slash at its end. */
function readBase(text: string): URL {
  const url = new URL(readAddress(text));
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}
