/** A release, as the manifests of all package managers name it. */

/** What every manifest is filled with. Nothing of it is guessed: where the project is hosted is an argument. */
export interface Release {
  readonly version: string;
  /** `owner/name` */
  readonly repository: string;
  /** The page of the project. */
  readonly homepage: string;
  /** Where the files of this release are, without a slash at the end. */
  readonly download: string;
  /** File name -> SHA-256 in hexadecimal digits. */
  readonly sums: ReadonlyMap<string, string>;
}

export const DESCRIPTION = "Local HTTP service that controls a computer";

/** @throws Error when the release lacks the file: a manifest without its sum would install anything. */
export function sumOf({ sums }: Release, file: string): string {
  const sum = sums.get(file);
  if (sum === undefined) throw new Error(`SHA256SUMS has no line for "${file}"`);
  return sum;
}
