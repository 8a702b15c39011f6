/** Which stock clients a broken clause affects, kind by kind, as lines of an explanation. */
import { affectedByClause } from '../report/affected.ts';
import { formatAffected } from '../render/finding-text.ts';
import type { AffectedClients } from '../report/report.ts';
import type { Line } from './explained.ts';

const CALLS: Record<AffectedClients['call'], string> = {
  plain: 'in plain calls',
  stream: 'in streamed calls',
  models: 'in model lists',
};

export function affectedLines(clause: string): readonly Line[] {
  const { measured = '', mismatches = [] } = affectedByClause(clause) ?? {};
  // The kind of mismatch is worth a word only if a clause can be broken in several ways.
  const isOneKind = new Set(mismatches.map(formatKind)).size === 1;
  return mismatches.map((each, index): Line => {
    const text = formatAffected({ measured, mismatches: [each] });
    const kind = isOneKind ? '' : `, ${formatKind(each)}`;
    const colon = each.affected.length === 0 ? ':' : '';
    return [index === 0 ? 'Affected' : '', `${CALLS[each.call]}${kind}${colon} ${text}`];
  });
}

const JSON_TYPES: readonly string[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

function formatKind({ mismatch, actual, pointer = '' }: AffectedClients): string {
  // `/*` is any event.
  const place = pointer === '' || pointer === '/*' ? '' : ` at ${pointer}`;
  if (mismatch === 'type') return `${actual}${place}`;
  if (mismatch === 'value') return `a different value${place}`;
  if (mismatch === 'absent' && place !== '') return `${pointer} absent`;
  const isTold = mismatch !== actual && !JSON_TYPES.includes(actual);
  return `${isTold ? `${mismatch}: ${actual}` : mismatch}${place}`.replaceAll('-', ' ');
}
