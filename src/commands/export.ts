/** `wirecheck export RECORDING --har FILE` */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { exportHar } from '../recording/har/har-export.ts';
import { formatNotice } from '../exchange/notice.ts';
import { inertJson, inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import { inputOf, refuseOverwrites } from './files/refuse-overwrites.ts';
import type { AnyRecording, RecordedRun } from '../recording/recording.ts';
import { loadRecorded } from './files/load-recorded.ts';
import type { CommandIo } from './command-io.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';

export interface ExportOptions {
  readonly har?: string;
  readonly force?: boolean;
}

export async function exportCommand(
  file: string,
  { har, force = false }: ExportOptions,
  io: CommandIo,
): Promise<number> {
  const { cwd, stdout, stderr } = io;
  if (har === undefined)
    throw new UsageError('--har is missing: give --har FILE, or --har - for stdout.', { code: 'VALUE_MISSING' });
  const path = har === '-' ? undefined : resolve(cwd, har);
  if (path !== undefined) {
    refuseOverwrites(
      [inputOf(`The recording ${inert(file, 300)}`, file, cwd)],
      [{ name: 'the HAR', path, flags: '--har' }],
    );
    if (!force && existsSync(path))
      throw new UsageError(`${har} already exists: choose another file, or add --force.`, { code: 'FILE_EXISTS' });
    requireWritable(path, 'choose another file.', har);
  }
  const recorded = await loadRecorded(file, cwd);
  if (recorded.kind === 'report') {
    throw new UsageError(`${file} is a report, which does not hold every body: export the recording of the run.`, {
      code: 'FILE_INVALID',
    });
  }
  const run = recorded.kind === 'har' ? await recorded.open() : gatewayRun(await recorded.open(), file);
  const text = `${inertJson(JSON.stringify(await exportHar(run), null, 2))}\n`;
  for (const notice of run.notices()) stderr.write(`${formatNotice(notice)}\n`);
  if (path === undefined) stdout.write(text);
  else {
    writeWhole(path, text);
    stderr.write(`Wrote ${relative(cwd, path)}\n`);
  }
  return 0;
}

function gatewayRun(recorded: AnyRecording, file: string): RecordedRun {
  if (recorded.subject === 'gateway') return recorded;
  throw new UsageError(
    `${file} is the recording of a ${recorded.subject}: only the recording of a gateway can become a HAR file.`,
    { code: 'FILE_INVALID' },
  );
}
