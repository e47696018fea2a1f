/** Examples of the display operations. */

export const DISPLAY_EXAMPLES = {
  getPixelColor: { body: { x: 200, y: 150 }, answer: [255, 204, 0] },
  takeScreenshot: { query: { format: "jpeg", quality: 80, max_width: 1_280 } },
  getScreenSize: { query: { display_num: 1 }, answer: { width: 1_280, height: 800 } },
  listDisplays: {
    answer: [{ display_num: 1, name: ":99", width: 1_280, height: 800, scale: 1, primary: true }],
  },
  waitForDisplay: {
    body: { until: "stable", stable_ms: 300, timeout_ms: 10_000 },
    answer: { status: "stable", elapsed_ms: 812 },
  },
  locateImage: {
    body: { image_path: "/home/ada/button.png", confidence: 0.9 },
    answer: { x: 540, y: 310, width: 96, height: 32, confidence: 0.987 },
  },
};
