/**
 * OSWorld's evaluators and the Python packages that read and write documents, fetched from PyPI when they are first needed
 * and no part of this repository (desktop-env: XLANG Lab, Apache-2.0). https://os-world.github.io
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const EVALUATORS = "desktop-env==1.0.2";

/** All that is needed, so that nothing else comes along: the bounds are those of desktop-env. */
const PACKAGES = [
  EVALUATORS,
  ...["numpy==1.26.4", "pandas==2.2.3", "python-dateutil==2.9.0.post0", "six==1.16.0"],
  ...["pytz==2024.2", "tzdata==2024.2", "openpyxl==3.1.5", "et-xmlfile==2.0.0", "lxml==5.3.0"],
  ...["cssselect==1.2.0", "xmltodict==0.14.2", "rapidfuzz==3.10.1", "python-docx==1.1.2"],
  ...["typing-extensions==4.12.2", "python-pptx==1.0.2", "XlsxWriter==3.2.0", "Pillow==11.0.0"],
  ...["requests==2.32.3", "urllib3==2.2.3", "idna==3.10", "certifi==2024.8.30"],
  ...["charset-normalizer==3.4.0", "tldextract==5.1.3", "requests-file==2.1.0", "filelock==3.16.1"],
];

/** For packages, documents and pictures of failures. */
export const FOLDER = fileURLToPath(new URL("../../../dist/strangers/osworld/", import.meta.url));
const PYTHON_FOLDER = join(FOLDER, "python");

/** The environment in which Python has the packages. */
export async function pythonEnv(): Promise<Readonly<Record<string, string>>> {
  await fetchPackages(PYTHON_FOLDER, ["--no-deps", ...PACKAGES]);
  return { PYTHONPATH: PYTHON_FOLDER, PYTHONDONTWRITEBYTECODE: "1", NO_PROXY: "127.0.0.1" };
}

/** What OSWorld's own server imports. */
const SERVER_PACKAGES = [
  ...["flask==3.0.3", "PyAutoGUI==0.9.54", "python-xlib==0.33", "Pillow==11.0.0", "lxml==5.3.0"],
  ...["numpy==1.26.4", "requests==2.32.3"],
];
const SERVER_FOLDER = join(FOLDER, "server-python");

/** The environment of OSWorld's own server. */
export async function serverEnv(): Promise<Readonly<Record<string, string>>> {
  await fetchPackages(SERVER_FOLDER, SERVER_PACKAGES);
  return { PYTHONPATH: SERVER_FOLDER, PYTHONDONTWRITEBYTECODE: "1", NO_PROXY: "127.0.0.1" };
}

async function fetchPackages(folder: string, words: readonly string[]): Promise<void> {
  const list = words.join("\n");
  const listed = join(folder, "packages.txt");
  if (await Deno.readTextFile(listed).catch(() => "") === list) return;
  await Deno.remove(folder, { recursive: true }).catch(() => {}); // none yet, or others
  const args = ["-m", "pip", "install", "--quiet", "--target", folder, ...words];
  const { success, stderr } = await new Deno.Command("/usr/bin/python3", { args }).output();
  if (!success) throw new Error(`pip cannot fetch them: ${new TextDecoder().decode(stderr)}`);
  await Deno.writeTextFile(listed, list); // last: what is there is complete
}
