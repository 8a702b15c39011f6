/** What every command that checks one target does around its check: files, excuses, notices, a progress line, the report. */
import { resolve } from 'node:path';
import type { OnAwait } from '../exchange/channel/hooks.ts';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import type { Scanner } from '../exchange/secrets/scanner.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { wantsNoProgress, readOutputs } from './files/outputs.ts';
import { prepareFiles } from './files/prepare-files.ts';
import { requireWritable } from './files/write-files.ts';
import type { Excusable } from './settings/read-excuses.ts';
import type { Inputs } from './settings/read-settings.ts';
import { type Counted, type WatchHooks, watchRun } from './watch-run.ts';

/** Something that writes a recording, and says if it could not. */
interface Recording {
  readonly problem: string | undefined;
  readonly digest: string | undefined;
}

export interface SubjectCheck<Progress, Recorder extends Recording> {
  readonly inputs: Inputs;
  readonly io: CommandIo;
  readonly excusable: Excusable;
  readonly counted: Counted<Progress>;
  readonly createRecorder: (path: string, force: boolean) => Recorder;
  /** After all files were checked, before the first request. */
  readonly begin?: () => Promise<void>;
  readonly check: (
    hooks: WatchHooks<Progress> & { readonly excuses: Excuses },
    recorder: Recorder | undefined,
  ) => Promise<Report>;
  /** After the report was written and shown. */
  readonly end?: () => void;
  /** For all secrets that are known at the end. */
  readonly scanner: () => Scanner;
}

/** With all formats: they are loaded while the first answer is awaited, since they would delay its request. */
const loadDelivery = () => import('./files/deliver-report.ts');

export async function checkSubject<Progress, Recorder extends Recording>(
  subject: SubjectCheck<Progress, Recorder>,
): Promise<number> {
  const { inputs, io, excusable, counted, check, scanner } = subject;
  const { merged } = inputs;
  const outputs = readOutputs(merged, io);
  const recording = merged.get('record');
  const recordingPath = recording === undefined ? undefined : resolve(io.cwd, recording);
  const alsoWritten =
    recordingPath === undefined ? [] : [{ name: 'the recording', path: recordingPath, flags: '--record' }];
  const excuses = prepareFiles({ inputs, io, outputs: [outputs], alsoWritten, excusable });
  const recorder =
    recordingPath === undefined ? undefined : subject.createRecorder(recordingPath, merged.get('force') ?? false);
  if (recordingPath !== undefined) requireWritable(recordingPath, 'choose another file with --record.');
  await subject.begin?.();
  let delivery: ReturnType<typeof loadDelivery> | undefined;
  const report = await watchRun(io, wantsNoProgress(merged, outputs), counted, {
    start(hooks) {
      const onAwait: OnAwait = (awaited) => {
        delivery ??= loadDelivery();
        return hooks.onAwait(awaited);
      };
      return check({ ...hooks, onAwait, excuses }, recorder);
    },
    async deliver(judged) {
      const { deliverReport } = await (delivery ?? loadDelivery());
      // The report has all that is needed of the bodies.
      clearReadings();
      const written = recordingPath === undefined ? [] : [recordingPath];
      const recordingDigest = recorder?.digest;
      await deliverReport(judged, { outputs, inputs, io, scanner: scanner(), written, recordingDigest });
      subject.end?.();
    },
  });
  if (recorder?.problem !== undefined) {
    throw new UsageError(`${recording} is incomplete (${recorder.problem}). The part that was written can be judged.`, {
      code: 'FILE_UNWRITABLE',
    });
  }
  return report.outcome.exit;
}
