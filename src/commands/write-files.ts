/** Files are written whole or not at all: to a temporary one beside it, then renamed. */
import { accessSync, constants, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export function writeWhole(path: string, text: string): void {
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text, { flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The system's word for what is in the way, such as `EACCES`; undefined if nothing is. Makes the folder. */
export function obstacleTo(path: string): string | undefined {
  const probe = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) return 'it is a folder';
    if (there) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}
