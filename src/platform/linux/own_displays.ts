/** Displays of a backend that need no X server: their names, and what a backend with several tells. */

import type { OpenDisplay } from "./linux_display.ts";

export interface OwnDisplay {
  /** What `GET /api/display/list` calls it; names that start with ":" are those of X displays. */
  readonly name: string;
  /** Environment variables by which commands find it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The X display that becomes number 1 if this one cannot be controlled at all. */
  readonly otherwise?: string | undefined;
}

/** The displays of a backend that has several, or that knows only later whether it has any. */
export interface OwnDisplays extends AsyncDisposable {
  /** What is in use, once it is open. */
  readonly backend: string | undefined;
  readonly reason: string;
  /** Why there can be none, if that was the last answer. */
  readonly refusal: string | undefined;
  readonly open: OpenDisplay;
  /** The numbers of the displays that there are now. */
  numbers(): readonly number[];
}

export interface OwnNumbers {
  /** Those that there are now. */
  numbers(): readonly number[];
  nameOf(displayNum: number): string;
}

/** The name of a further display of a backend. */
export function ownName({ name }: OwnDisplay, displayNum: number): string {
  return displayNum === 1 ? name : `${name}/${displayNum}`;
}

/** Whether a name is that of a display of the backend, and not that of an X display. */
export function isOwn(own: OwnDisplay | undefined, name: string): boolean {
  return own !== undefined && (name === own.name || name.startsWith(`${own.name}/`));
}
