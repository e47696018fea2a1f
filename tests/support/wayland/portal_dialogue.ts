/** The dialogues of GNOME's desktop portal on a desktop of 1280x800, and the person who answers them. */

import { waitFor } from "../wait.ts";
import { START_MS } from "./compositors.ts";
import { openPerson, type Person } from "./gnome_person.ts";
import type { WaylandDesktop } from "./desktop.ts";
import type { UserService } from "./user_service.ts";

const TAB = 0xff09;
const CANCEL = { x: 437, y: 290 };
const SHARE = { x: 846, y: 290 };
/** Beside its word. */
const SHARE_COLOUR = { x: 815, y: 300 };
const BLUE = [53, 132, 228];
/** Beneath the cursor it is lighter. */
const TOLERANCE = 25;
const INTERACTION = { x: 820, y: 490 };
/** On the side on which the knob is while it is switched off. */
const INTERACTION_COLOUR = { x: 814, y: 489 };

export interface DialoguePerson extends Person {
  /** Answers the dialogue that comes, until `isOver`. */
  cancelUntil(isOver: () => boolean | Promise<boolean>): Promise<void>;
  /** Chooses the monitor in the dialogue that comes and shares it, until `isOver`. */
  shareUntil(isOver: () => boolean | Promise<boolean>): Promise<void>;
  /** Switches on "Allow remote interaction" in the dialogue that the service sees. */
  allowInteraction(service: UserService): Promise<void>;
}

export async function openDialoguePerson(desktop: WaylandDesktop): Promise<DialoguePerson> {
  const person = await openPerson(desktop);
  // until the window is there a click goes to the desktop, where it does nothing
  const repeat = (act: () => Promise<void>, isOver: () => boolean | Promise<boolean>) =>
    waitFor(async () => {
      if (await isOver()) return true;
      await act();
      return await isOver();
    }, { what: "the end of the dialogue", timeoutMs: START_MS, everyMs: 300 });
  return {
    ...person,
    cancelUntil: async (isOver) => void await repeat(() => person.click(CANCEL), isOver),
    async shareUntil(isOver) {
      await repeat(async () => {
        await person.press(TAB); // into the list, which selects the monitor
        await person.click(SHARE);
      }, isOver);
    },
    async allowInteraction(service) {
      await waitFor(() => isBlue(service, SHARE_COLOUR), {
        ...{ what: "the dialogue", timeoutMs: START_MS },
      });
      await waitFor(async () => {
        await person.click(INTERACTION); // one that comes too early is lost
        return await waitFor(() => isBlue(service, INTERACTION_COLOUR), { timeoutMs: 1_000 });
      }, { what: "the switch to be on" });
    },
  };
}

async function isBlue(service: UserService, at: { x: number; y: number }): Promise<boolean> {
  const color: number[] = await service.call("display/pixel_color", at);
  return color.every((each, i) => Math.abs(each - BLUE[i]!) < TOLERANCE);
}
