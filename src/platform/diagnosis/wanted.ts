/** What the flags ask for: everything that they do not switch off. */

import type { Config } from "../../config/config.ts";
import type { Group } from "../../core/groups.ts";

export interface Wanted {
  /** Any of display, mouse and keyboard. */
  readonly screen: boolean;
  readonly pictures: boolean;
  /** Mouse or keyboard. */
  readonly input: boolean;
  readonly keyboard: boolean;
  readonly keychain: boolean;
}

export function findWanted({ disabled, readOnly }: Config): Wanted {
  const isOn = (group: Group) => !disabled.has(group);
  const input = !readOnly && (isOn("mouse") || isOn("keyboard"));
  return {
    screen: isOn("display") || isOn("mouse") || isOn("keyboard"),
    pictures: isOn("display"),
    input,
    keyboard: !readOnly && isOn("keyboard"),
    keychain: isOn("keychain"),
  };
}
