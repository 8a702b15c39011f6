/**
 * A file for the stdout of a client that ends after each call. Node's pipe to a process is a socket that holds few small
 * writes: a client that prints many lines and exits at once would lose those that wirecheck was too busy to read.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes at a time. */
const CHUNK = 64 * 1024;

export class OutputFile {
  readonly descriptor: number;
  #read = 0;

  constructor() {
    const path = join(tmpdir(), `wirecheck-${randomUUID()}`);
    this.descriptor = openSync(path, 'ax+', 0o600);
    try {
      // It goes on without a name, and is gone with the last process that has it open, however the run ends.
      rmSync(path);
    } catch (error) {
      closeSync(this.descriptor);
      throw error;
    }
  }

  /** What was added since, up to the length that the file has now: a process left behind may go on writing. */
  *added(): Generator<Buffer> {
    const { size } = fstatSync(this.descriptor);
    while (this.#read < size) {
      const bytes = Buffer.alloc(Math.min(CHUNK, size - this.#read));
      const length = readSync(this.descriptor, bytes, 0, bytes.length, this.#read);
      if (length === 0) return;
      this.#read += length;
      yield bytes.subarray(0, length);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Nothing where no file can be made, as on a system without a temporary folder. */
export function openOutputFile(): OutputFile | undefined {
  try {
    return new OutputFile();
  } catch {
    return undefined;
  }
}
