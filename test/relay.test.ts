/** Whole runs of both ends: what they cost, what their reports have, and relays that prove nothing. The self-test has the rest. */
import { describe, expect, it } from 'vitest';
import { type RelayHooks, runRelay, startRelayUpstream } from '../src/gather/relay/run-relay.ts';
import type { Wait } from '../src/exchange/channel/hooks.ts';
import type { RelayModifier } from '../selftest/relays/relay-modifier.ts';
import { checkRelayWith, SHORT_RECOVERY } from './kit/relay-runs.ts';
import { errorAnswer, RELAY_KEYS, startSmallRelay } from '../selftest/relays/small-relay.ts';
import { withMessages } from '../selftest/relays/rewrite.ts';
import { findBothEnds, formatUpstreamEnd } from '../src/render/request-text.ts';
import { formatRequests } from '../src/render/run-text.ts';
import { DEFAULT_SETTINGS } from '../src/settings.ts';

/** A gateway that stops for good once it is asked for the third message. */
async function crash(...only: readonly string[]) {
  const relaySettings = { ...DEFAULT_SETTINGS.relay, recovery: SHORT_RECOVERY, upstreamModel: ['small-relay'] };
  const settings = { ...DEFAULT_SETTINGS, relay: relaySettings, only, baseUrl: '' };
  const started = await startRelayUpstream(settings, { full: RELAY_KEYS.full }, 0);
  let isCrashed = false;
  const shortcut: RelayModifier['shortcut'] = ({ body }) => {
    if (JSON.stringify(body).includes('The third message')) {
      isCrashed = true;
      void relay.close();
    }
    return undefined;
  };
  const relay = await startSmallRelay({ upstreamUrl: started.upstream.url, modifiers: [{ shortcut }] });
  /** As each wait ends. */
  const waits: string[] = [];
  const told: Wait[] = [];
  const onAwait: RelayHooks['onAwait'] = (look) => () => void waits.push(look().what);
  const hooks: RelayHooks = { onAwait, onWait: (wait) => void told.push(wait) };
  const report = await runRelay({ ...settings, baseUrl: relay.baseUrl }, { full: RELAY_KEYS.full }, started, hooks);
  return { report, isCrashed, waits, told };
}

it('A correct relay conforms in every must clause within 300 calls and 90 s, with both ends and no key in its report', async () => {
  const report = await checkRelayWith({});
  const asked = report.cases.filter(({ expectations }) => expectations.some(({ reason }) => reason?.kind !== 'needs'));
  const wrong = asked.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(wrong.map(({ id, verdict }) => [id, verdict])).toEqual([]);
  expect([report.outcome.name, report.ending.kind, report.subject]).toEqual(['conforms', 'complete', 'relay']);
  expect(report.cost.used.requests).toBeLessThanOrEqual(300);
  const plain = report.cases.find(({ id }) => id === 'relay/plain');
  expect(plain?.relay).toEqual({ front: ['relay/plain'], upstream: ['relay/plain@1'] });
  const upstream = report.exchanges.find(({ id }) => id === 'relay/plain@1');
  expect(upstream?.side).toBe('upstream');
  expect(plain?.repeat).toContain('--only relay/plain --out none');
  for (const key of Object.values(RELAY_KEYS)) expect(JSON.stringify(report)).not.toContain(key);
}, 90_000);

describe('A relay that', () => {
  /** More than the upstream reads. */
  const padding = 'x'.repeat(11 * 1024 * 1024);

  it('loses the word of a question is told that its call arrived without one', async () => {
    const request = withMessages((messages) => messages.slice(-1));
    const report = await checkRelayWith({ request }, 'forward-same-role', 'plain');
    const [plain, lost] = ['relay/plain', 'relay/forward-same-role'].map((id) =>
      report.cases.find((each) => each.id === id),
    );
    expect([plain?.verdict, plain?.relay?.wordless]).toEqual(['pass', undefined]);
    expect([lost?.verdict, lost?.relay?.upstream, lost?.relay?.wordless]).toEqual(['fail', [], 1]);
    expect(formatUpstreamEnd(findBothEnds(report, lost!)!)).toContain('1 call without any arrived meanwhile');
    expect(report.notices).toContainEqual(expect.objectContaining({ kind: 'other-requests', counts: [2] }));
  });

  it('drops the token counts breaks one clause, and gives no occasion for those on their types', async () => {
    const { clauses, outcome } = await checkRelayWith(
      { reply: ({ usage: _usage, ...reply }) => reply },
      'plain*',
      'front-completions',
    );
    const verdictOf = (wanted: string) => clauses.find(({ id }) => id === wanted)?.verdict;
    expect([verdictOf('relay.usage'), verdictOf('usage.prompt-tokens-type')]).toEqual(['warn', 'skipped']);
    expect(outcome.exit).toBe(0);
  });

  it('never calls its upstream ends the run with what to set', async () => {
    const report = await checkRelayWith({ shortcut: () => errorAnswer(404, 'model_not_found', 'No such model.') });
    expect(report.ending).toMatchObject({
      kind: 'no-upstream-call',
      model: 'small-relay',
      answer: { status: 404, message: { quote: 'No such model.' } },
      others: [],
    });
    expect(report.outcome.exit).toBe(3);
  });

  it('dies in the middle is not accused of what it was asked later', async () => {
    let isDead = false;
    const report = await checkRelayWith(
      {
        shortcut({ body }) {
          isDead ||= JSON.stringify(body).includes('The third message');
          return isDead ? errorAnswer(503, 'gone', 'Gone.') : undefined;
        },
      },
      'forward-*',
      'recovery',
    );
    expect(report.ending).toMatchObject({ kind: 'not-recovered', status: 503 });
    expect(report.cases.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []))).toEqual(['relay/recovery']);
  });

  describe('locks itself once a client has left', () => {
    const lockWith = (status: number, headers: Readonly<Record<string, string>> = {}): RelayModifier => {
      let isLocked = false;
      const replied = new Set<unknown>();
      const { headers: usualHeaders, ...gone } = errorAnswer(status, 'gone', 'Gone.');
      return {
        shortcut: () => (isLocked ? { ...gone, headers: { ...usualHeaders, ...headers } } : undefined),
        admit: (call) => Promise.resolve(() => void (isLocked ||= !call.isStream && !replied.has(call))),
        reply(body, call) {
          replied.add(call);
          return body;
        },
      };
    };
    const NAMES = ['plain', 'leave-plain', 'recovery'];

    it('breaks a must, which names that case', async () => {
      const report = await checkRelayWith(lockWith(503), ...NAMES);
      expect(report.ending).toMatchObject({ status: 503, inFlight: ['relay/leave-plain'] });
      const failed = report.cases.find(({ verdict }) => verdict === 'fail');
      expect([failed?.id, report.outcome.exit]).toEqual(['relay/recovery', 1]);
      expect(failed?.expectations[0]?.findings[0]?.actual).toMatchObject({ kind: 'status', status: 503 });
      expect(failed?.repeat).toContain('--only relay/leave-plain --only relay/recovery');
    });

    it.each([
      ['429', lockWith(429)],
      ['503 that asks for a longer wait', lockWith(503, { 'Retry-After': '600' })],
    ])('is not judged if it answers %s', async (_title, modifier) => {
      const report = await checkRelayWith(modifier, ...NAMES, 'client-key', 'stream');
      expect(report.ending).toMatchObject({ kind: 'not-recovered', inFlight: ['relay/leave-plain'] });
      expect([report.counts.cases.fail, report.outcome.exit]).toEqual([0, 3]);
    });
  });

  it('crashes in the middle breaks one clause, and the cases under way are named and not accused', async () => {
    const { report, isCrashed, waits, told } = await crash(
      'relay/forward-same-role',
      'relay/stream-pieces',
      'relay/recovery',
    );
    expect(isCrashed).toBe(true);
    expect(waits).toContain('recovery of the gateway (its port refuses connections)');
    expect(told[0]).toMatchObject({ elapsed: expect.closeTo(0, -2), most: SHORT_RECOVERY, why: 'ECONNREFUSED' });
    expect(report.ending).toMatchObject({ kind: 'not-recovered', isRefused: true });
    const failed = report.cases.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id)).toEqual(['relay/recovery']);
    const [finding] = failed[0]?.expectations[0]?.findings ?? [];
    expect(finding?.actual).toEqual({ kind: 'connection-refused' });
    expect(report.ending.kind === 'not-recovered' && report.ending.inFlight).toContain('relay/forward-same-role');
    expect(failed[0]?.repeat).toContain('--only relay/forward-same-role');
    // Between the controls, nobody works.
    expect(report.time?.pauses).toBeGreaterThan(SHORT_RECOVERY / 2);
    expect(formatRequests(report)).toMatch(/^\d+ requests and \d+ refused connections$/);
    expect(report.outcome.exit).toBe(1);
  });

  it('sends more than the upstream reads gets a note that says so', async () => {
    const report = await checkRelayWith(
      { request: (body) => (JSON.stringify(body).includes('The control is') ? body : { ...body, padding }) },
      'forward-max-tokens',
    );
    expect(report.notices).toEqual([{ kind: 'overflow', count: expect.any(Number) }]);
  });

  it('is silent because the upstream refuses its calls is not called dead', async () => {
    let isSwollen = false;
    const report = await checkRelayWith(
      {
        request(body) {
          isSwollen ||= JSON.stringify(body).includes('The third message');
          return isSwollen ? { ...body, padding } : body;
        },
      },
      'forward-roles',
      'forward-same-role',
    );
    expect(report.ending).toMatchObject({ kind: 'not-recovered', isUpstreamFull: true });
  });

  describe('is dead after a failure', () => {
    const dieOf = (headers: Readonly<Record<string, string>>): RelayModifier => {
      let isDead = false;
      const { headers: usualHeaders, ...gone } = errorAnswer(503, 'gone', 'Gone.');
      return {
        shortcut: () => (isDead ? { ...gone, headers: { ...usualHeaders, ...headers } } : undefined),
        failure(_failure, _call, usual) {
          isDead = true;
          return usual;
        },
      };
    };

    it('is told what the control got, and the run goes on', async () => {
      const report = await checkRelayWith(dieOf({}), 'fail-500', 'fail-503', 'recovery', 'client-key');
      const verdicts = report.cases.map(({ id, verdict }) => [id, verdict]);
      expect(verdicts).toEqual([
        ['relay/fail-500', 'observed'],
        ['relay/fail-503', 'inconclusive'],
        ['relay/recovery', 'fail'],
        ['relay/client-key', 'pass'],
      ]);
      const finding = report.cases[2]?.expectations[0]?.findings[0];
      expect(finding?.actual).toMatchObject({ kind: 'status', status: 503 });
      expect([report.ending.kind, report.outcome.exit]).toEqual(['complete', 1]);
    });

    it('but asks for a longer wait is not judged', async () => {
      const report = await checkRelayWith(dieOf({ 'Retry-After': '600' }), 'fail-500', 'recovery');
      const reason = report.cases[1]?.expectations[0]?.reason;
      expect([reason, report.outcome.exit]).toEqual([{ kind: 'recovery-too-short' }, 3]);
    });
  });
});
