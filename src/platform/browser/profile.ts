/** The folder of the browser's own data, with settings for a browser that a program uses. */

const PREFIX = "computer-control-browser-";

/** It asks nothing of its own: what it would ask lies over its pages, and takes clicks and keys. */
const PREFERENCES = {
  credentials_enable_service: false,
  profile: {
    password_manager_enabled: false,
    password_manager_leak_detection: false,
    exit_type: "Normal",
  },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  download_bubble: { partial_view_enabled: false },
  signin: { allowed: false, allowed_on_next_startup: false },
};

/** A new profile in the folder for temporary files. */
export async function makeProfile(): Promise<string> {
  const path = await Deno.makeTempDir({ prefix: PREFIX });
  await Deno.mkdir(`${path}/Default`, { mode: 0o700 });
  await Deno.writeTextFile(`${path}/Default/Preferences`, JSON.stringify(PREFERENCES));
  return path;
}
