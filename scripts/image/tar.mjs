// Writes tar archives (POSIX ustar) whose bytes depend on nothing but their entries: no time, no user of this machine.

const BLOCK = 512;
/**
 * Octal fields of the header: where they begin, and their digits.
 * @type {Readonly<Record<string, readonly [at: number, digits: number]>>}
 */
const FIELDS = { mode: [100, 7], uid: [108, 7], gid: [116, 7], size: [124, 11], time: [136, 11] };

/**
 * @typedef {object} Entry
 * @property {string} path Without a slash at its start; a folder ends with one.
 * @property {number} mode
 * @property {Uint8Array | string} [content] Of a file.
 * @property {string} [link] Where a symbolic link leads.
 * @property {{ uid: number, gid: number }} [owner] Root if absent.
 */

/** @param {readonly Entry[]} entries */
export function makeTar(entries) {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    return [header(entry, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(BLOCK * 2)]);
}

/**
 * @param {Entry} entry
 * @param {number} size
 */
function header({ path, mode, link = '', owner = { uid: 0, gid: 0 } }, size) {
  if (path.length > 100 || link.length > 100) throw new Error(`${path} is too long for a tar archive.`);
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 'latin1');
  for (const [name, value] of Object.entries({ mode, ...owner, size, time: 0 })) {
    const [at, digits] = FIELDS[name] ?? [0, 0];
    block.write(value.toString(8).padStart(digits, '0'), at);
  }
  block.write(typeOf(path, link), 156);
  block.write(link, 157, 'latin1');
  block.write('ustar\u000000', 257);
  // The sum of all bytes, with blanks in its own place.
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/**
 * @param {string} path
 * @param {string} link
 */
function typeOf(path, link) {
  if (link !== '') return '2';
  return path.endsWith('/') ? '5' : '0';
}
