/** The sentences on a run under load that several formats share: a line per stage, and the verdict. */
import { type Ending, formatEnding } from '../exchange/ending.ts';
import type { LoadGap, LoadStage, LoadVerdict, TooFewAnswers } from '../report/load-report.ts';
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

/** `64 in flight: 8,012 answers, 12 rejected, 0 broken, first text after 31 ms` */
export function formatLoadStage({ phase, inFlight, calls, outcomes, times }: LoadStage): string {
  const name = phase === 'ramp' ? '' : `${phase}, `;
  const { rejected, broken, failed, unanswered } = outcomes;
  const first = times['first-text'];
  const parts = [
    `${groupDigits(calls - rejected - unanswered)} answers`,
    `${groupDigits(rejected)} rejected`,
    `${groupDigits(broken + failed)} broken`,
    ...(unanswered > 0 ? [`${groupDigits(unanswered)} not answered`] : []),
    ...(first ? [`first text after ${Math.round(first.p50)} ms`] : []),
  ];
  return `${name}${inFlight} in flight: ${parts.join(', ')}`;
}

export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}
