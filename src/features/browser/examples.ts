/** Examples of the browser operations. */

const TAB = { id: "t1", title: "Shop", url: "https://shop.example/", active: true };

export const BROWSER_EXAMPLES = {
  listTabs: { answer: [TAB] },
  openTab: {
    body: { url: "https://shop.example/" },
    answer: { tab: TAB, loaded: true, http_status: 200 },
  },
  activateTab: { body: { tab_id: "t1" }, answer: TAB },
  closeTab: { body: { tab_id: "t1" } },
  navigateTab: {
    body: { url: "https://shop.example/" },
    answer: { tab: TAB, loaded: true, http_status: 200 },
  },
  snapshotPage: {
    body: { filter: "visible" },
    answer: {
      tab: TAB,
      text:
        '- document "Shop" [ref=e1]\n  - textbox "Search" [ref=e2]: "shoes"\n  - button "Find" [ref=e3]',
      elements: 3,
      truncated: [],
    },
  },
  findOnPage: {
    body: { query: "search" },
    answer: { tab: TAB, text: '- textbox "Search" [ref=e2]: "shoes"', elements: 1, truncated: [] },
  },
  getPageText: {
    body: { max_characters: 10_000 },
    answer: { tab: TAB, text: "Shop\nAll shoes", truncated: false },
  },
  clickOnPage: { body: { ref: "e3" } },
};
