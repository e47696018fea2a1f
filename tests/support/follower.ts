/** A caller who has a picture, and asks again and again for what has changed since. */

import { decodePng } from "./png.ts";
import { difference, shoot, type Shot } from "./pictures.ts";
import type { Service } from "./service.ts";

export class Follower {
  /** How many times it was told that nothing has changed. */
  unchanged = 0;

  private constructor(
    private readonly service: Service,
    /** What it was sent last, and all that it has by now. */
    private readonly has: { frame: string; readonly picture: Shot },
  ) {}

  static async open(service: Service): Promise<Follower> {
    const picture = await shoot(service);
    return new Follower(service, { frame: picture.frame, picture });
  }

  /** The same caller, who remembers the picture of now. */
  copy(): Follower {
    const { frame, picture } = this.has;
    return new Follower(this.service, { frame, picture: { ...picture, rgb: picture.rgb.slice() } });
  }

  /** Asks for what has changed; gives whether anything has. */
  async ask(): Promise<boolean> {
    const response = await this.service.send(`/api/display/screenshot?since=${this.has.frame}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status === 204) {
      this.unchanged++;
      return false;
    }
    if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
    const part = decodePng(bytes);
    const { picture } = this.has;
    const [left, top] = response.headers.get("x-region")!.split(",").map(Number);
    for (let row = 0; row < part.height; row++) {
      const line = part.rgb.subarray(row * part.width * 3, (row + 1) * part.width * 3);
      picture.rgb.set(line, ((top! + row) * picture.width + left!) * 3);
    }
    this.has.frame = response.headers.get("x-frame")!;
    return true;
  }

  /** The greatest difference between what it has and what the screen shows now. */
  async error(): Promise<number> {
    return difference(this.has.picture.rgb, (await shoot(this.service)).rgb);
  }
}

/** What a screen can show: painting resolves when it does. */
export interface Flipped {
  readonly service: Service;
  paint(what: "A" | "B"): Promise<void>;
  /** Asks for another picture, but does not wait for it. */
  flip(what: "A" | "B"): void;
}

/**
 * The screen shows A, B and A again between two questions, and while they are answered: what the callers have is then
 * what it shows.
 * @throws Error who was told something wrong
 */
export async function followThereAndBack(
  { service, paint, flip }: Flipped,
  { rounds, everyMs }: { readonly rounds: number; readonly everyMs: number },
): Promise<void> {
  const check = async (follower: Follower, what: string) => {
    const error = await follower.error();
    if (error > 0) throw new Error(`${what}: a caller has what is wrong by ${error}`);
  };
  await paint("A");
  const first = await Follower.open(service);
  await first.ask();
  await check(first, "A");

  await paint("B");
  await paint("A");
  const between = first.copy();
  await between.ask();
  await check(between, "A, B and A, with no question between");

  await paint("B");
  const old = between.copy();
  if (!await between.ask()) throw new Error("A and B: nothing has changed");
  await check(between, "B");
  await paint("A");
  if (!await between.ask()) throw new Error("B and A: nothing has changed");
  await check(between, "A again");
  await old.ask();
  await check(old, "A, B and A, since the first A");

  const callers = [first, between, old];
  for (let round = 0; round < rounds; round++) {
    let flips = 0;
    const flipping = setInterval(() => flip(++flips % 2 === 0 ? "A" : "B"), everyMs);
    for (let asked = 0; asked < 4; asked++) await Promise.all(callers.map((each) => each.ask()));
    clearInterval(flipping);
    await paint(round % 2 === 0 ? "A" : "B");
    for (const each of callers) {
      await each.ask();
      await check(each, `round ${round}, after ${flips} changes`);
    }
  }
}
