/** The verdict of a run under load, which several formats share. */
import { type Ending, formatEnding } from '../exchange/ending.ts';
import type { LoadGap, LoadVerdict, TooFewAnswers } from '../report/load-report.ts';
import { groupDigits } from '../text/layout.ts';

const GAPS: Readonly<Record<LoadGap, string>> = {
  'alone-unanswered': 'a single call at a time got no reply',
  'stage-inconclusive': 'too many calls were not answered in time',
  'recovery-inconclusive': 'the target still rejected calls after the load',
  'keys-blocked': 'the target began to refuse valid calls after calls with unknown keys',
  'command-failed': 'the command failed',
  ended: 'the run ended early',
};

/** Gaps that are better explained by how the run ended. */
const ENDED: readonly LoadGap[] = ['alone-unanswered', 'ended'];

/** `HELD UP TO 64 IN FLIGHT: 0 of 12,408 answers broken` */
export function formatLoadVerdict(verdict: LoadVerdict, ending: Ending): string {
  if (verdict.kind === 'not-judged') {
    const at = verdict.inFlight === undefined ? '' : ` at ${verdict.inFlight} in flight`;
    const isEnded = ENDED.includes(verdict.why) && ending.kind !== 'complete';
    return `NOT JUDGED: ${isEnded ? formatEnding(ending) : GAPS[verdict.why]}${at}`;
  }
  const answers = groupDigits(verdict.answers);
  if (verdict.kind === 'broken') {
    const { from, broken, clauses } = verdict;
    const shown = clauses.length > 0 && broken === 0 ? '' : `${groupDigits(broken)} of ${answers} answers `;
    const names = clauses.length > 3 ? [...clauses.slice(0, 3), `${clauses.length - 3} more`] : clauses;
    return `BROKEN FROM ${from} IN FLIGHT: ${shown}${shown === '' ? names.join(', ') : `(${names.join(', ')})`}`;
  }
  const { upTo, rejected, tooFew } = verdict;
  if (!rejected) {
    const why = tooFew ? ` (${formatTooFew(tooFew)})` : '';
    return `HELD UP TO ${upTo} IN FLIGHT: 0 of ${answers} answers broken${why}`;
  }
  return `HELD UP TO ${upTo} IN FLIGHT (at ${rejected.inFlight}, ${formatShare(rejected.share)} were rejected as overloaded)`;
}

/** `too few answers at 4 to 64: raise --max-completions` */
function formatTooFew({ from, to, raise }: TooFewAnswers): string {
  return `too few answers at ${from === to ? from : `${from} to ${to}`}: raise --${raise}`;
}

export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}
