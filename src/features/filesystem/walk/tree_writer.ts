/**
 * Writes a tree as JSON during the walk; a folder is written only once something in it requires
 * that.
 */

import type { ChunkWriter } from "./chunk_writer.ts";

interface OpenFolder {
  readonly name: string;
  written: boolean;
  hasChildren: boolean;
}

export interface Closing {
  /** Whether the folder is written even if nothing below it is. */
  readonly keep: boolean;
  /** Whether entries are missing because the folder was not entered, or not completely. */
  readonly truncated: boolean;
}

export class TreeWriter {
  readonly #open: OpenFolder[] = [];
  /** How many of the open folders have been written. */
  #written = 0;

  constructor(private readonly out: ChunkWriter) {}

  open(name: string): void {
    this.#open.push({ name, written: false, hasChildren: false });
  }

  file(name: string): void {
    this.#writeOpenFolders();
    this.out.write(`${this.#comma()}{"name":${JSON.stringify(name)},"type":"file"}`);
  }

  close({ keep, truncated }: Closing): void {
    if (keep) this.#writeOpenFolders();
    const folder = this.#open.pop();
    if (!folder?.written) return;
    this.#written--;
    this.out.write(truncated ? `],"truncated":true}` : "]}");
  }

  #writeOpenFolders(): void {
    while (this.#written < this.#open.length) {
      const folder = this.#open[this.#written]!;
      const comma = this.#written === 0 ? "" : this.#commaIn(this.#open[this.#written - 1]!);
      this.out.write(
        `${comma}{"name":${JSON.stringify(folder.name)},"type":"directory","children":[`,
      );
      folder.written = true;
      this.#written++;
    }
  }

  #comma(): string {
    return this.#commaIn(this.#open.at(-1)!);
  }

  #commaIn(folder: OpenFolder): string {
    if (folder.hasChildren) return ",";
    folder.hasChildren = true;
    return "";
  }
}
