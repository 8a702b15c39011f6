/** The title of a change, the same in every format. Text of the target is raw: each format makes it inert. */

import {
  type Change,
  type ChangeName,
  type ChangePlace,
  type FoldedChange,
  isOfModels,
  type Side,
} from '../../report/comparison/comparison.ts';
import { count } from '../../text/layout.ts';

/** One sentence: what changed, and where or in how many places. */
export function formatTitle({ change, others }: FoldedChange): string {
  const { what, place } = change;
  if (others.length > 0 && isOfModels(change)) return formatModels([change, ...others]);
  const cases = listCasesOf({ change, others });
  const where = cases.length > 1 ? count(cases.length, 'case') : (place.case ?? '');
  const title = TITLES[what](change, where, cases.length > 1);
  return others.length === 0 || place.case !== undefined
    ? title
    : `${title}, and in ${count(others.length, 'more kind')} of answer`;
}

/** Each once: one case may show a change in several kinds of answer. */
export function listCasesOf({ change, others }: FoldedChange): readonly string[] {
  return [...new Set([change, ...others].flatMap(({ place }) => place.case ?? []))];
}

const MAX_MODELS = 10;

/** The list alone cannot tell these apart. */
const MODEL_GONE = 'removed without deprecation, or the key lost access';

function formatModels(changes: readonly Change[]): string {
  const isGone = changes[0]?.what === 'model-gone';
  const names = changes.map(({ old, new: now }) => (isGone ? old.value : now.value));
  const left = names.length - MAX_MODELS;
  const shown = names.slice(0, MAX_MODELS).join(', ') + (left > 0 ? ` and ${left} more` : '');
  return isGone ? `Models no longer listed: ${shown} (${MODEL_GONE})` : `New models: ${shown}`;
}

/** `where`: the case, or the number of cases. */
type Title = (change: Change, where: string, isPlural: boolean) => string;

const TITLES: Record<ChangeName, Title> = {
  'field-gone': ({ place }) => `${place.pointer} is no longer in ${formatAnswers(place)}`,
  'field-type': ({ place }) => `${place.pointer} has a different type in ${formatAnswers(place)}`,
  'field-new': ({ place }) => `${place.pointer} is new in ${formatAnswers(place)}`,
  'body-type': ({ place }) => `The body of ${formatAnswers(place)} has a different type`,
  'answer-lost': (_, where, isPlural) => `${where} ${isPlural ? 'are' : 'is'} no longer answered`,
  'acceptance-lost': (_, where, isPlural) => `${where} ${isPlural ? 'are' : 'is'} no longer accepted`,
  'answer-new': (_, where, isPlural) =>
    isPlural ? `${where} were refused and are now answered` : `${where} was refused and is now answered`,
  'stream-lost': () => 'A request with "stream": true no longer gets an event stream',
  'end-marker-lost': () => 'Streams no longer end with [DONE]',
  'clause-broken': ({ clause }, where, isPlural) => `${where} now ${isPlural ? 'break' : 'breaks'} ${clause}`,
  'refusal-status': ({ old, new: now }, where) =>
    `Status of a refusal changed: ${old.status ?? 'none'} → ${now.status ?? 'none'} (${where})`,
  'refusal-code': ({ old, new: now }, where) =>
    `Error code changed: ${old.code ?? 'none'} → ${now.code ?? 'none'} (${where})`,
  'model-gone': ({ old }) => `Model no longer listed: ${old.value} (${MODEL_GONE})`,
  'model-new': ({ new: now }) => `New model: ${now.value}`,
  'value-new': ({ place, new: now }) => `${place.pointer} has a new value: ${now.value}`,
  time: ({ place, old, new: now }) => formatTime(place.measure ?? '', old, now),
};

interface Measure {
  readonly subject: string;
  readonly less?: string;
}

const MEASURES: Readonly<Record<string, Measure>> = {
  reply: { subject: 'A reply takes' },
  refusal: { subject: 'A refusal takes' },
  'model list': { subject: 'The model list takes' },
  'first text of a stream': { subject: 'The first text of a stream takes' },
  'gap between two pieces of a stream': {
    subject: 'The median gap between two pieces of a stream is',
    less: 'shorter',
  },
  'whole stream': { subject: 'A whole stream takes' },
};

/** `A reply takes 17 times as long`, or `longer` where a factor would say little. */
function formatTime(name: string, { median: before = 0 }: Side, { median: now = 0 }: Side): string {
  const { subject, less = 'less time' } = MEASURES[name] ?? { subject: `${name} takes` };
  if (now <= before) return `${subject} ${less}`;
  const factor = before > 0 ? now / before : 0;
  if (factor < 1.5) return `${subject} longer`;
  return `${subject} ${factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor)} times as long`;
}

function formatAnswers({ endpoint, mode, status }: ChangePlace): string {
  const request = endpoint === 'models' ? 'GET /models' : 'POST /chat/completions';
  return `answers to ${request}${mode === 'stream' ? ' (streaming)' : ''} with status ${status}`;
}
