/** The order in which the steps of a wave are sent in each round. */
import type { Step } from '../../plan/plan.ts';
import { toBytes } from '../../plan/request-word.ts';
import { makeExchangeId } from '../identity.ts';

/**
 * In an order of its own each time: a balancer that takes turns would send a request to the same replica again. Streams
 * come first, since they take longest: what is under way with them may be mixed up with them.
 */
export function orderForRound(steps: readonly Step[], seed: number, round: number): readonly Step[] {
  if (round === 1) return steps;
  const placeOf = ({ id, when, template }: Step): string => {
    const place = toBytes(seed, makeExchangeId({ step: id, round })).toString('hex');
    return `${when ? 1 : 0}${template.mode === 'stream' ? 0 : 1}${place}`;
  };
  const places = new Map(steps.map((step) => [step, placeOf(step)]));
  return steps.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
}
