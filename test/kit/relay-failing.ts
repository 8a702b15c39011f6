/** Evidence for the checks of failures and pauses: one gateway that each passes, and one in which it finds something. */
import { failure } from './exchanges.ts';
import { chunk, completion, plain, streamed } from './relay-evidence.ts';
import { BEGUN, CUT, ERROR, type Examples, FAILED, failing, of } from './relay-examples.ts';

export const FAILING: Examples = {
  'failure-known': {
    holds: failing(plain(FAILED, FAILED)),
    breaks: failing(plain({ json: completion('Sorry.') }, FAILED)),
    mismatch: 'invented',
  },
  'failure-answered': {
    holds: failing(plain(FAILED, FAILED)),
    breaks: failing(plain({ failure: failure('aborted', { at: 21_000 }) }, FAILED)),
    mismatch: 'hangs',
  },
  'failure-blame': {
    holds: failing(plain({ ...FAILED, status: 502 }, { ...FAILED, status: 401 })),
    breaks: failing(plain({ ...FAILED, status: 401 }, { ...FAILED, status: 401 })),
    mismatch: 'status',
  },
  recovery: {
    holds: failing(plain(FAILED, FAILED)),
    breaks: {
      ...failing(plain(FAILED, FAILED)),
      traffic: { cases: [{ case: 'relay/case', asked: ['q'], control: 'unanswered', unrecovered: 'q' }] },
    },
    mismatch: 'not-recovered',
  },
  'failure-form': {
    holds: failing(plain(FAILED, FAILED)),
    breaks: failing(plain({ status: 500, text: 'oops' }, FAILED)),
    mismatch: 'no-error-body',
  },
  'mid-stream-failure': {
    holds: failing(streamed({ events: BEGUN, end: CUT }, { events: BEGUN, end: CUT })),
    breaks: failing(streamed({ events: [...BEGUN, chunk('', 'stop'), '[DONE]'] }, { events: BEGUN, end: CUT })),
    mismatch: 'laundered',
  },
  'silence-text': {
    holds: of(streamed({}, {})),
    breaks: of(streamed({ events: [...BEGUN, chunk('', 'stop'), '[DONE]'] }, { events: BEGUN, end: CUT })),
    mismatch: 'laundered',
  },
  'after-pauses': {
    holds: of(plain({}, {}), plain({ ...FAILED, id: 'r' }, {})),
    breaks: of(plain(FAILED, {}), plain({ ...FAILED, id: 'r' }, {})),
    mismatch: 'status',
  },
  'after-pause': {
    holds: of(plain({}, {}), plain({ id: 'r' }, {})),
    breaks: of(plain({}, {}), plain({ ...FAILED, id: 'r' }, {})),
    mismatch: 'status',
  },
  'quiet-close': {
    holds: failing(streamed({ events: BEGUN }, { events: BEGUN })),
    breaks: failing(streamed({ events: BEGUN }, { events: BEGUN, end: CUT })),
    mismatch: 'hidden',
  },
  'second-call': {
    holds: failing(streamed({ events: BEGUN, end: CUT }, { events: BEGUN, end: CUT })),
    breaks: failing(streamed({}, { events: BEGUN, end: CUT }, { sentAt: 500 })),
    mismatch: 'second-call',
  },
  'retry-after': {
    holds: failing(
      plain(
        { status: 429, json: ERROR, headers: { 'retry-after': '3' } },
        { status: 429, json: ERROR, headers: { 'retry-after': '3' } },
      ),
    ),
    breaks: failing(plain({ status: 429, json: ERROR }, { status: 429, json: ERROR, headers: { 'retry-after': '3' } })),
    mismatch: 'retry-after-lost',
  },
};
