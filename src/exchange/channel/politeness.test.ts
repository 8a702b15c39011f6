/** Whole runs against gateways that ask for patience: fewer at once after a 429, more again in peace, never above a rate. */
import { describe, expect, it } from 'vitest';
import type { Call } from '../../gateway/call.ts';
import { hasNumber } from '../../gateway/call-tests.ts';
import { refusalReply } from '../../gateway/answer.ts';
import { refusal } from '../../gateway/refusals.ts';
import type { Modifier } from '../../gateway/index.ts';
import { runGateway } from '../../../test/kit/real-run.ts';
import type { AttemptReport, Report } from '../../report/report.ts';

/** Bodies of mebibytes, of which there are too few to be told from others here. */
const LARGE = ['parameters/large*', 'parameters/context-*', 'chat/long-text'];

const tooMany = refusalReply(refusal('rate', 429, 'rate_limited', 'Slower, please.'));

const refuses = (isRefused: (call: Call) => boolean): Modifier => ({
  title: 'too many calls',
  before: (call) => (isRefused(call) ? tooMany : undefined),
});

/** An early request of the wave of edits, which is long enough to recover in. */
const isEarlyEdit = (call: Call): boolean =>
  call.attempt === 1 && hasNumber('temperature', (value) => value > 2)(call) && call.body['stream'] !== true;

const attemptsOf = ({ exchanges }: Report): readonly AttemptReport[] =>
  exchanges.flatMap(({ attempts }) => attempts).toSorted((a, b) => a.sentAt - b.sentAt);

const endOf = ({ sentAt, answer }: AttemptReport): number => sentAt + (answer?.endAt ?? 0);

/** How many others were under way when each was sent, itself included. */
const crowds = (attempts: readonly AttemptReport[]): readonly number[] =>
  attempts.map(({ sentAt }) => attempts.filter((other) => other.sentAt <= sentAt && endOf(other) > sentAt).length);

describe('a 429', () => {
  it('lowers concurrency, which recovers after some answers without a 429', async () => {
    const report = await runGateway({ latencyMs: 15, modifiers: [refuses(isEarlyEdit)] }, { skip: LARGE });
    const attempts = attemptsOf(report);
    const refused = attempts.findIndex(({ answer }) => answer?.status === 429);
    const calm = attempts.filter(({ sentAt }) => sentAt > endOf(attempts[refused]!));
    expect(Math.max(...crowds(attempts.slice(0, refused + 1)))).toBe(4);
    expect(Math.max(...crowds(calm).slice(0, 8))).toBeLessThanOrEqual(2);
    expect(Math.max(...crowds(calm))).toBe(4);
    expect(report.outcome.name).toBe('conforms-in-part');
  });
});

describe('a target with a rate limit', () => {
  it('is still judged completely', async () => {
    let left = 3;
    let since = performance.now();
    const bucket: Modifier = {
      title: 'three calls, and one more every 10 ms',
      before: () => {
        const refilled = Math.floor((performance.now() - since) / 10);
        left = Math.min(3, left + refilled);
        since += refilled * 10;
        left -= left > 0 ? 1 : 0;
        return left > 0 ? undefined : tooMany;
      },
    };
    const report = await runGateway({ modifiers: [bucket] }, { retryPauses: [40, 80], skip: LARGE });
    const refused = attemptsOf(report).filter(({ answer }) => answer?.status === 429).length;
    expect(report.outcome.name).toBe('conforms-in-part');
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(report.exchanges.length / 3);
  });
});

describe('--rate', () => {
  it('applies to every request of a run, including retries', async () => {
    const isFifthOrNinth = ({ number }: Call): boolean => number === 5 || number === 9;
    const report = await runGateway({ modifiers: [refuses(isFifthOrNinth)] }, { ratePerSecond: 100, only: ['auth/*'] });
    const attempts = attemptsOf(report);
    const passed = attempts.at(-1)!.sentAt - attempts[0]!.sentAt;
    expect(attempts.length).toBeGreaterThan(20);
    // A request may go out a little late, and the next one is then a little closer behind it.
    expect(passed).toBeGreaterThanOrEqual((attempts.length - 1) * 10 * 0.9);
    expect(report.time?.pauses).toBeGreaterThan(0);
  });
});
