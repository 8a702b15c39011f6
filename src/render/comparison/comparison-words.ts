/** What a change is, in words; the same in every format. Text of the target comes out as it is: each format makes it inert. */
import {
  type Change,
  type ChangeKind,
  type ChangeName,
  type ChangePlace,
  type Comparison,
  LEFT_OUT_FOR,
  type Side,
} from '../../report/comparison/comparison.ts';
import { count } from '../../text/layout.ts';

export const KIND_TITLES: Record<ChangeKind, string> = {
  breaking: 'Breaking',
  warning: 'To be looked at',
  additive: 'Added',
  drift: 'Times that drifted',
};

/** One sentence: what changed, and where, `and in 3 more cases`. */
export function titleOf({ change, others }: FoldedChange): string {
  if (others.length === 0) return TITLES[change.what](change);
  if (change.what === 'model-gone' || change.what === 'model-new') return modelsTitle([change, ...others]);
  const [one, many] = change.place.case === undefined ? ['kind of answer', 'kinds of answer'] : ['case', 'cases'];
  return `${TITLES[change.what](change)}, and in ${others.length} more ${others.length === 1 ? one : many}`;
}

const MOST_MODELS = 10;

function modelsTitle(changes: readonly Change[]): string {
  const isGone = changes[0]?.what === 'model-gone';
  const names = changes.map(({ old, new: now }) => (isGone ? old.value : now.value));
  const left = names.length - MOST_MODELS;
  const shown = names.slice(0, MOST_MODELS).join(', ') + (left > 0 ? ` and ${left} more` : '');
  return isGone
    ? `The models ${shown} are gone without a deprecation mark, or the key may no longer call them`
    : `The models ${shown} are new`;
}

const TITLES: Record<ChangeName, (change: Change) => string> = {
  'field-gone': ({ place }) => `${place.pointer} is gone from ${answersAt(place)}`,
  'field-type': ({ place }) => `${place.pointer} has another type in ${answersAt(place)}`,
  'field-new': ({ place }) => `${place.pointer} is new in ${answersAt(place)}`,
  'body-type': ({ place }) => `The body of ${answersAt(place)} is something else`,
  'answer-lost': ({ place }) => `${place.case} was answered and is not any more`,
  'acceptance-lost': ({ place }) => `${place.case} was accepted and is not any more`,
  'answer-new': ({ place }) => `${place.case} was refused and is answered now`,
  'stream-lost': () => 'A request with stream true is not answered with an event stream any more',
  'end-marker-lost': () => 'Streams do not end with [DONE] any more',
  'clause-broken': ({ clause, place }) => `${place.case} breaks ${clause}, which it kept`,
  'refusal-status': ({ place }) => `${place.case} gets another status`,
  'refusal-code': ({ place }) => `${place.case} is refused with another code`,
  'model-gone': ({ old }) =>
    `The model ${old.value} is gone without a deprecation mark, or the key may no longer call it`,
  'model-new': ({ new: now }) => `The model ${now.value} is new`,
  'value-new': ({ place, new: now }) => `${place.pointer} has a new value, ${now.value}`,
  time: ({ place, old, new: now }) => `${MEASURES[place.measure ?? ''] ?? place.measure} takes ${longer(old, now)}`,
};

const MEASURES: Readonly<Record<string, string>> = {
  reply: 'A reply',
  refusal: 'A refusal',
  'model list': 'The model list',
  'first event of a stream': 'The first event of a stream',
};

function longer({ median: before = 0 }: Side, { median: now = 0 }: Side): string {
  return now > before ? 'longer' : 'less time';
}

function answersAt({ endpoint, mode, status }: ChangePlace): string {
  const request = endpoint === 'models' ? 'GET /models' : 'POST /chat/completions';
  const kind = mode === 'stream' ? (status === 200 ? 'streams' : 'answers to streamed requests') : 'answers';
  return `${kind} of ${request} with status ${status}`;
}

export function sideInWords({ what, place, old }: Change, side: Side): string {
  const { answers = 0, present = 0, types = [], status, code, value, median, spread, exchanges } = side;
  if (median !== undefined) return `${median} ms (median of ${count(answers, 'answer')}, spread ${spread ?? 0} ms)`;
  if (status !== undefined) {
    // One request may ask what several cases want to know; then it has the name of one of them.
    const isShared = place.case !== undefined && exchanges.length > 0 && !exchanges.includes(place.case);
    return `status ${status}${code === undefined ? '' : `, code ${code}`}${isShared ? ', in a request shared with other cases' : ''}`;
  }
  if (what === 'body-type') return `${types.join(' or ')} in ${count(answers, 'answer')}`;
  // The title names the models.
  if (what === 'model-gone') return side === old ? 'listed' : (value ?? 'not listed');
  if (what === 'model-new') return side === old ? 'not listed' : 'listed';
  if (value !== undefined) return value;
  if (what === 'value-new') return 'not seen';
  if (present === 0) return `in none of ${count(answers, 'answer')}`;
  const share = `in ${present} of ${count(answers, 'answer')}`;
  return types.length === 0 ? share : `${types.join(' or ')}, ${share}`;
}

/** Changes that are the same but for their place: one stands for all. */
export interface FoldedChange {
  readonly change: Change;
  readonly others: readonly Change[];
}

export function foldChanges(changes: readonly Change[]): readonly FoldedChange[] {
  const folded = new Map<string, { readonly change: Change; readonly others: Change[] }>();
  for (const change of changes) {
    const key = cause(change);
    const first = folded.get(key);
    if (first) first.others.push(change);
    else folded.set(key, { change, others: [] });
  }
  return [...folded.values()];
}

function cause({ kind, what, clause, place, old, new: now, excused, scant, announcedFor }: Change): string {
  if (what === 'clause-broken') return JSON.stringify([kind, what, clause, place.pointer, excused]);
  if (what === 'model-new') return JSON.stringify([kind, what, excused]);
  if (what === 'model-gone') return JSON.stringify([kind, what, clause, now.value, excused, announcedFor]);
  const byCase =
    place.case === undefined ? [place.pointer, old.types, now.types] : [old.status, old.code, now.status, now.code];
  return JSON.stringify([kind, what, byCase, now.value, place.measure, excused, scant, announcedFor]);
}

/** Why it counts as it does, where that is not plain from what it is. */
export function remarkOn({ scant, announcedFor, old: { answers = 0 } }: Change): string | undefined {
  if (announcedFor !== undefined) return `announced for ${announcedFor}, gone before that day`;
  return scant ? `a warning only: ${count(answers, 'answer')} in the older run; three make it breaking` : undefined;
}

const MOST_FINGERPRINTS = 6;

/** As many as people look at, each with what it belongs to, and how to name all at once. */
export function fingerprintsInWords(folded: FoldedChange): string {
  const all = [folded.change, ...folded.others];
  if (all.length === 1) return folded.change.fingerprint;
  const left = all.length - MOST_FINGERPRINTS;
  const shown = all.slice(0, MOST_FINGERPRINTS).map((one) => `${one.fingerprint} (${memberName(one)})`);
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more (in the JSON)` : ''}: ${waiveAll(folded)}`;
}

/** What tells one of a group from the others: a model, a case or a kind of answer. */
export function memberName({ what, place: { case: id, endpoint, mode, status }, old, new: now }: Change): string {
  if (what === 'model-gone') return old.value ?? '';
  if (what === 'model-new') return now.value ?? '';
  return id ?? `${endpoint} ${mode} ${status}`;
}

export function waiveAll({ change }: FoldedChange): string {
  const each = 'a waiver for each';
  return change.place.case === undefined ? each : `${each}, or one with the clause and a pattern of cases`;
}

export function excuseInWords({ excused }: Change): string | undefined {
  if (!excused) return undefined;
  const { by, reason, link, date } = excused;
  const what = by === 'waiver' ? `waived until ${date}` : `announced for ${date}`;
  return `${what}: ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** The last line of every format. */
export function resultLine(comparison: Comparison): string {
  const { counts, exit, changes } = comparison;
  const excused = changes.filter((change) => change.excused).length;
  const breaks = changes.some((change) => change.kind === 'breaking' && !change.excused);
  const numbers = [
    `${counts.breaking} breaking`,
    count(counts.warning, 'warning'),
    `${counts.additive} additive`,
    `${counts.drift} drifted`,
    ...(excused > 0 ? [`${excused} of them excused`] : []),
  ].join(', ');
  if (exit === 3) return `NOT COMPARED: ${unsettled(comparison)}; ${numbers} in the rest`;
  const words: Record<Exclude<Comparison['exit'], 3>, string> = {
    0: counts.breaking > 0 ? 'NOTHING NEW BREAKS' : 'NOTHING BREAKS',
    1: breaks ? 'BREAKS' : 'CHANGED',
  };
  return `${words[exit]}: ${numbers}`;
}

function unsettled({ compared, obstacles, old, new: now }: Comparison): string {
  const bare = [...(old.withoutBodies ? ['older'] : []), ...(now.withoutBodies ? ['newer'] : [])];
  if (bare.length > 0) return `the bodies of the ${bare.join(' and the ')} run were left out (--no-bodies)`;
  const left = leftOut(compared);
  const [obstacle = 'a run did not come to its end'] = obstacles;
  return left === '' ? obstacle.replace(/\.$/, '') : `${left} in one of the runs`;
}

/** `102 of 144 cases, being inconclusive (100) or flaky (2)`. */
function leftOut({ cases, casesLeftOut }: Comparison['compared']): string {
  const why = LEFT_OUT_FOR.filter((name) => casesLeftOut[name] > 0);
  const all = why.reduce((sum, name) => sum + casesLeftOut[name], 0);
  if (all === 0) return '';
  return `${all} of ${count(cases + all, 'case')}, being ${why.map((name) => `${name} (${casesLeftOut[name]})`).join(' or ')}`;
}

export function comparedInWords({ compared }: Comparison): string {
  const { cases, shapes, scantShapes, answers } = compared;
  const left = leftOut(compared);
  return [
    `${count(cases, 'case')} and ${count(shapes, 'kind')} of answer (${count(answers, 'answer')} of the older run) compared`,
    ...(left === '' ? [] : [`left out: ${left} in one of the runs`]),
    ...(scantShapes === 0
      ? []
      : [
          `${count(scantShapes, 'kind')} of answer with fewer than three answers, where what is gone is a warning at most`,
        ]),
  ].join('; ');
}
