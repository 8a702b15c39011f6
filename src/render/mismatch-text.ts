/** What a finding expected, and what came instead. */
import { inert } from '../text/inert.ts';
import { isQuote } from '../text/quote.ts';
import { formatActual } from '../verdict/actual.ts';
import { formatExpected } from '../verdict/expected.ts';
import type { FindingReport } from './fold.ts';
import { BEYOND_ASCII_IN_LINE, escapeAll, looksAlike, UNSEEN_IN_LINE } from './visible-text.ts';

const MAX_LENGTH = 400;

export function formatExpectedAt(finding: FindingReport): string {
  const { expected, pointer } = finding;
  const text = inert(formatExpected(expected), MAX_LENGTH);
  return `${showUnseen(finding, text)}${pointer ? ` at ${inert(pointer)}` : ''}`;
}

/** Where a text was changed on its way, what cannot be seen is escaped, and all but ASCII if both look alike. */
function showUnseen({ expected, actual }: FindingReport, text: string): string {
  const [sent, got] = [expected, actual].map((side) => ('text' in side && isQuote(side.text) ? side.text : undefined));
  if (typeof sent?.quote !== 'string' || typeof got?.quote !== 'string') return text;
  // Excerpts of one length were cut there.
  const areAlike = looksAlike(sent.quote, got.quote, sent.quote.length === got.quote.length);
  return escapeAll(text, areAlike ? BEYOND_ASCII_IN_LINE : UNSEEN_IN_LINE);
}

/** Types that the value alone leaves in doubt: `401` may be a number or a string. */
const TYPES_TO_NAME = ['integer', 'number', 'string', 'boolean', 'array', 'object'];

export function formatTypedActual(finding: FindingReport): string {
  const { actual, actualType, status } = finding;
  const own = showUnseen(finding, inert(formatActual(actual), MAX_LENGTH));
  const text = (actual.kind === 'absent' && nameAbsent(finding)) || own;
  if (actual.kind === 'absent' && status !== undefined) return `${text} (status ${status})`;
  return actual.kind === 'value' && TYPES_TO_NAME.includes(actualType) ? `${text} (${actualType})` : text;
}

/** Of what is absent, where the expectation or the place says what it is. */
function nameAbsent({ expected, pointer, mismatch, actualType }: FindingReport): string | undefined {
  if (mismatch === 'finish-reason') return 'no finish_reason';
  if (expected.kind === 'given-key') return 'no Authorization header';
  if (actualType === 'nothing') return 'a stream without any event';
  if (expected.kind === 'header-named' || expected.kind === 'retry-after') return 'no such header, or an empty one';
  return pointer === undefined || pointer === '' ? undefined : 'no such field';
}
