/** The operations on the service itself, as data. */

import { z } from "zod";
import { defineOperation, type Operation } from "../operation.ts";
import { getHealth, getReadiness } from "./health.ts";
import { getSystemInfo, SystemInfo } from "./info.ts";
import { releaseAll } from "./release_all.ts";

const State = z.object({ ready: z.boolean(), reason: z.string().describe("One sentence.") });

/** Every system operation. */
export function systemOperations(): readonly Operation[] {
  return [
    defineOperation({
      id: "getHealth",
      group: "system",
      readOnly: true,
      urgent: true,
      unnamed: true,
      method: "GET",
      path: "/healthz",
      summary: "Whether the service is alive",
      description: "Needs no token.",
      answer: {
        status: 200,
        description: "It is",
        schema: z.object({ status: z.literal("ok") }),
      },
      run: getHealth,
    }),
    defineOperation({
      id: "getReadiness",
      group: "system",
      readOnly: true,
      urgent: true,
      unnamed: true,
      method: "GET",
      path: "/readyz",
      summary: "Whether the display and the keychain can be used now",
      description:
        "Without the display the service is not ready. Without the keychain it is, because only the " +
        "keychain operations answer 503 then.",
      answer: {
        status: 200,
        description: "Ready",
        schema: z.object({ ready: z.boolean(), display: State, keychain: State }),
      },
      errors: { 503: "Not ready; the body has the same shape and says why" },
      run: getReadiness,
    }),
    defineOperation({
      id: "getSystemInfo",
      group: "system",
      readOnly: true,
      urgent: true,
      method: "GET",
      path: "/api/system/info",
      summary: "Version, system, chosen backends and limits",
      answer: { status: 200, description: "What this service is", schema: SystemInfo },
      run: getSystemInfo,
    }),
    defineOperation({
      id: "releaseAll",
      group: "system",
      readOnly: false,
      urgent: true,
      method: "POST",
      path: "/api/system/release-all",
      summary: "Release every key and button at once",
      description: "Overtakes: ends the running input operation, drops the waiting ones (they " +
        "answer 409), and releases everything that is down on every display in use.",
      body: z.object({}),
      answer: { status: 204, description: "Nothing is held down" },
      run: releaseAll,
    }),
  ];
}
