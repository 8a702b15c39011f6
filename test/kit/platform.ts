/** Whether signals, process groups, file modes, links and a POSIX shell can be relied on. Windows has none of them. */
export const IS_POSIX = process.platform !== 'win32';
