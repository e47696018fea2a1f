/** iphlpapi.dll: the connections of this computer (iphlpapi.h, tcpmib.h, iprtrmib.h). */

export const NO_ERROR = 0;
export const ERROR_INSUFFICIENT_BUFFER = 122;
export const AF_INET = 2;
export const AF_INET6 = 23;
export const TCP_TABLE_OWNER_PID_ALL = 5;
export const MIB_TCP_STATE_ESTAB = 5;

/** The offset of the first row: after DWORD dwNumEntries. */
export const TABLE_HEAD_BYTES = 4;

/**
 * Byte offsets of MIB_TCPROW_OWNER_PID: all are DWORDs. Ports are in network order, in the first
 * two bytes.
 */
export const MIB_TCPROW_OWNER_PID = {
  dwState: 0,
  localAddress: 4, // dwLocalAddr
  dwLocalPort: 8,
  remoteAddress: 12, // dwRemoteAddr
  dwRemotePort: 16,
  addressBytes: 4,
  dwOwningPid: 20,
  size: 24,
} as const;

/** Byte offsets of MIB_TCP6ROW_OWNER_PID: addresses of 16 bytes, else DWORDs. */
export const MIB_TCP6ROW_OWNER_PID = {
  localAddress: 0, // ucLocalAddr
  dwLocalPort: 20,
  remoteAddress: 24, // ucRemoteAddr
  dwRemotePort: 44,
  dwState: 48,
  addressBytes: 16,
  dwOwningPid: 52,
  size: 56,
} as const;

const SYMBOLS = {
  // DWORD GetExtendedTcpTable(PVOID pTcpTable, PDWORD pdwSize, BOOL bOrder, ULONG ulAf, TCP_TABLE_CLASS TableClass,
  //   ULONG Reserved)
  GetExtendedTcpTable: {
    parameters: ["buffer", "buffer", "i32", "u32", "i32", "u32"],
    result: "u32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

export type Iphlpapi = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openIphlpapi(): Iphlpapi {
  return Deno.dlopen("iphlpapi.dll", SYMBOLS).symbols;
}
