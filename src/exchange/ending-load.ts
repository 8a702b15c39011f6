/** A run under load that ended before or during its ramp: what was seen, and what to do. */
import type { Integer } from '../scalars.ts';
import { type FirstAnswer, formatFirstAnswer } from './ending-first-answer.ts';
import type { Advice } from './ending-unreachable.ts';

/** A call alone got no reply before any load. `answer`: of the last try; absent if it broke off. */
export interface RefusedAlone {
  readonly answer?: FirstAnswer;
}

/** `shut-out`: valid calls were refused since calls with unknown keys were. */
export interface EndedUnderLoad {
  readonly why: 'stopped-answering' | 'shut-out';
  readonly inFlight: Integer;
}

const OVERLOADED: readonly (number | undefined)[] = [429, 503];

export function formatRefusedAlone({ answer }: RefusedAlone): string {
  return answer ? `a single call got ${answer.status} before any load` : 'a single call got no whole reply';
}

export function adviseOnRefusedAlone({ answer }: RefusedAlone, baseUrl: string): Advice {
  const said = answer ? formatFirstAnswer(answer) : 'a reply that broke off';
  return {
    what: `${baseUrl} answered a single call with ${said}, before any load.`,
    remedy: OVERLOADED.includes(answer?.status)
      ? 'Run again later, or use a key with higher limits.'
      : 'Mend that first: `wirecheck run` shows what is wrong. Or name a different model with --model.',
  };
}

export function formatEndedUnderLoad(ending: EndedUnderLoad): string {
  return ending.why === 'shut-out'
    ? 'the target began to refuse valid calls after calls with unknown keys'
    : `the target stopped answering at ${ending.inFlight} in flight`;
}

export function adviseOnEndedUnderLoad(ending: EndedUnderLoad): Advice {
  if (ending.why === 'shut-out') {
    return {
      what: 'The target began to refuse valid calls after calls with unknown keys: it may block this client.',
      remedy: 'Exempt this machine from the block, or run again with --skip load/unknown-key.',
    };
  }
  return {
    what: `The target stopped answering at ${ending.inFlight} in flight.`,
    // Nothing is lower than one at a time.
    remedy: `Read its log and restart it. Then run again${ending.inFlight > 1 ? ' with a lower --concurrency' : ''}.`,
  };
}
