/** Identifies a recording by its lines. Compressing it, or not, changes nothing. */
import { createHash } from 'node:crypto';
import { UsageError } from '../usage-error.ts';
import { readBytes } from './read-lines.ts';

interface Reading {
  /** The path as the user wrote it. */
  readonly shown?: string;
  /** How many uncompressed bytes are read before the file is refused. */
  readonly most?: number;
  /** The gzip data is damaged or cut off: the digest covers what comes before. */
  readonly onBroken?: () => void;
}

/** SHA-256 over the uncompressed bytes. */
export async function digestRecording(path: string, reading: Reading = {}): Promise<string> {
  const { shown = path, most = Infinity, onBroken = () => undefined } = reading;
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of readBytes(path, onBroken)) {
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
