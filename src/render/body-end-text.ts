/** How an answer ended that was not read to its end. Every text is inert. */
import type { BodyEnd } from '../exchange/exchange.ts';
import { inert } from '../text/inert.ts';

type LeftEarly = Extract<BodyEnd, { kind: 'aborted' }>;

/** By `why`. */
const LEFT = new Map([
  ['text', 'wirecheck stopped reading at the first text'],
  ['done', 'wirecheck stopped reading after [DONE]'],
  ['interrupted', 'the run ended before the answer'],
  ['open', 'the run ended before the answer'],
  ['left', 'the other side went away'],
  ['client-left', 'the recorded client stopped reading'],
]);

export function formatLeft({ why }: LeftEarly): string {
  return LEFT.get(why) ?? inert(why, 100);
}

/** In few words; undefined if it came whole. */
export function formatBodyEnd(end: BodyEnd): string | undefined {
  if (end.kind === 'complete') return undefined;
  return end.kind === 'aborted' ? formatLeft(end) : end.kind;
}
