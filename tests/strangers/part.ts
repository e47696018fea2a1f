/**
 * The part of the strangers' tasks that belongs to a day: the days take turns through all tasks, so that each has its day,
 * and what fails can be repeated with the day's number.
 */

/** What no hand is asked for, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "hover-shape": "The page rewards nobody: its line for that is commented out",
  "click-pie-nodelay":
    "The page adds its first slice anew under the mouse, which then gets no click (where the task asks for that)",
};

const DAY_MS = 86_400_000;
/** A step through the names that is prime to every count of them below it: neighbours are alike, and take days apart. */
const STEP = 7919;

/** The number of a day, which is the seed of its tasks. */
export function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** The tasks of a day: so many, and after `all.length / count` days the first ones again. */
export function partOf<Task>(all: readonly Task[], count: number, day: number): readonly Task[] {
  const many = Math.min(count, all.length);
  return Array.from({ length: many }, (_, at) => all[(day * many + at) * STEP % all.length]!);
}
