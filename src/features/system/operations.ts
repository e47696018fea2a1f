/** Defines the operations on the service itself, as data. */

import { z } from "zod";
import { importModules, ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { definingWith, INPUT_ERRORS, json, noContent, type Operation } from "../operation.ts";
import { getHealth, getReadiness, getSystemInfo, READINESS_ANSWER, SystemInfo } from "./info.ts";
import { DisplaySessions } from "../input/display_sessions.ts";

export function systemOperations(): readonly Operation[] {
  const define = definingWith({ group: "system", method: "GET", readOnly: true, urgent: true });
  return [
    define({
      id: "getHealth",
      unnamed: true,
      path: "/healthz",
      summary: "Check whether the service is alive",
      description: "Needs no token.",
      answer: json("The service is running.", z.object({ status: z.literal("ok") })),
      run: getHealth,
    }),
    define({
      id: "getReadiness",
      unnamed: true,
      path: "/readyz",
      summary: "Check whether the display and the keychain are available now",
      description:
        "Without the display the service is not ready. Without the keychain it is ready, because only the " +
        'keychain operations then answer 503. Without the token that the service asks for, the answer is only `{"ready": true}` or `{"ready": false}`.',
      answer: READINESS_ANSWER,
      run: getReadiness,
    }),
    define({
      id: "getMetrics",
      unnamed: true,
      path: "/metrics",
      summary: "Get the figures of the service for Prometheus",
      description:
        "Requests and calls by operation, how long they took, what waits and runs, memory.",
      answer: {
        status: 200,
        description: "The figures, in the text format of Prometheus.",
        mediaTypes: [METRICS_TYPE],
      },
      run: getMetrics,
    }),
    define({
      id: "getSystemInfo",
      path: "/api/system/info",
      summary: "Get the version, system, chosen backends and limits",
      answer: json("Describes the service and how it was started.", SystemInfo),
      run: getSystemInfo,
    }),
    define({
      id: "releaseAll",
      method: "POST",
      readOnly: false,
      path: "/api/system/release-all",
      summary: "Release every key and button",
      description:
        "Preempts all other operations: ends the running input operation, drops the queued ones (they " +
        "answer 409), and releases every key and button on every display in use.",
      body: z.object({}),
      answer: noContent("No key or button is held down."),
      errors: {
        permission_denied: INPUT_ERRORS.permission_denied,
        unavailable: "The display is not available now.",
      },
      run: releaseAll,
    }),
  ];
}

/** The media type of the text format of Prometheus. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

async function getMetrics({ session, config }: Context) {
  const { formatMetrics } = await importModules(() => import("./metrics.ts"));
  const bytes = new TextEncoder().encode(await formatMetrics(session, config));
  return { mediaType: METRICS_TYPE, bytes } as const;
}

// Releases every key and button, ahead of all waiting operations.

const DEFAULT_DISPLAY = 1;

async function releaseAll({ session, inputScope }: Context): Promise<void> {
  try {
    // so that keys left down by an earlier run are released too
    await session.use(DisplaySessions).open(DEFAULT_DISPLAY);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  await session.use(DisplaySessions).releaseAll(inputScope);
}
