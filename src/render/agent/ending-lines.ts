/** How a run ended, for the agent format: our own words, then what the target said. */
import { adviseOnEnding } from '../../exchange/ending.ts';
import type { Report } from '../../report/report.ts';
import { isObject } from '../../json.ts';
import { inert } from '../../text/inert.ts';
import { formatQuote, isQuote } from '../../text/quote.ts';
import type { BothReports } from './agent-cause.ts';
import { quoteLines } from './target-lines.ts';

/** With room for a command that repeats the settings of a run. */
const MAX_ADVICE = 2000;

export function endingLines({ whole, bare, quotes }: BothReports): readonly string[] {
  // The texts are left out of this format only: its command is for a run with the same settings.
  const advice = adviceOn({ ...bare, provenance: whole.provenance });
  if (advice === undefined) return [];
  const isSaid = quotes && advice !== adviceOn(whole);
  return [advice, ...(isSaid ? quoteLines(listDifferences(whole.ending, bare.ending)) : [])];
}

function adviceOn(report: Report): string | undefined {
  const advice = adviseOnEnding(report);
  return advice === undefined ? undefined : inert(advice, MAX_ADVICE);
}

/** Each text that only `whole` has, after the name of its field. */
function listDifferences(whole: unknown, bare: unknown, name = ''): readonly string[] {
  if (isQuote(whole)) {
    return whole.length > 0 && isQuote(bare) && bare.quote === null ? [`${name}: ${inert(formatQuote(whole))}`] : [];
  }
  if (typeof whole === 'string') return whole === bare ? [] : [`${name}: ${inert(whole)}`];
  if (Array.isArray(whole)) {
    const others: readonly unknown[] = Array.isArray(bare) ? bare : [];
    return whole.flatMap((item, at) => listDifferences(item, others[at], name));
  }
  if (!isObject(whole)) return [];
  const other = isObject(bare) ? bare : {};
  return Object.entries(whole).flatMap(([key, value]) => listDifferences(value, other[key], key));
}
