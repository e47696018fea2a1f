/** Writes a tree as JSON while it is walked; a folder appears only when something of it must. */

import type { ChunkWriter } from "./chunk_writer.ts";

interface OpenFolder {
  readonly name: string;
  written: boolean;
  hasChildren: boolean;
}

export interface Closing {
  /** Whether it appears although nothing below it did. */
  readonly keep: boolean;
  /** Whether entries of it are left out because it was not entered, or not wholly. */
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
