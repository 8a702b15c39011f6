/** Faults that only pages in browsers meet (part 1). */
import { allowPages, preflightReply } from '../cross-origin.ts';
import { errorAnswer } from '../change-answer.ts';
import { type Fault, fault } from '../modifier.ts';

export const BROWSER_FAULTS = {
  'cors-not-on-errors': fault('Only successes may be read by pages in browsers', 'wire.cors-errors', {
    ...allowPages({ allows: (reply) => reply.status < 400 }),
  }),
  'cors-preflight-needs-key': fault('A preflight without a key gets 401', 'wire.cors-preflight', {
    ...allowPages({ preflight: errorAnswer(401, 'invalid_api_key', 'The request carries no valid key.') }),
  }),
  'cors-preflight-without-authorization': fault(
    'A preflight allows Content-Type, and not Authorization',
    'wire.cors-preflight',
    { ...allowPages({ preflight: preflightReply('content-type') }) },
  ),
  'cors-preflight-other-origin': fault('A preflight allows another origin', 'wire.cors-preflight', {
    ...allowPages({ preflight: preflightReply('authorization, content-type', 'https://console.example') }),
  }),
} satisfies Record<string, Fault>;
