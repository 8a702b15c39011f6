/** Legal ways to treat pages in browsers. */
import { allowPages, preflightReply } from '../cross-origin.ts';
import { type Variant, row } from '../modifier.ts';
import { unsupported } from '../refusals.ts';

export const BROWSER_VARIANTS = {
  'cors-any-origin': row('Pages of any origin may call the gateway', { ...allowPages() }),
  'cors-same-origin': row('Each page gets its own origin back, and preflights allow every header', {
    ...allowPages({
      origin: ({ headers }) => headers.origin ?? 'null',
      preflight: { ...preflightReply('*'), status: 200 },
    }),
  }),
  'cors-own-console': row('Only the pages of the console may call the gateway, and errors do not say so', {
    ...allowPages({ origin: () => 'https://console.example', allows: (reply) => reply.status < 400 }),
  }),
  'cors-origin-refused': row('Every request of a page is refused', {
    refuse: ({ headers }) => (headers.origin === undefined ? undefined : unsupported(403, 'Invalid CORS request.')),
    refusal: (reason, { headers }) =>
      headers.origin === undefined ? reason : unsupported(403, 'Invalid CORS request.'),
  }),
} satisfies Record<string, Variant>;
