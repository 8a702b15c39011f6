/** The values of `--reporter`, as `NAME` or `NAME=FILE`. */
import { resolve } from 'node:path';
import { inert } from '../../text/inert.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { UsageError } from '../../usage-error.ts';
import type { Origin } from '../settings/merge-settings.ts';

export interface ChosenFormat<Name extends string> {
  readonly format: Name;
  /** Absent for stdout. */
  readonly path?: string;
}

interface ReporterOptions<Name extends string> {
  readonly names: readonly Name[];
  readonly cwd: string;
  /** Whose formats they are, if not those of a report, such as `a board`. */
  readonly of?: string;
  readonly originOf?: (index: number) => Origin | undefined;
}

export function readReporters<Name extends string>(
  texts: readonly string[],
  { names, cwd, of, originOf }: ReporterOptions<Name>,
): readonly ChosenFormat<Name>[] {
  const chosen = texts.map((text, index): ChosenFormat<Name> => {
    const { label = '--reporter', at } = originOf?.(index) ?? {};
    const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const format = names.find((each) => each === name.trim());
    if (format === undefined) {
      const guess = didYouMean(name, names) || ` Use one of ${names.join(', ')}.`;
      throw new UsageError(`Unknown reporter "${inert(name, 40)}"${of === undefined ? '' : ` for ${of}`}.${guess}`, {
        ...at,
        code: 'UNKNOWN_NAME',
      });
    }
    if (file?.trim() === '')
      throw new UsageError(`${label} ${format}= needs a file name after the equals sign.`, {
        ...at,
        code: 'VALUE_MISSING',
      });
    return { format, ...(file !== undefined && { path: resolve(cwd, file.trim()) }) };
  });
  const [, another] = chosen.filter(({ path }) => path === undefined);
  if (another) {
    throw new UsageError(
      `Only one reporter can write to stdout: give the others a file, as in ${another.format}=FILE.`,
      { code: 'CONFLICT' },
    );
  }
  return chosen;
}
