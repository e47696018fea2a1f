/** Tasks of OSWorld about the browser: its settings, bookmarks and history. */

import { BROWSER_PROFILE } from "./local_programs.ts";
import { type LocalTask, rules } from "./local_task.ts";

type BrowserTask = Omit<LocalTask, "family" | "app">;

function browserTask(task: BrowserTask): LocalTask {
  return { ...task, family: "browser", app: "browser" };
}

const DEFAULT = `~/${BROWSER_PROFILE}/Default`;

/** Writes a file of the profile before the browser is started, or in its place. */
function writes(file: string, content: object): string {
  return `mkdir -p ${DEFAULT} && echo '${JSON.stringify(content)}' > "$(echo ${DEFAULT})/${file}"`;
}

/** What one of OSWorld's getters calls true. */
function isTrue(type: string): Pick<LocalTask, "evaluator" | "isEnded"> {
  return {
    isEnded: true,
    evaluator: {
      func: "exact_match",
      result: { type },
      expected: rules({ expected: "true" }),
    },
  };
}

const FAVORITES = {
  roots: { bookmark_bar: { children: [{ type: "folder", name: "Favorites", children: [] }] } },
};
const HISTORY = "history.py";
/** A history as OSWorld's own setup makes it: the browser makes the file, and rows are put into it. */
const MAKE_HISTORY = `
mkdir -p ${DEFAULT}
cat > ~/${HISTORY} <<'END'
import os, sqlite3, time
path = os.path.expanduser("${DEFAULT}/History")
base = sqlite3.connect(path)
now = int((time.time() + 11644473600) * 1_000_000)
for at, (url, title) in enumerate([
    ("https://www.youtube.com/watch?v=one", "One"),
    ("https://www.youtube.com/watch?v=two", "Two"),
    ("https://www.example.org/", "Example"),
]):
    when = now - at * 1_000_000
    base.execute("INSERT INTO urls (url, title, visit_count, typed_count, last_visit_time, hidden) VALUES (?, ?, 1, 0, ?, 0)", (url, title, when))
    row = base.execute("SELECT last_insert_rowid()").fetchone()[0]
    base.execute("INSERT INTO visits (url, visit_time, from_visit, transition, segment_id, visit_duration) VALUES (?, ?, 0, 805306368, 0, 0)", (row, when))
base.commit()
END
chromium --headless --no-sandbox --disable-gpu --no-first-run --password-store=basic --user-data-dir=$HOME/${BROWSER_PROFILE} --dump-dom about:blank > /dev/null 2>&1
python3 ~/${HISTORY}`;

export const BROWSER_TASKS: readonly LocalTask[] = [
  browserTask({
    name: "browser-do-not-track",
    id: "030eeff7",
    instruction: "Enable the 'Do Not Track' feature.",
    ...isTrue("enable_do_not_track"),
    done: writes("Preferences", { enable_do_not_track: true }),
    async solve({ visit, page }) {
      await visit("chrome://settings/cookies");
      await page.click("switch", "Do Not Track");
      await page.click("button", "Confirm");
    },
  }),
  browserTask({
    name: "browser-passwords",
    id: "12086550",
    instruction: "Navigate to the area of the browser's settings where passwords are stored.",
    evaluator: {
      func: "is_expected_active_tab",
      result: { type: "active_url_from_accessTree", goto_prefix: "" },
      expected: rules({ type: "url", url: "chrome://password-manager/passwords" }),
    },
    async solve({ visit }) {
      await visit("chrome://password-manager/passwords");
    },
  }),
  browserTask({
    name: "browser-bookmark-folder",
    id: "2ad9387a",
    instruction: "Make a new folder on the bookmarks bar, called 'Favorites'.",
    evaluator: {
      func: "is_expected_bookmarks",
      result: { type: "bookmarks" },
      expected: rules({ type: "bookmark_bar_folders_names", names: ["Favorites"] }),
    },
    done: writes("Bookmarks", FAVORITES),
    async solve({ visit, page, fileHas, home }) {
      await visit("chrome://bookmarks");
      await page.click("button", "Organize");
      await page.click("menuitem", "Add new folder");
      await page.fill("textbox", "Name", "Favorites");
      await page.click("button", "Save");
      await fileHas(`${home}/${BROWSER_PROFILE}/Default/Bookmarks`, "Favorites");
    },
  }),
  browserTask({
    name: "browser-profile-name",
    id: "2ae9ba84",
    instruction: "Change the username in the browser's profiles to Thomas.",
    isEnded: true,
    evaluator: {
      func: "exact_match",
      result: { type: "profile_name" },
      expected: rules({ expected: "Thomas" }),
    },
    done: writes("Preferences", { profile: { name: "Thomas" } }),
    async solve({ visit, page, key, fileHas, home }) {
      await visit("chrome://settings/manageProfile");
      await page.fill("textbox", "Name", "Thomas");
      await key("Enter");
      await fileHas(`${home}/${BROWSER_PROFILE}/Default/Preferences`, '"name":"Thomas"');
    },
  }),
  browserTask({
    name: "browser-startup-page",
    id: "3299584d",
    instruction: "Whenever the browser is launched it opens a certain page: stop that.",
    setup: writes("Preferences", {
      session: { restore_on_startup: 4, startup_urls: ["http://127.0.0.1:9/"] },
    }),
    ...isTrue("new_startup_page"),
    done: writes("Preferences", { session: { restore_on_startup: 5 } }),
    async solve({ visit, page }) {
      await visit("chrome://settings/onStartup");
      await page.click("radio", "Open the New Tab page");
      await page.hasState("radio", "Open the New Tab page", "checked");
    },
  }),
  browserTask({
    name: "browser-history",
    id: "44ee5668",
    instruction: "Clear the browsing history of Youtube.",
    setup: MAKE_HISTORY,
    isEnded: true,
    evaluator: {
      func: "check_history_deleted",
      result: { type: "history", dest: "history.sqlite" },
      expected: rules({ type: "keywords", keywords: ["youtube"] }),
    },
    async solve({ visit, page, key, pageLacks }) {
      await visit("chrome://history/?q=youtube");
      await page.need("checkbox", "One");
      await page.click("checkbox", "One");
      await page.click("checkbox", "Two");
      await page.click("button", "Delete");
      await key("Enter");
      await pageLacks("youtube.com");
    },
  }),
  browserTask({
    name: "browser-safety",
    id: "9656a811",
    instruction: "Have the browser warn of potentially harmful or unsafe websites.",
    ...isTrue("enable_enhanced_safety_browsing"),
    done: writes("Preferences", { safebrowsing: { enhanced: true } }),
    async solve({ visit, page }) {
      await visit("chrome://settings/security");
      await page.click("radio", "Enhanced protection");
      await page.hasState("radio", "Enhanced protection", "checked");
    },
  }),
  browserTask({
    name: "browser-font-size",
    id: "af630914",
    instruction: "Set the default font size to the largest.",
    isEnded: true,
    evaluator: {
      func: "check_font_size",
      result: { type: "chrome_font_size" },
      expected: rules({ type: "range", min: 16, max: 99999 }),
    },
    done: writes("Preferences", { webkit: { webprefs: { default_font_size: 24 } } }),
    async solve({ visit, page }) {
      await visit("chrome://settings/appearance");
      await page.fill("combobox", "Font size", "Very large");
    },
  }),
  browserTask({
    name: "browser-search-engine",
    id: "bb5e4c0d",
    instruction: "Make Bing the main search engine.",
    isEnded: true,
    evaluator: {
      func: "match_in_list",
      result: { type: "default_search_engine" },
      expected: rules({ expected: ["Microsoft Bing", "Bing"] }),
    },
    done: writes("Preferences", {
      default_search_provider_data: { template_url_data: { short_name: "Bing" } },
    }),
    async solve({ visit, page }) {
      await visit("chrome://settings/search");
      await page.click("button", "Change");
      await page.click("radio", "Bing");
      await page.click("button", "Set as default");
    },
  }),
];
