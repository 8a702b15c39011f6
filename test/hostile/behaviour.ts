/** Describes a hostile target: what it does, to which calls, and how a run against it has to end. */
import type { Act, Call } from './hostile-target.ts';

interface Calls {
  readonly applies: (call: Call) => boolean;
  readonly only200?: boolean;
}

const CALLS = {
  'every call': { applies: () => true },
  'every list': { applies: ({ endpoint, method }) => endpoint === 'models' && method === 'GET', only200: true },
  'every plain reply': { applies: ({ endpoint, streamed }) => endpoint === 'chat' && !streamed, only200: true },
  'every stream': { applies: ({ endpoint, streamed }) => endpoint === 'chat' && streamed, only200: true },
  'every reply': { applies: ({ endpoint }) => endpoint === 'chat', only200: true },
  'every call of chat': { applies: ({ endpoint }) => endpoint === 'chat' },
  'every second call': { applies: ({ number }) => number % 2 === 0 },
  'every call after the 20th': { applies: ({ number }) => number > 20 },
} as const satisfies Record<string, Calls>;

export interface Behaviour {
  /** Ends the sentence "The target …". */
  readonly does: string;
  readonly to: keyof typeof CALLS;
  readonly act: Act;
  /** Expected exit code; two if it depends on which of two things happens first. */
  readonly exit: number | readonly [number, number];
  /** Additional flags. */
  readonly flags?: readonly string[];
  /** Expected in the terminal report, so that people know what happened. */
  readonly says?: RegExp;
}

export type Behaviours = Readonly<Record<string, Behaviour>>;

/** Refusals stay honest where only good answers are meant, or every wrong key would seem to be accepted. */
export function actOf({ to, act }: Behaviour): Act {
  const { applies, only200 = false }: Calls = CALLS[to];
  return async (call) => {
    if (!applies(call)) return call.forward();
    return only200 && (await call.honest()).status !== 200 ? call.forward() : act(call);
  };
}
