/** advapi32.dll: the Credential Manager (wincred.h). */

export const CRED_TYPE_GENERIC = 1;
export const CRED_PERSIST_LOCAL_MACHINE = 2;
/** 5 * 512, in bytes. */
export const CRED_MAX_CREDENTIAL_BLOB_SIZE = 2_560;
export const CRED_PERSIST_NONE = 0;
/** The number of credential types; each is an index into the result of CredGetSessionTypes. */
export const CRED_TYPE_MAXIMUM = 7;
export const ERROR_NOT_FOUND = 1_168;

/** Byte offsets of CREDENTIALW on a 64-bit system. */
export const CREDENTIALW = {
  Flags: 0, // DWORD
  Type: 4, // DWORD
  TargetName: 8, // LPWSTR
  Comment: 16, // LPWSTR
  LastWritten: 24, // FILETIME: two DWORDs
  CredentialBlobSize: 32, // DWORD, then 4 bytes of padding
  CredentialBlob: 40, // LPBYTE
  Persist: 48, // DWORD
  AttributeCount: 52, // DWORD
  Attributes: 56, // PCREDENTIAL_ATTRIBUTEW
  TargetAlias: 64, // LPWSTR
  UserName: 72, // LPWSTR
  size: 80,
} as const;

const SYMBOLS = {
  // BOOL CredWriteW(PCREDENTIALW Credential, DWORD Flags)
  CredWriteW: { parameters: ["buffer", "u32"], result: "i32" },
  // BOOL CredReadW(LPCWSTR TargetName, DWORD Type, DWORD Flags, PCREDENTIALW *Credential)
  CredReadW: { parameters: ["buffer", "u32", "u32", "buffer"], result: "i32" },
  // BOOL CredDeleteW(LPCWSTR TargetName, DWORD Type, DWORD Flags)
  CredDeleteW: { parameters: ["buffer", "u32", "u32"], result: "i32" },
  // BOOL CredEnumerateW(LPCWSTR Filter, DWORD Flags, DWORD *Count, PCREDENTIALW **Credential)
  CredEnumerateW: { parameters: ["buffer", "u32", "buffer", "buffer"], result: "i32" },
  // BOOL CredGetSessionTypes(DWORD MaximumPersistCount, LPDWORD MaximumPersist)
  CredGetSessionTypes: { parameters: ["u32", "buffer"], result: "i32" },
  // VOID CredFree(PVOID Buffer)
  CredFree: { parameters: ["pointer"], result: "void" },
} as const satisfies Deno.ForeignLibraryInterface;

const ERROR_SYMBOLS = {
  // DWORD GetLastError(void)
  GetLastError: { parameters: [], result: "u32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type CredentialManager =
  & Deno.DynamicLibrary<typeof SYMBOLS>["symbols"]
  & Deno.DynamicLibrary<typeof ERROR_SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openCredentialManager(): { readonly symbols: CredentialManager; close(): void } {
  const advapi32 = Deno.dlopen("advapi32.dll", SYMBOLS);
  const kernel32 = Deno.dlopen("kernel32.dll", ERROR_SYMBOLS);
  return {
    symbols: { ...advapi32.symbols, ...kernel32.symbols },
    close() {
      advapi32.close();
      kernel32.close();
    },
  };
}
