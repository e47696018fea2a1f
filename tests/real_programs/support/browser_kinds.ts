/** How each browser is started: a private profile, no first-run pages, nothing restored, no network of its own. */

export interface BrowserKind {
  /** The class of its windows. */
  readonly className: string;
  /** By which it tells assistive technology what its pages show. */
  readonly heardArgs: readonly string[];
  /** The program that is installed. */
  program(): string;
  /** Writes the profile. */
  prepare(home: string): Promise<void>;
  args(home: string, address: string): string[];
}

export const CHROMIUM: BrowserKind = {
  className: "chrom",
  heardArgs: ["--force-renderer-accessibility"],
  program: () => installed(["chromium", "chromium-browser", "google-chrome"]),
  async prepare(home) {
    await Deno.mkdir(`${home}/profile/Default`, { recursive: true });
    const preferences = JSON.stringify({ credentials_enable_service: false });
    await Deno.writeTextFile(`${home}/profile/Default/Preferences`, preferences);
  },
  args: (home, address) => [
    ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
    ...["--no-default-browser-check", "--noerrdialogs", "--password-store=basic"],
    ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ...["--disable-quic", "--disable-features=Translate,MediaRouter", "--lang=en"],
    ...["--disable-session-crashed-bubble", "--disable-extensions", "--disable-crash-reporter"],
    ...["--window-position=20,40", "--window-size=1000,700"],
    ...[`--user-data-dir=${home}/profile`, `--app=${address}`],
  ],
};

export const FIREFOX: BrowserKind = {
  className: "firefox",
  heardArgs: [], // it looks at its environment
  program: () => installed(["firefox-esr", "firefox"]),
  async prepare(home) {
    await Deno.mkdir(`${home}/profile`);
    const lines = Object.entries(PREFERENCES)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    await Deno.writeTextFile(`${home}/profile/user.js`, lines.join("\n"));
  },
  args: (home, address) => [
    ...["--profile", `${home}/profile`, "--no-remote", "--new-instance"],
    ...["--width", "1000", "--height", "700", address],
  ],
};

const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutConfig.showWarning": false,
  "browser.aboutwelcome.enabled": false,
  "browser.bookmarks.restore_default_bookmarks": false,
  "browser.discovery.enabled": false,
  "browser.newtabpage.enabled": false,
  "browser.rights.3.shown": true,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "browser.tabs.inTitlebar": 0,
  "browser.tabs.warnOnClose": false,
  "browser.uitour.enabled": false,
  "datareporting.healthreport.uploadEnabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.dataSubmissionPolicyBypassNotification": true,
  "dom.disable_open_during_load": false,
  "extensions.update.enabled": false,
  "gfx.webrender.software": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "http://127.0.0.1:9/",
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "trailhead.firstrun.didSeeAboutWelcome": true,
};

function installed(names: readonly string[]): string {
  const found = names.find((name) =>
    isFile(`/usr/bin/${name}`) || isFile(`/usr/local/bin/${name}`)
  );
  if (found === undefined) {
    throw new Error(`None of ${names.join(", ")} is installed: deno task setup`);
  }
  return found;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
