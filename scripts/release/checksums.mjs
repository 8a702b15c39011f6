// Writes SHA256SUMS, as `sha256sum --check` reads it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHECKSUM_FILE = 'SHA256SUMS';

/**
 * @param {string} folder
 * @param {readonly string[]} files
 */
export function writeChecksums(folder, files) {
  const lines = files.map((file) => {
    const checksum = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    return `${checksum}  ${file}\n`;
  });
  writeFileSync(join(folder, CHECKSUM_FILE), lines.join(''));
}
