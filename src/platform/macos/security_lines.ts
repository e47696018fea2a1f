/** Writes lines for the interactive mode of `security`, and parses the listing that it prints. */

/** The longest line that `security` reads, in bytes, including the line break. */
export const MAX_LINE_BYTES = 4_096;

/**
 * One line: a command and its arguments, quoted where needed.
 * @throws Error for a word that would end the line and begin another command.
 */
export function commandLine(words: readonly string[]): string {
  if (words.some((word) => /[\0\r\n]/.test(word))) {
    throw new Error("A line of security takes no line break");
  }
  return `${words.map(quote).join(" ")}\n`;
}

/** The accounts of all generic passwords of one service, from the output of `dump-keychain`. */
export function accountsIn(dump: string, service: string): string[] {
  const blocks = dump.split(/^(?=keychain: )/m);
  return blocks.flatMap((block) => {
    if (!/^class: "?genp"?/m.test(block) || attribute(block, "svce") !== service) return [];
    const account = attribute(block, "acct");
    return account === undefined ? [] : [account];
  });
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}

/** `"acct"<blob>="text"`, or `"acct"<blob>=0x62C3BC  "b\303\274"` where the text is not all ASCII. */
function attribute(block: string, name: string): string | undefined {
  const match = new RegExp(`^\\s*"${name}"<blob>=(?:0x([0-9A-F]+)|"(.*)"$)`, "m").exec(block);
  if (match === null) return undefined;
  const [, hex, text] = match;
  if (hex === undefined) return text;
  return new TextDecoder().decode(Uint8Array.fromHex(hex));
}
