/** Defines the operations of the browser as data. */

import type { Limits } from "../../config/limits.ts";
import type { Operation } from "../operation.ts";
import { pageInputOperations } from "./input_operations.ts";
import { LOGIN_EXAMPLES, loginOperations } from "./login_operations.ts";
import { pageOperations } from "./page_operations.ts";
import { stateOperations } from "./state_operations.ts";
import { tabOperations } from "./tab_operations.ts";

export function browserOperations(limits: Limits): readonly Operation[] {
  return [
    ...tabOperations(limits),
    ...pageOperations(limits),
    ...pageInputOperations(limits),
    ...stateOperations(limits),
    ...loginOperations(),
  ];
}

const TAB = { id: "t1", title: "Shop", url: "https://shop.example/", active: true };

const DIALOG = { tab: "t1", kind: "confirm", message: "Delete everything?" };
const FILLED = { result: "confirmed", reason: "The field has the requested value." };

export const BROWSER_EXAMPLES = {
  ...LOGIN_EXAMPLES,
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
    answer: {
      tab: TAB,
      text: '- textbox "Search" [ref=e2]: "shoes"',
      elements: 1,
      matches: [{ ref: "e2", role: "textbox", name: "Search" }],
      truncated: [],
    },
  },
  getPageText: {
    body: { max_characters: 10_000 },
    answer: { tab: TAB, text: "Shop\nAll shoes", truncated: false },
  },
  clickOnPage: { body: { ref: "e3" } },
  movePagePointer: { body: { action: "move", ref: "e3" } },
  dragOnPage: { body: { path: [{ x: 100, y: 100 }, { x: 300, y: 120 }] } },
  scrollPage: { body: { ref: "e3", clicks: -3 } },
  typeOnPage: { body: { ref: "e2", text: "boots" } },
  pressPageKey: { body: { key: "ctrl+a" } },
  fillField: { body: { ref: "e2", value: "boots" }, answer: FILLED },
  uploadFiles: { body: { ref: "e9", paths: ["/home/ada/photo.png"] }, answer: FILLED },
  screenshotPage: { body: { x: 0, y: 0, width: 640, height: 400, format: "jpeg" } },
  waitForPage: {
    body: { text: "Thank you", timeout_ms: 5_000 },
    answer: { status: "met", elapsed_ms: 212 },
  },
  readConsole: {
    body: { since: 0, max: 100 },
    answer: {
      entries: [{
        number: 1,
        level: "error",
        text: "TypeError: total is undefined",
        source: "https://shop.example/cart.js",
        time: "2026-03-09T14:05:11.123Z",
      }],
      dropped: 0,
    },
  },
  readNetwork: {
    body: { since: 0, max: 100 },
    answer: {
      entries: [{
        number: 1,
        method: "GET",
        url: "https://shop.example/",
        type: "Document",
        status: 200,
        error: null,
        time: "2026-03-09T14:05:11.123Z",
      }],
      dropped: 0,
    },
  },
  listDialogs: { answer: [DIALOG] },
  answerDialog: { body: { accept: true }, answer: DIALOG },
  listDownloads: {
    answer: [{
      id: "a1b2",
      url: "https://shop.example/bill.pdf",
      name: "bill.pdf",
      state: "completed",
      path: "/home/ada/Downloads/bill.pdf",
      bytes: 48_211,
    }],
  },
  evaluateScript: {
    body: { expression: "document.title" },
    answer: { text: '"Shop"', threw: false, truncated: false },
  },
};
