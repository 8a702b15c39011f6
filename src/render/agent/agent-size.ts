/** How much an agent is given to read. */

/** Bytes of the whole output. */
export const MAX_SIZE = 8 * 1024;

/** In bytes, with the line breaks, and with room for CI commands that are disarmed. */
export function sizeOf(lines: readonly string[]): number {
  return Buffer.byteLength(lines.join('\n')) + lines.length + 16;
}

/** The lines of the first items, for as many as there is room for. */
export function takeWhileFits<Item>(
  items: readonly Item[],
  room: number,
  linesOf: (item: Item, index: number) => readonly string[],
): readonly (readonly string[])[] {
  const taken: (readonly string[])[] = [];
  let left = room;
  for (const [index, item] of items.entries()) {
    const lines = linesOf(item, index);
    left -= sizeOf(lines);
    if (left < 0) break;
    taken.push(lines);
  }
  return taken;
}
