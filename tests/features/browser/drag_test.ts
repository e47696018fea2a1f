/** A drag in a page takes a short way in ten moves, and a way of many points in no more than these. */

import { expect } from "expect";
import { startBrowserDesktop } from "../../support/browser/browser_desktop.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const ignore = unless(Deno.build.os === "linux", "the browser is started on an X server");

const PAGE = `<title>Drags</title><body style="margin: 0; height: 100vh">
<script>
  addEventListener("mousemove", ({ buttons, clientX }) => buttons && report("move " + clientX));
  addEventListener("mouseup", () => report("up"));
</script>`;

Deno.test({
  name: "a drag in a page moves from point to point",
  ignore,
  async fn(test) {
    await using desktop = await startBrowserDesktop();
    const { service, pages } = desktop;
    const drag = async (...places: number[]) => {
      await desktop.show("/drags", PAGE);
      await service.call("/api/browser/drag", { path: places.map((x) => ({ x, y: 50 })) });
      await waitFor(() => pages.reports.includes("up"), { what: "the release" });
      return pages.reports.splice(0).filter((each) => each !== "up");
    };
    const moves = (places: number[]) => places.map((x) => `move ${x}`);

    await test.step("of two points in ten moves, so that the page sees a drag", async () => {
      const tens = Array.from({ length: 10 }, (_, index) => 20 + index * 10);
      expect(await drag(10, 110)).toEqual(moves(tens));
    });

    await test.step("of a few points in at least ten, by every point", async () => {
      const seen = await drag(10, 110, 10, 60);
      expect(seen.length).toBeGreaterThanOrEqual(10);
      expect(seen).toEqual(expect.arrayContaining(moves([110, 10, 60])));
    });

    await test.step("of many points in one move each, since all other input waits meanwhile", async () => {
      const places = Array.from({ length: 100 }, (_, index) => 10 + index * 3);
      expect(await drag(...places)).toEqual(moves(places.slice(1)));
    });
  },
});
