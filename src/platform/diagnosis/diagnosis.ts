/** Opens the checks of the system that the program runs on. */

import type { Diagnosis } from "../types/diagnosis.ts";

/** The imports are literal, so that a compiled program contains them. */
const SYSTEMS: Readonly<Record<string, () => Promise<Diagnosis>>> = {
  linux: async () => (await import("../linux/diagnosis/programs.ts")).linuxDiagnosis,
  darwin: async () => (await import("../macos/diagnosis.ts")).macosDiagnosis,
  windows: async () => (await import("../windows/mod.ts")).windowsDiagnosis,
};

/** `undefined` on a system that the service does not know. */
export async function openDiagnosis(os: string): Promise<Diagnosis | undefined> {
  return await SYSTEMS[os]?.();
}
