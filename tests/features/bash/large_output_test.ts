/** Output without end, without line breaks, without text. */

import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { startShell } from "../../support/shell.ts";
import { waitFor } from "../../support/wait.ts";

const MIB = 2 ** 20;
const ENDLESS_MIB = pick({ short: 100, full: 1_000 });
const LINE_MIB = pick({ short: 64, full: 1_024 });
const KEPT = 64 * 1024 + MIB;

Deno.test("of endless output head and tail are kept, and the process is not blocked", async () => {
  await using shell = startShell();
  const pid = await shell.start("yes 0123456");
  const bytesOf = async () => (await shell.list())[0]!.output_bytes;
  await waitFor(async () => await bytesOf() > 32 * MIB);
  const before = memoryBytes();
  const grown = await bytesOf() + ENDLESS_MIB * MIB;
  await waitFor(async () => await bytesOf() > grown, {
    timeoutMs: 600_000,
    what: `${ENDLESS_MIB} MiB more`,
  });
  expect(memoryBytes() - before).toBeLessThan(20 * MIB);

  await shell.terminate(pid);
  const { output, truncated, next_offset } = await shell.output(pid);
  expect(truncated).toBe(true);
  expect(output.length).toBe(KEPT);
  expect(output.slice(0, 64 * 1024)).toBe("0123456\n".repeat(8 * 1024));
  const line = "0123456\n".repeat(MIB / 8 + 1);
  const shift = (next_offset - MIB) % 8;
  expect(output.slice(64 * 1024)).toBe(line.slice(shift, shift + MIB));
  const tail = await shell.output(pid, `?offset=${next_offset - 8}`);
  expect(tail).toMatchObject({ output: line.slice(shift, shift + 8), truncated: false });
  const gap = await shell.output(pid, `?offset=${64 * 1024 + 1}`);
  expect(gap.output).toBe(output.slice(64 * 1024));
  expect(gap.truncated).toBe(true);
});

Deno.test(`a line of ${LINE_MIB} MiB is taken in`, async () => {
  await using shell = startShell();
  const command = `head -c ${LINE_MIB * MIB} /dev/zero | tr '\\0' x; printf end`;
  const { output, exit_code, truncated } = await shell.run(command, { timeout: 600 });
  expect({ exit_code, truncated, length: output.length }).toEqual({
    ...{ exit_code: 0, truncated: true, length: KEPT },
  });
  expect(/^x+end$/.test(output)).toBe(true);
});

Deno.test("how much is kept is configurable", async () => {
  await using shell = startShell({ limits: { keptHeadBytes: 4, keptTailBytes: 6 } });
  expect(await shell.run("printf 0123456789abcdef")).toMatchObject({
    output: "0123abcdef",
    truncated: true,
  });
  expect(await shell.run("printf 0123456789")).toMatchObject({
    output: "0123456789",
    truncated: false,
  });
});

Deno.test("output that is no UTF-8 is replaced", async () => {
  await using shell = startShell();
  const { output } = await shell.run("printf 'a\\xff\\xc3(b\\xe6\\x97'");
  expect(output).toBe("a\ufffd\ufffd(b\ufffd");
  const random = await shell.run("head -c 100000 /dev/urandom");
  expect(random.exit_code).toBe(0);
});

Deno.test("a character that comes in pieces is never cut", async () => {
  await using shell = startShell();
  const pid = await shell.start('while IFS= read -rn 4 byte; do printf "$byte"; done', {
    stdin_open: true,
    env: { LC_ALL: "C" },
  });
  const bytes = [...new TextEncoder().encode("é日🙂")];
  let text = "";
  let offset = 0;
  for (const [index, byte] of bytes.entries()) {
    const escaped = `\\x${byte.toString(16)}`;
    await shell.app.post(`/api/bash/process/${pid}/input`, { text: escaped });
    await waitFor(async () => (await shell.list())[0]!.output_bytes === index + 1);
    const part = await shell.output(pid, `?offset=${offset}`);
    text += part.output;
    offset = part.next_offset;
    expect([0, 2, 5, 9]).toContain(offset);
  }
  expect({ text, offset }).toEqual({ text: "é日🙂", offset: 9 });
});

function memoryBytes(): number {
  return Deno.memoryUsage().rss;
}
