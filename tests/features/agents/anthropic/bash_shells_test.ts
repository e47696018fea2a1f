/** The shells of Anthropic's bash tool: what happens when there are as many as there may be. */

import { expect } from "expect";
import { blindTurn, startWithoutDisplay, textOf, use } from "../../../support/anthropic.ts";
import type { Service } from "../../../support/service.ts";
import { waitFor } from "../../../support/wait.ts";

const ignore = Deno.build.os === "windows"; // there is no shell that keeps its state

/** Runs a command that must not be an error. */
function run(service: Service, command: string, more = {}): Promise<string> {
  return textOf(service, use("bash", { command }), more);
}

Deno.test({
  name: "bash never ends a shell that runs a command to make room for another one",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    const folder = await Deno.makeTempDir();
    const running = Array.from({ length: 16 }, (_, index) => {
      const begun = `${folder}/${index}`;
      const command = `echo $$ > ${begun}; until [ -e ${folder}/go ]; do sleep 0.02; done; echo ok`;
      return run(service, command, { shell: `s${index}` });
    });
    await waitFor(async () => (await Array.fromAsync(Deno.readDir(folder))).length === 16, {
      what: "the commands",
    });
    const [refused] = await blindTurn(service, [use("bash", { command: "true" })], { shell: "x" });
    await Deno.writeTextFile(`${folder}/go`, "");
    expect(refused).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining("16 shells are in use") }],
    });
    expect(await Promise.all(running)).toEqual(Array(16).fill("ok"));
    expect(await run(service, "echo next", { shell: "x" })).toBe("next");
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test({
  name: "no list and no output of an agent's shell shows what marks the ends of its commands",
  ignore,
  async fn() {
    await using service = await startWithoutDisplay();
    await run(service, "echo one");
    await run(service, "printf 'two\\036'; false");
    const seen = "one\ntwo\x1e";
    const [listed] = await service.call("/api/bash/processes/managed") as [Listed];
    expect(listed.output).toBe(seen);
    const path = `/api/bash/process/${listed.pid}/output`;
    const { output, next_offset } = await service.call(path) as Read;
    expect(output).toBe(seen);
    await run(service, "echo three");
    expect((await service.call(`${path}?offset=${next_offset}`) as Read).output).toBe("three\n");
    for (let offset = 4; offset <= next_offset; offset++) {
      const part = await service.call(`${path}?offset=${offset}`) as Read;
      expect(["two\x1ethree\n", "wo\x1ethree\n", "o\x1ethree\n", "\x1ethree\n", "three\n"])
        .toContain(part.output);
    }
  },
});

interface Listed {
  readonly pid: number;
  readonly output: string;
}

interface Read {
  readonly output: string;
  readonly next_offset: number;
}
