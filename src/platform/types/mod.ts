/** The ports: everything that the service needs from a system. Read `platform.ts` first. */

export type * from "./platform.ts";
export type * from "./display.ts";
export type * from "./screen.ts";
export type * from "./input.ts";
export type * from "./focus.ts";
export type * from "./recipients.ts";
export type * from "./clipboard.ts";
export type * from "./accessibility.ts";
export type * from "./windows.ts";
export type * from "./browser.ts";
export type * from "./browser_jobs.ts";
export type * from "./keychain.ts";
export type * from "./file_system.ts";
export type * from "./processes.ts";
export type * from "./process_table.ts";
export type * from "./peers.ts";
export type * from "../../core/geometry.ts";
export type * from "./port.ts";
