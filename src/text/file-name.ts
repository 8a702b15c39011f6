/** Windows takes them for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** A name as a file or folder name, on every system. */
export function toFileName(name: string, fallback: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80);
  return RESERVED.test(plain) ? `${fallback}-${plain}` : plain || fallback;
}

/** One file name for each name, in order: names that come to the same get a number. */
export function toFileNames(names: readonly string[], fallback: string): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = toFileName(name, fallback);
    let own = plain;
    for (let number = 2; taken.has(own); number++) own = `${plain}-${number}`;
    taken.add(own);
    return own;
  });
}
