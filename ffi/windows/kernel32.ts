/**
 * kernel32.dll: handles, named pipes, completion ports, jobs and processes (winbase.h, jobapi2.h,
 * processthreadsapi.h).
 */

/** A HANDLE as a number; it never leaves `platform/`. */
export type Handle = bigint;

/** `INVALID_HANDLE_VALUE`, `(HANDLE) -1` */
export const INVALID_HANDLE = 0xffff_ffff_ffff_ffffn;

/** Flags of CreateNamedPipeW. */
export const PIPE_ACCESS_INBOUND = 0x1;
export const PIPE_ACCESS_OUTBOUND = 0x2;
export const FILE_FLAG_FIRST_PIPE_INSTANCE = 0x0008_0000;
export const FILE_FLAG_OVERLAPPED = 0x4000_0000;
export const PIPE_REJECT_REMOTE_CLIENTS = 0x8;

/** Flags of CreateFileW. */
export const GENERIC_READ = 0x8000_0000;
export const GENERIC_WRITE = 0x4000_0000;
export const FILE_READ_ATTRIBUTES = 0x80;
export const FILE_WRITE_ATTRIBUTES = 0x100;
export const FILE_SHARE_READ_WRITE = 0x3;
export const OPEN_EXISTING = 3;

/** Flags and attributes of CreateProcessW. */
export const CREATE_UNICODE_ENVIRONMENT = 0x400;
export const EXTENDED_STARTUPINFO_PRESENT = 0x0008_0000;
export const CREATE_NO_WINDOW = 0x0800_0000;
export const STARTF_USESTDHANDLES = 0x100;
export const PROC_THREAD_ATTRIBUTE_HANDLE_LIST = 0x0002_0002n;
export const PROC_THREAD_ATTRIBUTE_JOB_LIST = 0x0002_000dn;
/** The longest command line in UTF-16 units, including its NUL; also the longest variable. */
export const MAX_COMMAND_LINE = 32_767;

/** Information classes and limit flags of jobs. */
export const JobObjectBasicAccountingInformation = 1;
export const JobObjectBasicProcessIdList = 3;
export const JobObjectAssociateCompletionPortInformation = 7;
export const JobObjectExtendedLimitInformation = 9;
export const JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x2000;

export const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
export const WAIT_OBJECT_0 = 0;

/** Byte offsets of SECURITY_ATTRIBUTES on a 64-bit system. */
export const SECURITY_ATTRIBUTES = {
  nLength: 0, // DWORD, then 4 bytes of padding
  bInheritHandle: 16, // BOOL, then 4 bytes of padding
  size: 24,
} as const;

/** Byte offsets of STARTUPINFOEXW: those members of STARTUPINFOW that are used, and its own. */
export const STARTUPINFOEXW = {
  cb: 0, // DWORD: the size of all
  dwFlags: 60, // DWORD
  hStdInput: 80, // HANDLE
  hStdOutput: 88, // HANDLE
  hStdError: 96, // HANDLE
  lpAttributeList: 104, // LPPROC_THREAD_ATTRIBUTE_LIST
  size: 112,
} as const;

/** Byte offsets of PROCESS_INFORMATION. */
export const PROCESS_INFORMATION = {
  hProcess: 0, // HANDLE
  hThread: 8, // HANDLE
  dwProcessId: 16, // DWORD
  size: 24,
} as const;

/** Byte offsets of OVERLAPPED_ENTRY: one entry of a completion port. */
export const OVERLAPPED_ENTRY = {
  lpCompletionKey: 0, // ULONG_PTR
  lpOverlapped: 8, // LPOVERLAPPED
  Internal: 16, // ULONG_PTR: the NTSTATUS of the operation
  dwNumberOfBytesTransferred: 24, // DWORD, then 4 bytes of padding
  size: 32,
} as const;

/** Byte offsets of JOBOBJECT_EXTENDED_LIMIT_INFORMATION: only the member that is set. */
export const JOBOBJECT_EXTENDED_LIMIT_INFORMATION = {
  LimitFlags: 16, // DWORD BasicLimitInformation.LimitFlags, after two LARGE_INTEGERs
  size: 144,
} as const;

/** Byte offsets of JOBOBJECT_BASIC_ACCOUNTING_INFORMATION: four LARGE_INTEGERs, then DWORDs. */
export const JOBOBJECT_BASIC_ACCOUNTING_INFORMATION = {
  ActiveProcesses: 40, // DWORD
  size: 48,
} as const;

/** Byte offsets of JOBOBJECT_ASSOCIATE_COMPLETION_PORT. */
export const JOBOBJECT_ASSOCIATE_COMPLETION_PORT = {
  CompletionKey: 0, // PVOID
  CompletionPort: 8, // HANDLE
  size: 16,
} as const;

/** Byte offsets of JOBOBJECT_BASIC_PROCESS_ID_LIST; each number is an ULONG_PTR. */
export const JOBOBJECT_BASIC_PROCESS_ID_LIST = {
  NumberOfProcessIdsInList: 4, // DWORD
  ProcessIdList: 8, // ULONG_PTR[]
} as const;

const SYMBOLS = {
  // BOOL CloseHandle(HANDLE hObject)
  CloseHandle: { parameters: ["usize"], result: "i32" },
  // DWORD GetLastError(void)
  GetLastError: { parameters: [], result: "u32" },
  // HMODULE GetModuleHandleW(LPCWSTR lpModuleName); NULL for the program itself
  GetModuleHandleW: { parameters: ["pointer"], result: "pointer" },
  // DWORD WaitForSingleObject(HANDLE hHandle, DWORD dwMilliseconds)
  WaitForSingleObject: { parameters: ["usize", "u32"], result: "u32" },

  // HANDLE CreateNamedPipeW(LPCWSTR lpName, DWORD dwOpenMode, DWORD dwPipeMode, DWORD nMaxInstances,
  //   DWORD nOutBufferSize, DWORD nInBufferSize, DWORD nDefaultTimeOut, LPSECURITY_ATTRIBUTES lpSecurityAttributes)
  CreateNamedPipeW: {
    parameters: ["buffer", "u32", "u32", "u32", "u32", "u32", "u32", "pointer"],
    result: "usize",
  },
  // HANDLE CreateFileW(LPCWSTR lpFileName, DWORD dwDesiredAccess, DWORD dwShareMode,
  //   LPSECURITY_ATTRIBUTES lpSecurityAttributes, DWORD dwCreationDisposition, DWORD dwFlagsAndAttributes,
  //   HANDLE hTemplateFile)
  CreateFileW: {
    parameters: ["buffer", "u32", "u32", "buffer", "u32", "u32", "usize"],
    result: "usize",
  },
  // BOOL CancelIoEx(HANDLE hFile, LPOVERLAPPED lpOverlapped)
  CancelIoEx: { parameters: ["usize", "pointer"], result: "i32" },

  // HANDLE CreateIoCompletionPort(HANDLE FileHandle, HANDLE ExistingCompletionPort, ULONG_PTR CompletionKey,
  //   DWORD NumberOfConcurrentThreads)
  CreateIoCompletionPort: { parameters: ["usize", "usize", "usize", "u32"], result: "usize" },
  // BOOL GetQueuedCompletionStatusEx(HANDLE CompletionPort, LPOVERLAPPED_ENTRY lpCompletionPortEntries, ULONG ulCount,
  //   PULONG ulNumEntriesRemoved, DWORD dwMilliseconds, BOOL fAlertable)
  GetQueuedCompletionStatusEx: {
    parameters: ["usize", "buffer", "u32", "buffer", "u32", "i32"],
    result: "i32",
    nonblocking: true,
  },
  // BOOL PostQueuedCompletionStatus(HANDLE CompletionPort, DWORD dwNumberOfBytesTransferred,
  //   ULONG_PTR dwCompletionKey, LPOVERLAPPED lpOverlapped)
  PostQueuedCompletionStatus: { parameters: ["usize", "u32", "usize", "pointer"], result: "i32" },

  // HANDLE CreateJobObjectW(LPSECURITY_ATTRIBUTES lpJobAttributes, LPCWSTR lpName)
  CreateJobObjectW: { parameters: ["pointer", "pointer"], result: "usize" },
  // BOOL SetInformationJobObject(HANDLE hJob, JOBOBJECTINFOCLASS JobObjectInformationClass,
  //   LPVOID lpJobObjectInformation, DWORD cbJobObjectInformationLength)
  SetInformationJobObject: { parameters: ["usize", "i32", "buffer", "u32"], result: "i32" },
  // BOOL QueryInformationJobObject(HANDLE hJob, JOBOBJECTINFOCLASS JobObjectInformationClass,
  //   LPVOID lpJobObjectInformation, DWORD cbJobObjectInformationLength, LPDWORD lpReturnLength)
  QueryInformationJobObject: {
    parameters: ["usize", "i32", "buffer", "u32", "pointer"],
    result: "i32",
  },
  // BOOL TerminateJobObject(HANDLE hJob, UINT uExitCode)
  TerminateJobObject: { parameters: ["usize", "u32"], result: "i32" },

  // BOOL InitializeProcThreadAttributeList(LPPROC_THREAD_ATTRIBUTE_LIST lpAttributeList, DWORD dwAttributeCount,
  //   DWORD dwFlags, PSIZE_T lpSize)
  InitializeProcThreadAttributeList: {
    parameters: ["buffer", "u32", "u32", "buffer"],
    result: "i32",
  },
  // BOOL UpdateProcThreadAttribute(LPPROC_THREAD_ATTRIBUTE_LIST lpAttributeList, DWORD dwFlags, DWORD_PTR Attribute,
  //   PVOID lpValue, SIZE_T cbSize, PVOID lpPreviousValue, PSIZE_T lpReturnSize)
  UpdateProcThreadAttribute: {
    parameters: ["buffer", "u32", "usize", "buffer", "usize", "pointer", "pointer"],
    result: "i32",
  },
  // VOID DeleteProcThreadAttributeList(LPPROC_THREAD_ATTRIBUTE_LIST lpAttributeList)
  DeleteProcThreadAttributeList: { parameters: ["buffer"], result: "void" },
  // BOOL CreateProcessW(LPCWSTR lpApplicationName, LPWSTR lpCommandLine, LPSECURITY_ATTRIBUTES lpProcessAttributes,
  //   LPSECURITY_ATTRIBUTES lpThreadAttributes, BOOL bInheritHandles, DWORD dwCreationFlags, LPVOID lpEnvironment,
  //   LPCWSTR lpCurrentDirectory, LPSTARTUPINFOW lpStartupInfo, LPPROCESS_INFORMATION lpProcessInformation)
  CreateProcessW: {
    parameters: [
      ...["pointer", "buffer", "pointer", "pointer", "i32", "u32"] as const,
      ...["buffer", "buffer", "buffer", "buffer"] as const,
    ],
    result: "i32",
  },
  // BOOL GetExitCodeProcess(HANDLE hProcess, LPDWORD lpExitCode)
  GetExitCodeProcess: { parameters: ["usize", "buffer"], result: "i32" },
  // HANDLE OpenProcess(DWORD dwDesiredAccess, BOOL bInheritHandle, DWORD dwProcessId)
  OpenProcess: { parameters: ["u32", "i32", "u32"], result: "usize" },
  // HANDLE CreateToolhelp32Snapshot(DWORD dwFlags, DWORD th32ProcessID)
  CreateToolhelp32Snapshot: { parameters: ["u32", "u32"], result: "usize" },
  // BOOL Process32FirstW(HANDLE hSnapshot, LPPROCESSENTRY32W lppe)
  Process32FirstW: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL Process32NextW(HANDLE hSnapshot, LPPROCESSENTRY32W lppe)
  Process32NextW: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL QueryFullProcessImageNameW(HANDLE hProcess, DWORD dwFlags, LPWSTR lpExeName, PDWORD lpdwSize)
  QueryFullProcessImageNameW: { parameters: ["usize", "u32", "buffer", "buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type Kernel32 = Deno.DynamicLibrary<typeof SYMBOLS>;

/** @throws an error on systems other than Windows. */
export function openKernel32(): Kernel32 {
  return Deno.dlopen("kernel32.dll", SYMBOLS);
}

// kernel32.dll: folders and names of files (fileapi.h, winbase.h).

/** Bits of dwFileAttributes. */
export const FILE_ATTRIBUTE_HIDDEN = 0x2;
export const FILE_ATTRIBUTE_DIRECTORY = 0x10;
export const FILE_ATTRIBUTE_REPARSE_POINT = 0x400;
export const INVALID_FILE_ATTRIBUTES = 0xffff_ffff;

export const IO_REPARSE_TAG_MOUNT_POINT = 0xa000_0003;
export const IO_REPARSE_TAG_SYMLINK = 0xa000_000c;

/** Options of FindFirstFileExW: no short names, large buffers. */
export const FindExInfoBasic = 1;
export const FindExSearchNameMatch = 0;
export const FIND_FIRST_EX_LARGE_FETCH = 2;

/** Byte offsets of WIN32_FIND_DATAW: those members that are used. */
export const WIN32_FIND_DATAW = {
  dwFileAttributes: 0, // DWORD
  dwReserved0: 36, // DWORD: the reparse tag
  cFileName: 44, // WCHAR[260], with a NUL at the end
  cAlternateFileName: 564, // WCHAR[14]
  size: 592,
} as const;

const KERNEL32_FILES_SYMBOLS = {
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

type Files = Deno.DynamicLibrary<typeof KERNEL32_FILES_SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openFiles(): Files {
  return Deno.dlopen("kernel32.dll", KERNEL32_FILES_SYMBOLS).symbols;
}

// ntdll.dll: reading and writing with the status as the result (winternl.h). ReadFile reports it
// through GetLastError, which is a separate call and can return the wrong code. A caller that then
// takes a pending read for a failed one frees memory that the system still writes to.

/** sizeof(IO_STATUS_BLOCK) on a 64-bit system. */
export const IO_STATUS_BLOCK_BYTES = 16;

const TRANSFER = {
  parameters: [
    ...["usize", "usize", "pointer", "buffer"] as const,
    ...["buffer", "buffer", "u32", "pointer", "pointer"] as const,
  ],
  result: "u32",
} as const satisfies Deno.ForeignFunction;

const NTDLL_SYMBOLS = {
  // NTSTATUS NtReadFile(HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine, PVOID ApcContext,
  //   PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
  NtReadFile: TRANSFER,
  // NTSTATUS NtWriteFile(HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine, PVOID ApcContext,
  //   PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
  NtWriteFile: TRANSFER,
} as const satisfies Deno.ForeignLibraryInterface;

export type Ntdll = Deno.DynamicLibrary<typeof NTDLL_SYMBOLS>;

/** Whether an NTSTATUS is an error: then nothing is pending and no completion comes. */
export function isFailed(status: number): boolean {
  return status >>> 30 === 3;
}

/** @throws an error on systems other than Windows. */
export function openNtdll(): Ntdll {
  return Deno.dlopen("ntdll.dll", NTDLL_SYMBOLS);
}
