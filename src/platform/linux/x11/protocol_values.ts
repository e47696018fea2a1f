/** Numbers of the X protocol that requests and answers of several files carry. */

/** No window, and no atom: also the type of a property that is not there. */
export const NONE = 0;
/** The focus follows the cursor. Windows have greater ids than this and `NONE`. */
export const POINTER_ROOT = 1;
/** A time: when the server reads the request. */
export const CURRENT_TIME = 0;

/** The class of a window that is never drawn, and the state of one that can be seen. */
export const INPUT_ONLY = 2;
export const VIEWABLE = 2;

/** What happens to the content that a property has, and that a change gave it a new one. */
export const REPLACE = 0;
export const APPEND = 2;
export const NEW_VALUE = 0;

/** The type of a property: any. */
export const ANY_TYPE = 0;

/** Atoms that every server has under the same number. */
export const PREDEFINED = {
  ATOM: 4,
  CARDINAL: 6,
  INTEGER: 19,
  STRING: 31,
  WM_HINTS: 35,
  WM_CLIENT_MACHINE: 36,
  WM_NAME: 39,
  WM_CLASS: 67,
} as const;
