/** Why an X server cannot be used: an absent one, one that wants a cookie, one that wants another cookie. */

import { expect } from "expect";
import { startCommand } from "../../../support/command.ts";
import { run } from "../../../support/desktop.ts";
import { testFolder } from "../../../support/folder.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const COOKIE = "0123456789abcdef0123456789abcdef";
const OTHER_COOKIE = "f".repeat(32);

/** What XAUTHORITY names, and what is said then. */
const CASES: Readonly<Record<string, { readonly said: string; readonly name?: string }>> = {
  "no file": { name: "", said: '/.Xauthority" does not exist' },
  "a file that does not exist": { name: "nowhere", said: '/nowhere", which does not exist' },
  "a folder": { name: "folder", said: '/folder", which is not a file' },
  "a FIFO": { name: "fifo", said: '/fifo", which is not a file' },
  "a file for other displays": { name: "others", said: '/others", which has none for display ' },
  "a file that is cut off": { name: "cut", said: '/cut", which has none for display ' },
  "another cookie": { name: "another", said: "/another\" is not the server's (Invalid MIT-MAGIC" },
};

Deno.test("a missing X cookie is said as such, and ends nothing", async (test) => {
  await using folder = await testFolder();
  const path = (name: string) => `${folder.path}/${name}`;
  await addCookie(path("server"), ":0", COOKIE); // a server takes every entry for its own
  await using server = await startXvfb({ args: ["-auth", path("server")] });
  await addCookie(path("right"), server.display, COOKIE);
  await addCookie(path("another"), server.display, OTHER_COOKIE);
  await addCookie(path("others"), ":4711", COOKIE);
  await Deno.mkdir(path("folder"));
  await run("mkfifo", [path("fifo")]);
  const whole = await Deno.readFile(path("right"));
  await Deno.writeFile(path("cut"), whole.subarray(0, whole.length - 1));

  for (const [what, { name, said }] of Object.entries(CASES)) {
    await test.step(what, async () => {
      const detail = await readiness(server.display, name ? path(name) : "");
      expect(detail).toContain(`the X server at "${server.display}" refuses the connection: `);
      expect(detail).toContain(said);
      expect(detail).toContain("set XAUTHORITY to the file with its cookie");
      expect(detail).not.toContain(OTHER_COOKIE);
    });
  }
  await test.step("the right one", async () => {
    expect(await readiness(server.display, path("right"))).toContain(`Display 1 is`);
  });
});

Deno.test("a display without a server is said to be one", async () => {
  let display: string;
  {
    await using server = await startXvfb();
    display = server.display;
  }
  expect(await readiness(display, "")).toContain(`no X server answers at "${display}"`);
});

/** What a service that is to use the display says of it. */
async function readiness(display: string, xauthority: string): Promise<string> {
  const env = xauthority === "" ? {} : { XAUTHORITY: xauthority };
  await using service = await startCommand(["--display", `1=${display}`], env);
  const answer = await (await fetch(`${service.address}/readyz`)).json();
  return answer.display.reason;
}

async function addCookie(file: string, display: string, cookie: string): Promise<void> {
  await run("xauth", ["-f", file, "add", display, ".", cookie]);
}
