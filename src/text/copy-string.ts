/**
 * A part of a long text, on its own. The engine keeps the whole of a text for as long as anybody has a part of it, so
 * that a hundred characters in a report would hold on to the megabytes they came from.
 */
export function detached(part: string, whole: string): string {
  return part.length * 4 > whole.length ? part : Buffer.from(part, 'utf16le').toString('utf16le');
}
