/** What every command does with its files before anything is sent or written. */
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { CommandIo } from '../command-io.ts';
import { type Excusable, readExcuses } from '../settings/read-excuses.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { checkOutputs, type Outputs } from './outputs.ts';
import { filesRead, type Input, type Output, refuseOverwrites, reportsOf } from './refuse-overwrites.ts';

interface Prepared {
  readonly inputs: Pick<Inputs, 'merged' | 'cwd'> & Partial<Inputs>;
  readonly io: CommandIo;
  /** One for each target. */
  readonly outputs: readonly Outputs[];
  /** Flags that choose other files for the reports. */
  readonly flags?: string;
  /** Files that are also read, and files that are also written. */
  readonly alsoRead?: readonly Input[];
  readonly alsoWritten?: readonly Output[];
  /** Without it, no excuses are read. */
  readonly excusable?: Excusable;
}

/** Nothing is overwritten by mistake, excuses are read, and every file can be written. Then notices are shown. */
export function prepareFiles(prepared: Prepared): Excuses {
  const { inputs, io, outputs, flags = '--out or --reporter' } = prepared;
  const { alsoRead = [], alsoWritten = [], excusable } = prepared;
  refuseOverwrites(
    [...filesRead(inputs), ...alsoRead],
    [...outputs.flatMap((own) => reportsOf(own, flags)), ...alsoWritten],
  );
  const excuses = excusable ? readExcuses(inputs, excusable) : {};
  // With many folders, one file of each: what can be written there shows for all of them.
  for (const { files } of outputs) checkOutputs({ files: outputs.length > 1 ? files.slice(0, 1) : files });
  for (const notice of inputs.notices ?? []) io.stderr.write(`${notice}\n`);
  return excuses;
}
