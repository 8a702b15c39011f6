// Writes SHA256SUMS, as `sha256sum --check` reads it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHECKSUM_FILE = 'SHA256SUMS';

/**
 * Of all files of a folder, except for the checksums of single files.
 * @param {string} folder
 */
export function writeChecksums(folder) {
  const files = readdirSync(folder).filter((file) => !file.endsWith('.sha256'));
  const lines = files.toSorted().map((file) => {
    const checksum = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    return `${checksum}  ${file}\n`;
  });
  writeFileSync(join(folder, CHECKSUM_FILE), lines.join(''));
}
