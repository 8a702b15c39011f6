/** Which stock clients a broken clause affects, kind by kind, as lines of an explanation. */
import { affectedByClause } from '../report/affected.ts';
import { formatAffected } from '../render/affected-text.ts';
import type { AffectedClients } from '../report/report.ts';
import { labelled } from './explain-names.ts';

export function affectedLines(clause: string, width: number): string[] {
  const { measured = '', mismatches = [] } = affectedByClause(clause) ?? {};
  return mismatches.flatMap((each, index) => {
    const text = formatAffected({ measured, mismatches: [each] });
    return labelled(index === 0 ? 'Affected' : '', `by ${formatKind(each)} ${text}`, width);
  });
}

function formatKind({ call, mismatch, actual, pointer = '' }: AffectedClients): string {
  const place = pointer === '' ? '' : ` at ${pointer}`;
  const words: Readonly<Record<string, string>> = {
    type: `${actual}${place}`,
    absent: pointer === '' ? `${mismatch}: ${actual}` : `nothing${place}`,
    value: `another value${place}`,
  };
  return `${words[mismatch] ?? `${mismatch === actual ? mismatch : `${mismatch}: ${actual}`}${place}`} (${call})`;
}
