/** When a server of the self-test does what its row says. One call that is asked alone does not show it. */
import type { Pressure } from './pressure.ts';

export type Condition =
  /** More calls in flight than this. */
  | { readonly kind: 'above'; readonly inFlight: number }
  /** Every so many calls. */
  | { readonly kind: 'one-in'; readonly calls: number }
  /** A single call, by its place. */
  | { readonly kind: 'once'; readonly call: number }
  /** Each time so many clients have disconnected, for so many calls. */
  | { readonly kind: 'disconnects'; readonly clients: number; readonly calls: number }
  /** Somebody does not read. */
  | { readonly kind: 'slow-reader' }
  /** No call for so many milliseconds; holds for so many calls. */
  | { readonly kind: 'idle'; readonly ms: number; readonly calls: number };

export const above = (inFlight: number): Condition => ({ kind: 'above', inFlight });
export const oneIn = (calls: number): Condition => ({ kind: 'one-in', calls });
export const once = (call: number): Condition => ({ kind: 'once', call });
export const afterDisconnects = (clients: number, calls: number): Condition => ({
  kind: 'disconnects',
  clients,
  calls,
});
export const whileReaderIsSlow: Condition = { kind: 'slow-reader' };
export const afterIdle = (ms: number, calls: number): Condition => ({ kind: 'idle', ms, calls });

/** Asked once for each call that the row is about. */
export type Holds = () => boolean;

export function watchCondition(condition: Condition, pressure: Pressure): Holds {
  switch (condition.kind) {
    case 'above':
      return () => pressure.inFlight > condition.inFlight;
    case 'one-in':
      return everyNth(condition.calls);
    case 'once':
      return nth(condition.call);
    case 'disconnects':
      return afterEach(() => Math.floor(pressure.disconnects / condition.clients), condition.calls);
    case 'slow-reader':
      return () => pressure.hasSlowReader;
    case 'idle':
      return afterPause(condition.ms, condition.calls, pressure);
  }
}

function everyNth(calls: number): Holds {
  let count = 0;
  return () => (count += 1) % calls === 0;
}

function nth(call: number): Holds {
  let count = 0;
  return () => (count += 1) === call;
}

/** For so many calls each time the number has grown. */
function afterEach(number: () => number, calls: number): Holds {
  let seen = 0;
  let left = 0;
  return () => {
    if (number() > seen) {
      seen = number();
      left = calls;
    }
    left -= 1;
    return left >= 0;
  };
}

function afterPause(ms: number, calls: number, pressure: Pressure): Holds {
  let last = 0;
  let left = 0;
  return () => {
    const { idle } = pressure;
    if (idle !== last) {
      last = idle;
      if (idle >= ms) left = calls;
    }
    left -= 1;
    return left >= 0;
  };
}
