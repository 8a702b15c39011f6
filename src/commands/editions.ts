/** `wirecheck editions` */

import {
  changedParts,
  digestNow,
  type Edition,
  type EditionDigest,
  type EditionPart,
  loadEditions,
  nameOfEdition,
} from '../contract/editions.ts';
import { clampWidth } from '../text/layout.ts';
import type { CommandIo } from './command-io.ts';
import { linesOf } from './explained.ts';

export interface EditionsOptions {
  readonly json?: boolean;
}

/** An edition as the command shows it. */
export interface ShownEdition {
  readonly edition: string;
  /** Absent for a draft. */
  readonly date?: string;
  readonly digest: string;
  /** The parts that differ from the edition before; absent for the first one. */
  readonly changed?: readonly EditionPart[];
  readonly changes: readonly string[];
}

export function editionsCommand({ json = false }: EditionsOptions, { stdout }: CommandIo): number {
  const shown = describeEditions(loadEditions(), digestNow());
  const width = clampWidth(stdout.columns);
  stdout.write(
    json
      ? `${JSON.stringify(shown, null, 2)}\n`
      : `${shown.map((edition) => editionLines(edition, width).join('\n')).join('\n\n')}\n`,
  );
  return 0;
}

/** `now`: the digest of a draft. */
export function describeEditions(editions: readonly Edition[], now: EditionDigest): readonly ShownEdition[] {
  return editions.map((edition, index) => {
    const { cut, changes } = edition;
    const before = editions[index + 1]?.cut;
    return {
      edition: nameOfEdition(edition),
      ...(cut && { date: cut.date }),
      digest: (cut ?? now).digest,
      ...(before && { changed: changedParts(before, cut ?? now) }),
      changes,
    };
  });
}

function editionLines({ edition, date, digest, changed, changes }: ShownEdition, width: number): readonly string[] {
  return [
    `${edition}  ${date === undefined ? 'not cut yet: it can still change' : `cut on ${date}`}`,
    ...linesOf(
      [
        ['Digest', digest],
        ['Changed', changed && (changed.length === 0 ? 'nothing that the digest covers' : changed.join(', '))],
        ['Changes', changes.join('\n')],
      ],
      width,
    ),
  ];
}
