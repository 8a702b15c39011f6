/** Evidence of both ends for each observation of a relay: two gateways that differ in it. */
import { failure } from './exchanges.ts';
import { ASKED, completion, OTHER_MARK, plain, streamed, TEXT } from './relay-evidence.ts';
import { ERROR, FAILED, failing, messages, type Observing, of, passedOn, withKey } from './relay-examples.ts';

export const OBSERVING: Observing = {
  heartbeats: {
    seen: of(streamed({ reads: [{ at: 5, text: ': still here\n\n' }] }, {})),
    unseen: of(streamed({}, {})),
  },
  'request-fields': {
    seen: of(plain({ sent: { ...messages('a'), seed: 1 } }, { sent: { ...messages('a'), seed: 1 } })),
    unseen: of(plain({ sent: { ...messages('a'), seed: 1 } }, { sent: messages('a') })),
  },
  'added-fields': { seen: of(plain({}, { sent: { ...(ASKED as object), seed: 1 } })), unseen: passedOn },
  'answer-fields': { seen: of(plain({ json: completion(TEXT, { x_new: 1 }) }, {})), unseen: passedOn },
  'failure-status': {
    seen: failing(plain(FAILED, FAILED)),
    unseen: failing(plain({ failure: failure('closed') }, FAILED)),
  },
  stall: {
    seen: failing(plain({ failure: failure('aborted', { at: 10_000 }) }, { failure: failure('timeout') }), {
      calls: 'stall',
    }),
    unseen: failing(plain({ status: 504, json: ERROR }, { failure: failure('timeout') }), { calls: 'stall' }),
  },
  cache: {
    seen: of(plain({}, {}), plain(withKey)),
    unseen: of(
      plain({}, {}),
      plain({ ...withKey, json: completion(`Mark ${OTHER_MARK}.`) }, { json: completion(`Mark ${OTHER_MARK}.`) }),
    ),
  },
  leaving: {
    seen: of(
      plain({ failure: failure('aborted', { at: 300 }) }, { failure: failure('aborted', { code: 'left', at: 310 }) }),
    ),
    unseen: of(plain({ failure: failure('aborted', { at: 300 }) }, {})),
  },
  calls: { seen: of(plain({}, FAILED, {})), unseen: passedOn },
  'added-headers': { seen: of(plain({ headers: { 'x-served-by': 'me' } }, {})), unseen: passedOn },
  'added-time': { seen: of(plain({}, { sentAt: 0 })), unseen: of(plain({}, { sentAt: 9 })) },
};
