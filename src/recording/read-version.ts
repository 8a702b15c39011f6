/** The version of the recording format, from the first line of a file. */
import { isObject } from '../json.ts';
import { UsageError } from '../usage-error.ts';
import { RECORDING_FORMAT, RECORDING_VERSION } from './recording.ts';

/** `shown`: the path as the user wrote it. */
export function readVersion(first: unknown, shown: string): 1 | typeof RECORDING_VERSION {
  if (!isObject(first) || first['format'] !== RECORDING_FORMAT) {
    throw new UsageError(`${shown} is not a wirecheck recording. Pass a file written by --record, or a HAR file.`, {
      code: 'FILE_INVALID',
    });
  }
  const { version, kind } = first;
  if (version !== RECORDING_VERSION && version !== 1) {
    throw new UsageError(
      `${shown} has version ${JSON.stringify(version)} of the recording format. Use a wirecheck that reads it; this one reads versions 1 and ${RECORDING_VERSION}.`,
      { code: 'FILE_INVALID' },
    );
  }
  if (version === 1 && kind !== 'start') {
    throw new UsageError(
      `${shown} has version 1 of the recording format, which has gateways only. Record the client or the relay again.`,
      { code: 'FILE_INVALID' },
    );
  }
  return version;
}
