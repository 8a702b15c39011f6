/** What a hostile target does, to which calls, and how a run against it has to end. */
import type { Act, Call } from './hostile-target.test.kit.ts';

const CALLS = {
  'every call': () => true,
  'the list': ({ endpoint, method }) => endpoint === 'models' && method === 'GET',
  'plain chat': ({ endpoint, streamed }) => endpoint === 'chat' && !streamed,
  chat: ({ endpoint }) => endpoint === 'chat',
  streams: ({ endpoint, streamed }) => endpoint === 'chat' && streamed,
  'every second call': ({ number }) => number % 2 === 0,
  'calls after the 20th': ({ number }) => number > 20,
} as const satisfies Record<string, (call: Call) => boolean>;

export interface Behaviour {
  /** Ends the sentence "The target …". */
  readonly does: string;
  readonly to: keyof typeof CALLS;
  readonly act: Act;
  /** The exit code that the run has to have. */
  readonly exit: number;
  /** Further flags of the run. */
  readonly flags?: readonly string[];
  /** What has to stand in the terminal report, so that a person knows what happened. */
  readonly says?: RegExp;
}

export type Behaviours = Readonly<Record<string, Behaviour>>;

export function actOf({ to, act }: Behaviour): Act {
  return (call) => (CALLS[to](call) ? act(call) : call.forward());
}
