/** kernel32.dll: folders and names of files (fileapi.h, winbase.h). */

/** Bits of dwFileAttributes. */
export const FILE_ATTRIBUTE_HIDDEN = 0x2;
export const FILE_ATTRIBUTE_DIRECTORY = 0x10;
export const FILE_ATTRIBUTE_REPARSE_POINT = 0x400;
export const INVALID_FILE_ATTRIBUTES = 0xffff_ffff;

/** Reparse tags of links. */
export const IO_REPARSE_TAG_MOUNT_POINT = 0xa000_0003;
export const IO_REPARSE_TAG_SYMLINK = 0xa000_000c;

/** Options of FindFirstFileExW: no short names, large buffers. */
export const FindExInfoBasic = 1;
export const FindExSearchNameMatch = 0;
export const FIND_FIRST_EX_LARGE_FETCH = 2;

/** Byte offsets of WIN32_FIND_DATAW: those members that are used. */
export const WIN32_FIND_DATAW = {
  /** DWORD */
  dwFileAttributes: 0,
  /** DWORD: the reparse tag */
  dwReserved0: 36,
  /** WCHAR[260], with a NUL at the end */
  cFileName: 44,
  /** WCHAR[14] */
  cAlternateFileName: 564,
  /** sizeof(WIN32_FIND_DATAW) */
  size: 592,
} as const;

const SYMBOLS = {
  // HANDLE FindFirstFileExW(LPCWSTR lpFileName, FINDEX_INFO_LEVELS fInfoLevelId, LPVOID lpFindFileData,
  //   FINDEX_SEARCH_OPS fSearchOp, LPVOID lpSearchFilter, DWORD dwAdditionalFlags)
  FindFirstFileExW: {
    parameters: ["buffer", "i32", "buffer", "i32", "pointer", "u32"],
    result: "usize",
  },
  // BOOL FindNextFileW(HANDLE hFindFile, LPWIN32_FIND_DATAW lpFindFileData)
  FindNextFileW: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL FindClose(HANDLE hFindFile)
  FindClose: { parameters: ["usize"], result: "i32" },
  // DWORD GetFileAttributesW(LPCWSTR lpFileName)
  GetFileAttributesW: { parameters: ["buffer"], result: "u32", nonblocking: true },
  // BOOL MoveFileExW(LPCWSTR lpExistingFileName, LPCWSTR lpNewFileName, DWORD dwFlags)
  MoveFileExW: { parameters: ["buffer", "buffer", "u32"], result: "i32", nonblocking: true },
} as const satisfies Deno.ForeignLibraryInterface;

export type Files = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openFiles(): Files {
  return Deno.dlopen("kernel32.dll", SYMBOLS).symbols;
}
