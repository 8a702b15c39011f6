/**
 * Gateways with ten faults each, all of which show in drawn requests. No two of a gateway show in the same way in the same places:
 * that would be one finding.
 */
import type { Call } from '../../src/gateway/call.ts';
import { hasNumber, rolesOf, says, unknownFields } from '../../src/gateway/call-tests.ts';
import { refuseIf } from '../../src/gateway/change-answer.ts';
import { type FaultId, FAULTS } from '../../src/gateway/index.ts';
import { type Fault, fault } from '../../src/gateway/modifier.ts';
import { HIDDEN_FAULTS } from './hidden-faults.ts';

const OWN = {
  // The stream that drawn ones are compared with has more than 60.
  'crowd-two-hundred-characters': fault('Text of more than 200 characters is refused', 'message.any-text', {
    refuse: says(/^[^]{201}/),
  }),
  'crowd-few-tokens-with-top-p': fault('A max_tokens below 10 beside a top_p is refused', 'endpoint.chat-answers', {
    refuse: (call: Call) => hasNumber('max_tokens', (value) => value < 10)(call) && 'top_p' in call.body,
  }),
  'crowd-list-in-unknown': fault('An unknown field that is a list is refused', 'tolerance.unknown-request-field', {
    refuse: ({ body }) => unknownFields(body).some((name) => Array.isArray(body[name])),
  }),
  'crowd-two-systems': fault('Two system messages cause a 500', 'message.roles', {
    refuse: refuseIf((call) => rolesOf(call).filter((role) => role === 'system').length > 1, 500),
  }),
} satisfies Record<string, Fault>;

const find = (id: string): Fault => {
  const found = (OWN as Record<string, Fault>)[id] ?? HIDDEN_FAULTS[id] ?? FAULTS[id as FaultId];
  if (!found) throw new Error(`No fault is named ${id}.`);
  return found;
};

/** Names of faults, with white space between. */
const IDS = {
  'crowd-a': `
    text-over-100-refused hidden-hebrew text-quote-refused param-temperature-zero-refused hidden-256-tokens
    messages-assistant-last-refused hidden-stream-with-sampling hidden-indented hidden-deep-unknown
    param-top-p-above-accepted
  `,
  'crowd-b': `
    crowd-two-hundred-characters hidden-leading-space hidden-percent hidden-temperature-above-one
    hidden-top-p-small hidden-assistant-first crowd-few-tokens-with-top-p json-escapes-refused
    hidden-null-unknown param-role-missing-accepted
  `,
  'crowd-c': `
    hidden-700-characters hidden-combining-marks hidden-astral-letters hidden-tokens-overrun
    hidden-late-system hidden-hot-and-narrow json-escapes-refused hidden-unknown-in-later-message
    param-temperature-above-accepted crowd-list-in-unknown
  `,
  'crowd-d': `
    hidden-chunk-type hidden-usage-lost hidden-closing-tag hidden-seventh-message hidden-arabic-in-streams
    hidden-top-p-small hidden-wrong-stream hidden-no-tokens-in-talk param-role-missing-accepted
    param-content-missing-accepted
  `,
  'crowd-e': `
    hidden-code-block param-content-missing-accepted param-max-tokens-out-of-range-500
    param-trailing-comma-accepted hidden-temperature-decimals hidden-top-p-beside-temperature
    hidden-dotted-unknown hidden-twenty-messages crowd-two-systems text-line-break-refused
  `,
};

export const CROWDS: Readonly<Record<string, Readonly<Record<string, Fault>>>> = Object.fromEntries(
  Object.entries(IDS).map(([name, ids]) => [
    name,
    Object.fromEntries(
      ids
        .trim()
        .split(/\s+/)
        .map((id) => [id, find(id)]),
    ),
  ]),
);
