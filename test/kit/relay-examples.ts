/** Evidence of both ends for each check of a relay: one gateway that it passes, and one in which it finds something. */
import {
  chunk,
  completion,
  type judgeBothEnds,
  MARK,
  OTHER_MARK,
  plain,
  type Question,
  streamed,
  TEXT,
} from './relay-evidence.ts';
import type { RELAY_CHECKS } from '../../src/gather/relay/judge/judge-relay.ts';

export type Judged = Parameters<typeof judgeBothEnds>[1];
export const of = (...questions: readonly Question[]): Judged => ({ questions });
export const failing = (question: Question, testCase: Judged['testCase'] = {}): Judged => ({
  questions: [question],
  testCase: { suite: 'failures', ...testCase },
});

export const passedOn = of(plain({}, {}));
export const ERROR = { error: { message: 'The upstream failed.', type: 'server_error', code: 'failed' } };
export const CUT = { kind: 'cut', detail: '' } as const;
export const FAILED = { status: 500, json: ERROR };
const USAGE = { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } };
export const messages = (...texts: readonly string[]) => ({
  model: 'm',
  messages: texts.map((content) => ({ role: 'user', content })),
});
export const BEGUN = [chunk('The mark is ')];
const SEEN = { role: 'full', form: 'raw', whole: true, place: 'header' } as const;
const UPSTREAM_KEY_SEEN = { role: 'upstream', form: 'raw', whole: true, place: 'body' } as const;
export const withKey = { id: 'q#2' };

/** What `wirecheck run` finds nothing wrong with. */
export const PROPER = completion(TEXT, {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm',
  ...USAGE,
});
export const OTHER_OBJECT = { ...(PROPER as object), object: 'other' };

/** Two models, and what the upstream was asked for. */
const withModels = (...upstream: readonly string[]): Judged => ({
  questions: ['small', 'large'].map((model, index) =>
    plain(
      { id: `q${index}`, sent: { ...messages('a'), model } },
      { sent: { ...messages('a'), model: upstream[index] ?? '' } },
    ),
  ),
  models: ['small', 'large'],
});

/** A clause of a gateway's own contract. */
export const atFront = (...questions: readonly Question[]): Judged => ({
  questions,
  testCase: {
    calls: 'none',
    expect: [
      {
        clause: 'completion.object',
        check: 'front',
        options: {},
        front: {
          clause: 'completion.object',
          check: 'schema',
          options: { schema: 'v1/chat-completion-response' },
          over: ['completions'],
        },
      },
    ],
  },
});

/** Questions that belong to no case. */
export const controls = (...questions: readonly Question[]): Judged => ({
  questions,
  testCase: { calls: 'none' },
  traffic: { cases: [] },
});

/** What a check finds: the mismatch of a finding. */
export type Observing = Partial<Record<keyof typeof RELAY_CHECKS, { seen: Judged; unseen: Judged }>>;
export type Examples = Partial<Record<keyof typeof RELAY_CHECKS, { holds: Judged; breaks: Judged; mismatch: string }>>;

export const JUDGING: Examples = {
  understood: { holds: passedOn, breaks: of(plain(FAILED, {})), mismatch: 'not-understood' },
  text: { holds: passedOn, breaks: of(plain({ json: completion(TEXT.slice(0, -1)) }, {})), mismatch: 'text-lost' },
  'text-so-far': {
    holds: failing(streamed({ events: BEGUN, end: CUT }, { end: CUT })),
    breaks: failing(streamed({ events: [chunk('Something else')], end: CUT }, { end: CUT })),
    mismatch: 'text-altered',
  },
  'own-reply': {
    holds: passedOn,
    breaks: of(
      plain({ json: completion(`Mark ${OTHER_MARK}.`) }, {}),
      plain({ id: 'r', json: completion(`Mark ${OTHER_MARK}.`) }, { json: completion(`Mark ${OTHER_MARK}.`) }),
    ),
    mismatch: 'foreign-reply',
  },
  'every-text': {
    holds: controls(plain({}, {})),
    breaks: controls(plain({ json: completion(TEXT.slice(0, -1)) }, {})),
    mismatch: 'text-lost',
  },
  'every-own-reply': {
    holds: controls(plain({}, {})),
    breaks: controls(
      plain({}, {}),
      plain({ id: 'r', sent: messages('Other.') }, { json: completion(`Mark ${OTHER_MARK}.`) }),
    ),
    mismatch: 'foreign-reply',
  },
  'finish-reason': {
    holds: passedOn,
    breaks: of(plain({ json: { choices: [{ index: 0, message: { content: TEXT }, finish_reason: 'length' }] } }, {})),
    mismatch: 'finish-reason',
  },
  usage: {
    holds: of(plain({ json: completion(TEXT, USAGE) }, { json: completion(TEXT, USAGE) })),
    breaks: of(plain({}, { json: completion(TEXT, USAGE) })),
    mismatch: 'usage-lost',
  },
  pieces: {
    holds: of(streamed({}, {})),
    breaks: of(
      streamed(
        {
          reads: [
            { at: 3_000, text: `data: ${JSON.stringify(chunk(`The mark is ${MARK}.`, 'stop'))}\n\ndata: [DONE]\n\n` },
          ],
        },
        {},
      ),
    ),
    mismatch: 'held-back',
  },
  messages: {
    holds: passedOn,
    breaks: of(plain({}, { sent: messages('Say anything.') })),
    mismatch: 'message-text',
  },
  'message-list': {
    holds: passedOn,
    breaks: of(plain({}, { sent: messages('Be nice.', 'Say something.') })),
    mismatch: 'message-count',
  },
  roles: {
    holds: passedOn,
    breaks: of(plain({}, { sent: { messages: [{ role: 'system', content: 'Say something.' }] } })),
    mismatch: 'role',
  },
  'token-limit': {
    holds: of(plain({ sent: { ...messages('a'), max_tokens: 7 } }, { sent: { ...messages('a'), max_tokens: 7 } })),
    breaks: of(plain({ sent: { ...messages('a'), max_tokens: 7 } }, { sent: messages('a') })),
    mismatch: 'token-limit-absent',
  },
  models: {
    holds: withModels('inner-small', 'inner-large'),
    breaks: withModels('inner-small', 'inner-small'),
    mismatch: 'model',
  },
  sampling: {
    holds: of(plain({ sent: { ...messages('a'), top_p: 0.5 } }, { sent: { ...messages('a'), top_p: 0.5 } })),
    breaks: of(plain({ sent: { ...messages('a'), top_p: 0.5 } }, { sent: { ...messages('a'), top_p: 1 } })),
    mismatch: 'altered',
  },
  front: {
    holds: atFront(plain({ json: PROPER }, { json: PROPER })),
    breaks: atFront(plain({ json: OTHER_OBJECT }, { json: PROPER })),
    mismatch: 'value',
  },
  unauthorized: { holds: of(plain({ ...FAILED, status: 401 })), breaks: of(plain({}, {})), mismatch: 'status' },
  'refused-key': {
    holds: of(plain({ ...FAILED, status: 401 })),
    breaks: of(plain({ ...FAILED, status: 401 }, {})),
    mismatch: 'forwarded',
  },
  'client-key': { holds: passedOn, breaks: of(plain({}, { secretsSeen: [SEEN] })), mismatch: 'client-key' },
  'upstream-key': {
    holds: passedOn,
    breaks: of(plain({ secretsSeen: [UPSTREAM_KEY_SEEN] }, {})),
    mismatch: 'upstream-key',
  },
  'other-key': {
    holds: of(
      plain({}, {}),
      plain({ ...withKey, json: completion(`Mark ${OTHER_MARK}.`) }, { json: completion(`Mark ${OTHER_MARK}.`) }),
    ),
    breaks: of(plain({}, {}), plain(withKey)),
    mismatch: 'cached-across-keys',
  },
};
