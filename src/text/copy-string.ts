/**
 * Copies a slice of a string. V8 keeps the whole string alive for as long as a slice of it exists, so a hundred
 * characters in a report would hold on to megabytes.
 */
export function copyString(part: string, whole: string): string {
  return part.length * 4 > whole.length ? part : Buffer.from(part, 'utf16le').toString('utf16le');
}
