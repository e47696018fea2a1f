/**
 * The files of this computer, with what a test lays over them: marks, mount points, and ports that the
 * system of the test has not, or has otherwise.
 */

import { missing } from "../../src/platform/capability.ts";
import { openLinuxFileSystem } from "../../src/platform/linux/files/file_system.ts";
import type {
  Capability,
  FileRanges,
  FileSystem,
  HeldForWriting,
  IsMarkedHidden,
  ReadMountPoints,
  Removability,
} from "../../src/platform/types/mod.ts";

/** Where the C library is another one, its ports are missing. */
const real = openLinuxFileSystem();

export class FakeFileSystem implements FileSystem {
  /** Paths that are marked as hidden. */
  readonly hidden = new Set<string>();
  /** Real paths at which something is mounted, besides what is. */
  readonly mounted = new Set<string>();
  /** Paths that are marked as immutable. */
  readonly immutable = new Set<string>();

  openFolderReader = real.openFolderReader;
  exclusiveRename = real.exclusiveRename;
  exchange = real.exchange;
  extendedAttributes = real.extendedAttributes;
  fileRanges: Capability<FileRanges> = real.fileRanges;
  heldForWriting: Capability<HeldForWriting> = real.heldForWriting;
  descriptorPath: Capability<(fd: number) => string> = real.descriptorPath;
  hiddenMark: Capability<IsMarkedHidden> = {
    ready: true,
    use: (path) => Promise.resolve(this.hidden.has(path)),
  };
  mountPoints: Capability<ReadMountPoints> = {
    ready: true,
    use: async () => {
      const points = real.mountPoints.ready ? await real.mountPoints.use() : [];
      return [...points, ...this.mounted];
    },
  };
  removability: Capability<Removability> = {
    ready: true,
    use: {
      isMarked: async (path) => this.immutable.has(path) || await isMarkedReally(path),
      mayChange: async (folder) =>
        !real.removability.ready || await real.removability.use.mayChange(folder),
    },
  };

  /** From now on the system has no such port. */
  lose(...ports: readonly Exclude<keyof FileSystem, "openFolderReader">[]): void {
    for (const port of ports) this[port] = missing("The test has taken it away");
  }
}

async function isMarkedReally(path: string): Promise<boolean> {
  return real.removability.ready && await real.removability.use.isMarked(path);
}
