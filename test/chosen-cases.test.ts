/** What a few chosen cases find on their own, without those that look over every answer of a full run. */
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../src/gateway/answer.ts';
import { cutBody, onSuccess } from '../src/gateway/change-answer.ts';
import { isPlain, isStream } from '../src/gateway/call-tests.ts';
import type { GatewayOptions, Modifier } from '../src/gateway/index.ts';
import type { Report } from '../src/report/report.ts';
import { runInMemory } from './kit/in-memory-run.ts';
import { type Changes, withVerdict } from './kit/real-run.ts';

function runWithExhaustedKey(options: GatewayOptions, changes: Changes = {}): Promise<Report> {
  return runInMemory(options, changes, ({ full, exhausted }) => ({ full, exhausted }));
}

describe('An exhausted key that is refused with status 200', () => {
  const FOUND = [
    ['auth-exhausted-200-error', 'auth/exhausted-key'],
    ['auth-exhausted-stream-200-error', 'auth/exhausted-key-stream'],
  ] as const;

  it.each(FOUND)('is found by the cases of the key alone: %s', async (fault, id) => {
    const only = await runWithExhaustedKey({ fault }, { only: ['auth/exhausted*'] });
    expect(withVerdict(only, 'fail')).toEqual([`${id} errors.refusal-in-form`]);
    expect(only.outcome.exit).toBe(1);
  });

  it('is found in a full run', async () => {
    const full = await runWithExhaustedKey({ faults: FOUND.map(([fault]) => fault) });
    const found = FOUND.map(([, id]) => `${id} errors.refusal-in-form`);
    expect(withVerdict(full, 'fail')).toEqual(expect.arrayContaining(found));
  });

  it('is not found in a refusal with 402, or in a completion', async () => {
    const only = { only: ['auth/exhausted*'] };
    const refused = await runWithExhaustedKey({}, only);
    expect(withVerdict(refused, 'pass')).toContain('auth/exhausted-key errors.refusal-in-form');
    const answered = await runWithExhaustedKey({ variant: 'exhausted-key-has-credit' }, only);
    expect(withVerdict(answered, 'skipped')).toContain('auth/exhausted-key-stream errors.refusal-in-form');
    expect([refused.outcome.exit, answered.outcome.exit]).toEqual([0, 0]);
  });
});

describe('A body that is cut off on every attempt', () => {
  const cutPlain = onSuccess((call) => isPlain(call) && call.body['temperature'] === 0, cutBody);
  const cutStream = onSuccess(
    (call) => isStream(call) && 'wirecheck_unknown' in call.body,
    (reply) => ({ ...reply, body: { pieces: piecesOf(reply).slice(0, 2) }, ending: 'cut' }),
  );
  const modifiers: readonly Modifier[] = [
    { title: 'A plain request', answer: cutPlain },
    { title: 'A streamed request', answer: cutStream },
  ];

  it.each([
    ['parameters/temperature-minimum', 'limits.temperature-in-range', 'fail'],
    ['streaming/unknown-fields', 'tolerance.unknown-request-field', 'warn'],
  ] as const)('is found by a case that is chosen alone: %s', async (id, clause, verdict) => {
    const report = await runInMemory({ modifiers }, { only: [id] });
    expect(withVerdict(report, verdict)).toEqual([`${id} ${clause}`]);
  });

  it('is found once if a case that looks over every answer is in the run', async () => {
    const only = ['parameters/temperature-minimum', 'chat/every-*', 'models/every-list'];
    const report = await runInMemory({ modifiers }, { only });
    expect(withVerdict(report, 'fail')).toEqual(['chat/every-reply endpoint.chat-json']);
  });

  it('is not left to a case that looks over answers of another kind', async () => {
    const only = ['parameters/temperature-minimum', 'models/*', 'streaming/every-stream'];
    const report = await runInMemory({ modifiers }, { only });
    expect(withVerdict(report, 'fail')).toContain('parameters/temperature-minimum limits.temperature-in-range');
  });

  it('keeps a run from passing if the control is cut off too', async () => {
    const report = await runInMemory({ fault: 'transport-json-cut' }, { only: ['parameters/temperature-minimum'] });
    expect(withVerdict(report, 'inconclusive')).toEqual(['parameters/temperature-minimum limits.temperature-in-range']);
    expect(report.outcome.exit).toBe(3);
  });
});
