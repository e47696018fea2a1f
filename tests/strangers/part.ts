/**
 * The part of the strangers' tasks that belongs to a day: the days take turns through all tasks, so that each has its day,
 * and what fails can be repeated with the day's number.
 */

/** What the pages themselves make unsolvable, or some of their seeds. */
export const UNSOLVABLE: Readonly<Record<string, string>> = {
  "hover-shape": "The page rewards nobody: its line for that is commented out",
  "click-pie-nodelay":
    "The page adds its first slice anew under the mouse, which then gets no click (where the task asks for that)",
  "tic-tac-toe": "The page's own moves are by chance: with some seeds the best play loses",
  "email-inbox-forward": "With some seeds two mails are by the sender that is named",
  "email-inbox-noscroll": "With some seeds two mails are by the sender that is named",
};
/** What no day is asked for, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  ...UNSOLVABLE,
  "click-pie": "As click-pie-nodelay, with some seeds",
  "button-delay": "Judged by the time that passes: a busy computer fails it",
  "moving-items": "What moves is clicked in time: a busy computer is too late",
  "chase-circle": "What moves is followed in time: a busy computer is too late",
  "simon-says": "What lights up for 250 ms is to be seen: a busy computer misses it",
};

const DAY_MS = 86_400_000;
/** A prime: neighbours are alike, and take days apart. */
const STEP = 47;

/** The number of a day, which is the seed of its tasks. */
export function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** The tasks of a day: so many, and after `all.length / count` days the first ones again. */
export function partOf<Task>(all: readonly Task[], count: number, day: number): readonly Task[] {
  const many = Math.min(count, all.length);
  return Array.from({ length: many }, (_, at) => all[(day * many + at) * STEP % all.length]!);
}
