/** Sentences on a run under load: its verdict, its stages and settings, how often a clause was broken, recovery, budgets and the command. */
import { type Ending, formatEnding } from '../exchange/ending.ts';
import type { UpstreamName } from '../exchange/identity.ts';
import {
  type LoadCount,
  type LoadDuring,
  type LoadGap,
  type LoadOutcome,
  type LoadReport,
  type LoadStage,
  MIX_KINDS,
  type TooFewAnswers,
} from '../report/load-report.ts';
import type { Report } from '../report/report.ts';
import { count, formatDuration, groupDigits, inert } from '../text/layout.ts';
import { type Block, type Column, type Fact, fact, type MarkedText } from './document/document.ts';

export const LOAD_WORDS = {
  /** Bars and tables have this order: what needs attention comes last, at the end of the bar. */
  outcome: {
    answered: 'answered',
    left: 'disconnected or read slowly by us',
    limit: 'ended by a limit of ours',
    rejected: 'rejected as overloaded',
    unanswered: 'not answered',
    failed: 'failed without breaking a clause',
    broken: 'broken',
  },
  time: { headers: 'headers', 'first-text': 'first text', end: 'end' },
  /** Which calls have which time: plain replies end sooner than streams have text. */
  timedCalls: 'headers and end of all answered calls, first text of streams only',
  quantile: { p50: 'median', p95: '95 %', p99: '99 %' },
  kind: {
    plain: 'plain replies',
    stream: 'streams',
    list: 'model lists',
    refusal: 'values out of range',
    'unknown-key': 'unknown keys',
    'slow-reader': 'slow readers',
  },
  phase: {
    ramp: 'ramp',
    burst: 'burst',
    failover: 'an upstream failed',
    halving: 'halving',
    during: 'while the command ran',
  },
  onlyWith: {
    'after-disconnect': 'calls after a client disconnected',
    'open-stream': 'calls beside an open stream',
    'slow-reader': 'calls beside a slow reader',
    'after-idle': 'calls after a pause',
    'new-connection': 'new connections',
    'kept-connection': 'kept connections',
  },
} as const;

export const CALL_OUTCOMES = Object.keys(LOAD_WORDS.outcome) as readonly LoadOutcome[];

const DOUBT_WORDS = {
  unanswered: 'not judged: more than one call of twenty still had no answer when wirecheck ended it',
  interrupted: 'not judged: interrupted',
  'command-failed': 'not judged: the command failed',
} as const;

/** `64`, or `64 (burst)` */
export function nameStage({ inFlight, phase }: LoadStage): string {
  return phase === 'ramp' ? String(inFlight) : `${inFlight} (${LOAD_WORDS.phase[phase]})`;
}

/** What is doubtful about a stage, if anything. */
export function stageRemarks(stage: LoadStage): readonly string[] {
  const { doubt, phase, kinds, calls, outcomes, upstreams, failing, givenUp = 0 } = stage;
  const { isBusy, isMachineBusy, heldBack } = stage.generator;
  const isMissed = phase === 'ramp' && outcomes.rejected <= calls / 2 && !kinds.some(({ isReached }) => isReached);
  return [
    ...(isMissed && doubt === undefined ? ['not reached: no kind of call had 30 answers'] : []),
    ...(upstreams && failing ? [formatFailing(upstreams, failing)] : []),
    ...(givenUp > 0 ? [`wirecheck ended ${count(givenUp, 'call')} still in flight long after its time`] : []),
    ...(doubt === undefined ? [] : [DOUBT_WORDS[doubt]]),
    ...(isBusy ? ['the checker was busy: times do not count'] : []),
    ...(isMachineBusy && !isBusy ? ['the machine was busy: times do not count'] : []),
    ...(heldBack > 0 ? [`no new calls for ${formatDuration(heldBack)}: answers waited to be judged`] : []),
  ];
}

/** `the primary answered 503 to its 120 calls, and the fallback had 118; at most 2 for one call` */
function formatFailing({ most, ...calls }: NonNullable<LoadStage['upstreams']>, failing: UpstreamName): string {
  const other = failing === 'primary' ? 'fallback' : 'primary';
  const failed = `the ${failing} answered 503 to its ${count(calls[failing], 'call')}`;
  return `${failed}, and the ${other} had ${groupDigits(calls[other])}; at most ${most} for one call`;
}

/** They are told even if there are none. */
const ALWAYS_TOLD: readonly LoadOutcome[] = ['answered', 'rejected', 'broken'];

/** `64 in flight: 8,012 answered, 12 rejected as overloaded, 0 broken, first text after 31 ms` */
export function formatLoadStage({ phase, inFlight, outcomes, times }: LoadStage): string {
  const name = phase === 'ramp' ? '' : `${LOAD_WORDS.phase[phase]}, `;
  const first = times['first-text'];
  const told = CALL_OUTCOMES.filter((outcome) => ALWAYS_TOLD.includes(outcome) || outcomes[outcome] > 0);
  const parts = [
    ...told.map((outcome) => `${groupDigits(outcomes[outcome])} ${LOAD_WORDS.outcome[outcome]}`),
    ...(first ? [`first text after ${Math.round(first.p50)} ms`] : []),
  ];
  return `${name}${inFlight} in flight: ${parts.join(', ')}`;
}

/** `40 % plain replies, 40 % streams, 20 % model lists; 5 % of the clients disconnect; 3 slow readers at once` */
function formatMix({ mix, disconnects, slowReaders, stages }: LoadReport): string {
  // Low stages have none.
  const hasSlowReaders = stages.some((stage) => stage.kinds.some(({ kind }) => kind === 'slow-reader'));
  const kinds = MIX_KINDS.filter((kind) => mix[kind] > 0);
  const all = kinds.reduce((sum, kind) => sum + mix[kind], 0);
  return [
    kinds.map((kind) => `${formatShare(mix[kind] / all)} ${LOAD_WORDS.kind[kind]}`).join(', '),
    ...(disconnects > 0 ? [`${formatShare(disconnects)} of the clients disconnect`] : []),
    ...(hasSlowReaders ? [`${count(slowReaders, 'slow reader')} at once`] : []),
  ].join('; ');
}

/** `Up to 64 calls in flight. Of the calls: …`, or `Up to 1 call in flight; 4 were asked for. …` */
export function loadLead(load: LoadReport): string {
  const { stages, concurrency } = load;
  const highest = Math.max(0, ...stages.map(({ inFlight }) => inFlight));
  const reached = highest === 0 ? 'No calls' : `Up to ${count(highest, 'call')}`;
  const missed = highest < concurrency ? `; ${concurrency} were asked for` : '';
  return `${reached} in flight${missed}. Of the calls: ${formatMix(load)}. Every answer was judged.`;
}

const NOT_SERVED: readonly LoadOutcome[] = ['rejected', 'unanswered', 'failed', 'broken'];

/** Why the ramp went no higher than it did, unless the run ended then: that is told as its ending. */
export function formatRampEnd({ stages, concurrency, during }: LoadReport, ending: Ending): string | undefined {
  const last = stages.findLast(({ phase }) => phase === 'ramp');
  if (!last || during || last.inFlight >= concurrency) return undefined;
  const { inFlight, outcomes, calls } = last;
  const stopped = `The ramp stopped at ${inFlight} in flight and did not go on to ${concurrency}`;
  const failed = NOT_SERVED.filter((outcome) => outcomes[outcome] > 0);
  const all = failed.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  if (all > calls / 2) {
    const shares = failed.map((outcome) => `${formatShare(outcomes[outcome] / calls)} ${LOAD_WORDS.outcome[outcome]}`);
    return `${stopped}. More than half of its calls got no proper reply: ${shares.join(', ')}.`;
  }
  return ending.kind === 'complete' ? `${stopped}: its last calls were not answered.` : undefined;
}

/**
 * `37 of 12,408 answers that it applies to (0.3 %), first seen at 9 in flight. Seen at 9 in flight (41 of 320), not at 8
 * (0 of 350)`, or `…. Seen at 9 in flight (41 of 320), too few to count at 8 (1 of 350), not at 7 (0 of 340)`
 */
export function formatLoadCount({ judged, broken, firstAt, threshold, whileFailing }: LoadCount): string {
  const share = judged > 0 && broken > 0 ? ` (${formatShare(broken / judged)})` : '';
  const { seen, unseen, fewer = [] } = threshold ?? {};
  const when = whileFailing ? ' while an upstream failed' : '';
  const first = firstAt === undefined || fewer.length > 0 ? '' : `, first seen at ${firstAt} in flight${when}`;
  const all = `${groupDigits(broken)} of ${count(judged, 'answer')} that it applies to${share}${first}`;
  if (!seen) return all;
  const there = formatShown(seen);
  if (!unseen && fewer.length === 0 && seen.inFlight === firstAt) return `${all} ${there}`;
  const few = fewer.map((stage) => `${stage.inFlight} ${formatShown(stage)}`).join(' and ');
  const tooFew = few === '' ? '' : `, too few to count at ${few}`;
  const below = unseen ? `, not at ${unseen.inFlight} ${formatShown({ ...unseen, broken: 0 })}` : '';
  return `${all}. Seen at ${seen.inFlight} in flight ${there}${tooFew}${below}`;
}

/** `(41 of 320)` */
function formatShown({ broken, judged }: { readonly broken: number; readonly judged: number }): string {
  return `(${groupDigits(broken)} of ${groupDigits(judged)})`;
}

/** `, where 60 answers showed it (3 at 9)`: why a fault is repeated at another number in flight than the lowest. */
export function formatWhyThere({ load }: Report, seen: LoadCount | undefined, inFlight: number | undefined): string {
  if (!load || seen?.firstAt === undefined || inFlight === undefined || inFlight === seen.firstAt) return '';
  const shownAt = (number: number): number =>
    seen.stages.reduce((sum, { stage, broken }) => (load.stages[stage]?.inFlight === number ? sum + broken : sum), 0);
  const lowest = groupDigits(shownAt(seen.firstAt));
  return `, where ${count(shownAt(inFlight), 'answer')} showed it (${lowest} at ${seen.firstAt})`;
}

export function formatRecovery(recovery: LoadReport['recovery']): string {
  if (recovery.kind === 'not-asked') return 'Recovery was not tested.';
  const after = `${formatDuration(recovery.after)} after the load`;
  if (recovery.kind === 'recovered') {
    const { took, before } = recovery;
    const isKnown = took !== undefined && before !== undefined;
    const slowness = isKnown ? ` It took ${formatDuration(took)}; before the load, ${formatDuration(before)}.` : '';
    return `One call at a time was answered again ${after}.${slowness}`;
  }
  const { status, failure } = recovery.last;
  const last = String(status ?? `no answer${failure === undefined ? '' : ` (${inert(failure, 60)})`}`);
  if (recovery.kind === 'not-recovered')
    return `One call at a time was not answered for ${after}; the last one got ${last}.`;
  const { retryAfter } = recovery;
  const until = retryAfter === undefined ? '' : `, with Retry-After: ${formatDuration(retryAfter)}`;
  return `One call at a time was still rejected ${after}; the last one got ${last}${until}.`;
}

/** `first text, median at 16 in flight: at most 800 ms; kept: 312 ms in 1,204 answers` */
function formatBudget({ time, quantile, most, inFlight, result }: LoadReport['budgets'][number]): string {
  const at = inFlight === undefined ? '' : ` at ${inFlight} in flight`;
  const asked = `${LOAD_WORDS.time[time]}, ${LOAD_WORDS.quantile[quantile]}${at}: at most ${formatDuration(most)}`;
  if (result.kind === 'not-judged') {
    return `${asked}; not judged: ${count(result.answers, 'answer')}, ${groupDigits(result.needed)} needed`;
  }
  return `${asked}; ${result.kind}: ${formatDuration(result.actual)} in ${count(result.answers, 'answer')}`;
}

export function formatDuring({ command, duration, end }: LoadDuring): string {
  return `${inert(command.join(' '), 300)} ${formatEnd(end)} after ${formatDuration(duration)}`;
}

function formatEnd(end: LoadDuring['end']): string {
  if (end.kind === 'exited') return `exited with ${end.code}`;
  if (end.kind === 'not-started') return `did not start (${inert(end.code, 40)})`;
  return `was ended by ${end.kind === 'signalled' ? inert(end.signal, 20) : 'wirecheck'}`;
}

/** How a run under load ended: its ramp, recovery, command and budgets. */
export function loadFacts({ load, ending }: Pick<Report, 'load' | 'ending'>): readonly Fact[] {
  if (!load) return [];
  return [
    ...fact('Ramp', formatRampEnd(load, ending)),
    ...fact('Recovery', formatRecovery(load.recovery)),
    ...fact('Command', load.during && formatDuring(load.during)),
    ...load.budgets.flatMap((budget) => fact('Budget', formatBudget(budget))),
  ];
}

const FAILED = 'failed';

const STAGE_COLUMNS: readonly (Column & { readonly show: (stage: LoadStage) => MarkedText })[] = [
  { head: 'In flight', show: nameStage },
  { head: 'calls', isOptional: true, show: ({ calls }) => formatNumber(calls) },
  { head: 'answered', show: shown('answered') },
  { head: 'rejected', show: shown('rejected') },
  { head: 'not answered', show: shown('unanswered') },
  { head: FAILED, show: shown('failed') },
  { head: 'broken', show: shown('broken') },
  { head: 'first text', show: ({ times }) => formatTime(times['first-text']?.p50) },
  { head: '95 %', isOptional: true, show: ({ times }) => formatTime(times['first-text']?.p95) },
  { head: '99 %', isOptional: true, show: ({ times }) => formatTime(times['first-text']?.p99) },
  { head: 'end', isOptional: true, show: ({ times }) => formatTime(times.end?.p50) },
];

function shown(name: LoadOutcome) {
  return ({ outcomes }: LoadStage): string => formatNumber(outcomes[name]);
}

function formatTime(time: number | undefined): string {
  return time === undefined ? '·' : formatDuration(time);
}

/** `most`: stages, since a search for the smallest load may add many. */
export function loadTable({ load }: Report, most = Infinity): readonly Block[] {
  const stages = (load?.stages ?? []).slice(0, most);
  if (!load || stages.length === 0) return [];
  const remarks = stages.flatMap((stage) =>
    [...formatBrokenKinds(stage, load.verdict), ...stageRemarks(stage)].map((text) => ({
      lead: `${nameStage(stage)}: `,
      text,
      tone: 'quiet' as const,
    })),
  );
  const hasFailed = stages.some(({ outcomes }) => outcomes.failed > 0);
  const columns = STAGE_COLUMNS.filter(({ head }) => hasFailed || head !== FAILED);
  return [
    { kind: 'table', columns, rows: stages.map((stage) => columns.map(({ show }) => show(stage))) },
    { kind: 'paragraph', text: hasFailed ? `${CAPTION} Failed calls broke no clause.` : CAPTION, tone: 'quiet' },
    ...(remarks.length === 0 ? [] : [{ kind: 'lines', lines: remarks } as const]),
  ];
}

/** Plain replies end sooner than streams have text. */
const CAPTION =
  'All calls are counted, also those whose client left or read slowly. Times are medians: first text of streams, with its 95 % and 99 %, and end of all answered calls.';

/** `broken: 12 of 371 plain replies, 4 of 19 unknown keys`, by the answers of each kind */
export function formatBrokenKinds({ kinds, inFlight }: LoadStage, verdict: LoadReport['verdict']): readonly string[] {
  const broken = kinds.filter(({ outcomes }) => outcomes.broken > 0);
  if (broken.length === 0) return [];
  const parts = broken.map(
    ({ kind, outcomes, answers }) =>
      `${groupDigits(outcomes.broken)} of ${groupDigits(answers)} ${LOAD_WORDS.kind[kind]}`,
  );
  const areFew = verdict.kind === 'held' || (verdict.kind === 'broken' && inFlight < verdict.from);
  return [`broken: ${parts.join(', ')}${areFew ? '; too few to count' : ''}`];
}

/** A dot for zero, so that the other numbers stand out. */
export function formatNumber(number: number): string {
  return number === 0 ? '·' : groupDigits(number);
}

const GAPS = {
  'alone-unanswered': 'a single call at a time got no reply',
  'stage-inconclusive': 'too many calls still had no answer when wirecheck ended them',
  'recovery-inconclusive': 'the target still rejected calls after the load',
  'keys-blocked': 'the target began to refuse valid calls after calls with unknown keys',
  'command-failed': 'the command failed',
  ended: 'the run ended early',
} as const;

/** Gaps that are better explained by how the run ended. */
const ENDED: readonly LoadGap[] = ['alone-unanswered', 'ended'];

/** `HELD UP TO 64 IN FLIGHT: 0 of 12,408 answers broken` */
export function formatLoadVerdict(verdict: LoadReport['verdict'], ending: Ending): string {
  if (verdict.kind === 'not-judged') {
    const at = verdict.inFlight === undefined ? '' : ` at ${verdict.inFlight} in flight`;
    const isEnded = ENDED.includes(verdict.why) && ending.kind !== 'complete';
    return `NOT JUDGED: ${isEnded ? formatEnding(ending) : GAPS[verdict.why]}${at}`;
  }
  const answers = groupDigits(verdict.answers);
  if (verdict.kind === 'broken') {
    const { from, broken, clauses } = verdict;
    const more = clauses.length > 3 ? [`${clauses.length - 3} more`] : [];
    const names = [...clauses.slice(0, 3), ...more].join(', ');
    const isCounted = clauses.length === 0 || broken > 0;
    return `BROKEN FROM ${from} IN FLIGHT: ${isCounted ? `${groupDigits(broken)} of ${answers} answers (${names})` : names}`;
  }
  const { upTo, rejected, tooFew, broken = 0 } = verdict;
  const held = `HELD UP TO ${upTo} IN FLIGHT`;
  const few = broken > 0 ? `: ${groupDigits(broken)} of ${answers} answers broken, too few to count` : '';
  if (rejected)
    return `${held}${few} (at ${rejected.inFlight}, ${formatShare(rejected.share)} were rejected as overloaded)`;
  return `${held}${few || `: 0 of ${answers} answers broken`}${tooFew ? ` (${formatTooFew(tooFew)})` : ''}`;
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
