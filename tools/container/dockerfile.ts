/** Reads the part of the Dockerfile format that ours uses; anything else is an error, so that no step is lost. */

/** One step: `RUN`, and what follows it. */
export interface Instruction {
  readonly keyword: typeof KEYWORDS[number];
  /** `--chmod=755` -> `chmod: "755"` */
  readonly flags: Readonly<Record<string, string>>;
  readonly rest: string;
}

const KEYWORDS = [
  ...["FROM", "RUN", "COPY", "ARG", "ENV", "USER", "WORKDIR", "EXPOSE", "HEALTHCHECK"],
  ...["ENTRYPOINT", "CMD"],
] as const;

/** @throws Error that names the line which cannot be read. */
export function readDockerfile(text: string): readonly Instruction[] {
  const whole = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line)).join("\n");
  return whole.replaceAll(/\\\n\s*/g, "").split("\n").map(readLine);
}

function readLine(line: string): Instruction {
  const [, word = "", after = ""] = /^(\w+)\s+(.+)$/.exec(line) ?? [];
  const keyword = KEYWORDS.find((each) => each === word);
  if (keyword === undefined) throw new Error(`Cannot read "${line}" of the Dockerfile`);
  const flags: Record<string, string> = {};
  const rest = after.replace(/^(--[a-z-]+=\S+\s+)+/, (words) => {
    for (const each of words.trim().split(/\s+/)) {
      const [name, value] = each.slice(2).split("=", 2);
      flags[name!] = value!;
    }
    return "";
  });
  return { keyword, flags, rest };
}

/** The list of a `["..."]` form. */
export function readList(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((word) => typeof word === "string")) return list;
  throw new Error(`Cannot read "${text}" of the Dockerfile: it must be a list of texts`);
}

/** `A=1 B=two` */
export function readPairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(/\s+/).map((pair) => {
      const [name, ...value] = pair.split("=");
      return [name!, value.join("=")];
    }),
  );
}
