/** The worker: parses large bodies beside the thread that answers requests. */

import { parseJson } from "./parse.ts";
import type { ParseReply, ParseRequest } from "./large_bodies.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ParseRequest>) => void;
  postMessage(reply: ParseReply): void;
};

scope.onmessage = ({ data: { id, bytes } }) => {
  scope.postMessage({ id, parsed: parseJson(new Uint8Array(bytes)) });
};
