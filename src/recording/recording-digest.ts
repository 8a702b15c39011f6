/** Identifies a recording by its lines. Compressing it, or not, changes nothing. */
import { createHash } from 'node:crypto';
import { UsageError } from '../usage-error.ts';
import { readBytes } from './read-lines.ts';

/** SHA-256 over the uncompressed bytes. `most`: how many of them are read before the file is refused. */
export async function digestRecording(path: string, { shown = path, most = Infinity } = {}): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  // Judging says whether compressed data is damaged.
  for await (const bytes of readBytes(path, () => undefined)) {
    size += bytes.length;
    if (size > most) {
      const limit = `${Math.floor(most / 1024 ** 2)} MiB`;
      throw new UsageError(`${shown} has more than ${limit}, uncompressed. Pass a smaller recording.`, {
        code: 'FILE_INVALID',
      });
    }
    hash.update(bytes);
  }
  return hash.digest('hex');
}
