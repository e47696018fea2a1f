/** Recordings on Windows, where ffmpeg is missing. */

import { expect } from "expect";
import { openWine, wineTest } from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";

wineTest("a recording without ffmpeg is 501, and names the package", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  for (const format of ["auto", "mp4"]) {
    const detail = await service.refused(501, "/api/recording/start", { format });
    expect(detail).toContain("ffmpeg is not installed: install the package");
  }
  expect(await service.call("/api/recording/list")).toEqual([]);
});
