/** Faults in the count of prompt tokens (part 2). */
import { contentsOf, isStream, messagesOf } from '../call-tests.ts';
import { put } from '../change.ts';
import { type Fault, fault } from '../modifier.ts';

const FINGERPRINT = put('/system_fingerprint', 'fp_1');

export const COUNT_FAULTS = {
  'usage-prompt-without-repeats': fault('Words that were counted before count nothing', 'usage.counts-text', {
    reply: (_reply, call) => {
      const words = contentsOf(call).flatMap((content) => (typeof content === 'string' ? content.split(/\s+/) : []));
      return { promptTokens: new Set(words.filter(Boolean)).size };
    },
  }),
  'usage-prompt-first-message': fault('Only the first message is counted', 'usage.counts-messages', {
    reply: ({ promptTokens }, call) => {
      const [first] = contentsOf(call);
      if (messagesOf(call).length < 2 || typeof first !== 'string') return { promptTokens };
      return { promptTokens: 4 + first.split(/\s+/).filter(Boolean).length };
    },
  }),
  'usage-prompt-of-streams': fault('Streams count more prompt tokens on the same server', 'usage.counts-alike', {
    completion: FINGERPRINT,
    chunks: (chunks) => chunks.map(FINGERPRINT),
    reply: ({ promptTokens }, call) => ({ promptTokens: promptTokens + (isStream(call) ? 12 : 0) }),
  }),
} satisfies Record<string, Fault>;
