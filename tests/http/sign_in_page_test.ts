/** The page to sign in, in a real browser: by the address with the token, however it is entered. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { hasChromium } from "../support/still_programs.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const TOKEN = "a+token/with=signs+0123456789";

Deno.test({
  name:
    "the address with the token signs in, also where the page is open already, and leaves no token",
  ignore: unless(Deno.build.os === "linux", "it needs a virtual display") ||
    unless(hasChromium(), "chromium is not installed"),
  async fn() {
    await using folder = await testFolder();
    const file = `${folder.path}/token`;
    await Deno.writeTextFile(file, TOKEN, { mode: 0o600 });
    await using closed = await startCommand(["--token-file", file, "--disable", "display,mouse"]);
    await using viewer = await startCommand(["--virtual-display", "--open-browser"]);
    const tabs = async () => {
      const answer = await fetch(`${viewer.address}/api/browser/tabs`);
      return JSON.stringify(await answer.json());
    };
    const open = async (url: string) => {
      const answer = await viewer.post("/api/browser/navigate", { url });
      await answer.body?.cancel();
    };
    const byName = closed.address.replace("127.0.0.1", "localhost"); // with a session of its own
    for (const [address, token] of [[closed.address, TOKEN], [byName, encodeURIComponent(TOKEN)]]) {
      await open(`${address}/`);
      expect(await tabs()).toContain("sign in");
      await open(`${address}/#token=${token}`);
      await waitFor(async () => (await tabs()).includes(`${address}/docs"`), {
        what: "the documentation, signed in",
      });
      expect(await tabs()).not.toContain("0123456789");
      await open(`${address}/docs#token=${token}`);
      await waitFor(async () => !(await tabs()).includes("0123456789"), {
        what: "the address without the token",
      });
    }
  },
});
