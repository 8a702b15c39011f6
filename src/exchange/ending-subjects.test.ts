import { endedRun } from '../../test/kit/endings.ts';
import { adviseOnEnding, type EndingOf, formatEnding } from './ending.ts';
import { describe, expect, it } from 'vitest';
import { quoteText } from '../text/quote.ts';

type NoUpstreamCall = EndingOf<'no-upstream-call'>;

const ENDING = {
  kind: 'no-upstream-call',
  upstream: 'http://127.0.0.1:5055/v1',
  model: 'scripted',
  others: [],
} as const;
const advise = (parts: Partial<NoUpstreamCall>) =>
  adviseOnEnding(endedRun({ ...ENDING, ...parts }, 'http://gateway/v1'));

it('says how the gateway answered, in its own words', () => {
  expect(advise({ answer: { status: 400, message: quoteText('No such model') } })).toContain(
    'No call reached the scripted upstream at http://127.0.0.1:5055/v1. http://gateway/v1 answered the control for the model scripted with 400 (No such model). The upstream received no other requests.',
  );
});

it.each<[string, Partial<NoUpstreamCall>, RegExp]>([
  [
    'another address',
    { answer: { status: 502 } },
    /seems to call a different address\. Set .* to http:\/\/127\.0\.0\.1:5055/,
  ],
  ['another model or key', { answer: { status: 404 } }, /key is valid .*--upstream-model/],
  ['an answer of its own', { answer: { status: 200 } }, /from a cache or from a different upstream/],
  ['no answer', {}, /waits for a different upstream/],
  ['another path', { answer: { status: 404 }, others: ['POST /v1/completions'] }, /end in \/chat\/completions/],
  [
    'messages without the word',
    { answer: { status: 404 }, others: ['POST /v1/chat/completions'] },
    /Disable message rewriting/,
  ],
])('says what to set after %s', (_name, parts, remedy) => {
  expect(advise(parts)).toMatch(remedy);
});
describe('A gateway whose port is closed', () => {
  const closed = { kind: 'not-recovered', after: 'relay/plain', isRefused: true } as const;
  const adviseOn = (parts: Partial<EndingOf<'not-recovered'>>) =>
    adviseOnEnding(endedRun({ ...closed, ...parts }, 'http://127.0.0.1:1/v1'));

  it('is not told to wait longer', () => {
    expect(formatEnding(closed)).toBe('the gateway refuses connections');
    expect(adviseOn({})).toContain('http://127.0.0.1:1/v1 refuses connections since relay/plain:');
    expect(adviseOn({})).not.toContain('--recovery');
  });

  it('is told to ask one at a time if any of several cases may have stopped it', () => {
    expect(adviseOn({ inFlight: ['relay/stream', 'relay/models'] })).toContain(
      'since these cases were under way: relay/stream, relay/models.',
    );
    expect(adviseOn({ inFlight: ['relay/stream', 'relay/models'] })).toContain('--concurrency 1');
  });

  it.each<Partial<EndingOf<'not-recovered'>>>([
    { inFlight: ['relay/stream'] },
    { inFlight: ['relay/stream'], oneAtATime: true },
  ])('is not told to ask one at a time if one case is known: %j', (parts) => {
    expect(adviseOn(parts)).toContain('since relay/stream:');
    expect(adviseOn(parts)).not.toContain('--concurrency');
  });
});

describe('A gateway that only answers errors', () => {
  const locked = { kind: 'not-recovered', after: 'relay/plain', status: 503, control: 'control#9' } as const;

  it('is not told to wait longer', () => {
    const ending = { ...locked, inFlight: ['relay/leave-plain', 'relay/leave-stream'] };
    expect(formatEnding(ending)).toBe('the gateway answers the control with 503');
    expect(adviseOnEnding(endedRun(ending, 'http://127.0.0.1:1/v1'))).toBe(
      'http://127.0.0.1:1/v1 answers the control with 503 since these cases were under way: relay/leave-plain, relay/leave-stream. The gateway did not recover within --recovery. Look at its log, restart it, then run again with --concurrency 1 to see which case locks it.',
    );
  });

  it('may need longer if it is not to blame', () => {
    const { control: _control, ...limited } = { ...locked, status: 429, inFlight: ['relay/leave-plain'] };
    expect(adviseOnEnding(endedRun(limited))).toBe(
      "The gateway answered the control with 429 for as long as --recovery allows, since relay/leave-plain. Raise --recovery, or shorten the gateway's cool-down.",
    );
  });
});

it('A gateway that is up and silent may need longer', () => {
  expect(adviseOnEnding(endedRun({ kind: 'not-recovered', after: 'relay/plain' }))).toContain('Raise --recovery');
});
