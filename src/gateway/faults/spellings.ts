/** Valid requests that a careless reader of JSON or HTTP refuses because of how they are written (parts 2, 4). */
import { isChat, refuseIf } from '../change.ts';
import type { Call } from '../call.ts';
import { type Fault, fault } from '../modifier.ts';

const SPELLING = 'request.json-spelling';

const isWritten = (pattern: RegExp) => (call: Call) => isChat(call) && pattern.test(call.text ?? '');

export const SPELLINGS_FAULTS = {
  'json-key-order-refused': fault('A body in which model is not the first key is refused', SPELLING, {
    refuse: refuseIf((call) => isChat(call) && Object.keys(call.body)[0] !== 'model'),
  }),
  'json-white-space-refused': fault('A body with line breaks is refused', SPELLING, {
    refuse: refuseIf(isWritten(/\n/)),
  }),
  'json-leading-space-refused': fault('A body that does not begin with a brace is refused', SPELLING, {
    refuse: refuseIf(isWritten(/^[^{]/)),
  }),
  'json-escapes-refused': fault('Escaped letters are refused', SPELLING, {
    refuse: refuseIf(isWritten(/\\u00[0-7]/)),
  }),
  'json-surrogates-500': fault('An escaped surrogate pair causes a 500', SPELLING, {
    refuse: refuseIf(isWritten(/\\ud8/i), 500),
  }),
  'json-decimal-temperature-refused': fault('temperature 1.0 is refused', SPELLING, {
    refuse: refuseIf((call) => isWritten(/\b1\.0\b/)(call) && call.body['temperature'] === 1),
  }),
  'json-decimal-top-p-refused': fault('top_p 1.0 is refused', SPELLING, {
    refuse: refuseIf((call) => isWritten(/\b1\.0\b/)(call) && call.body['top_p'] === 1),
  }),
  'json-streamed-white-space-refused': fault('A body with line breaks is refused if it asks for a stream', SPELLING, {
    refuse: refuseIf((call) => isWritten(/\n/)(call) && call.streamed),
  }),
  'header-names-case-sensitive': fault('Header names in capitals are not understood', 'request.header-names', {
    authorize: (caller, { headerNames }) => (headerNames.includes('AUTHORIZATION') ? undefined : caller),
  }),
  'header-content-type-case-sensitive': fault('CONTENT-TYPE in capitals is refused', 'request.header-names', {
    refuse: refuseIf(({ headerNames }) => headerNames.includes('CONTENT-TYPE'), 415),
  }),
  'stream-flag-read-as-text': fault(
    'A stream is asked for only by "stream":true to the letter',
    'stream.event-stream',
    {
      streams: (asked, { text }) => asked && (text ?? '').includes('"stream":true'),
    },
  ),
} satisfies Record<string, Fault>;
