import { describe, expect, it } from 'vitest';
import { endedRun } from '../../test/kit/endings.ts';
import { answeredAttempt, failedAttempt, failure, modelsExchange, plainExchange } from '../../test/kit/exchanges.ts';
import { adviseOnEnding, formatEnding, isApiAbsent, isBarelyBegun, type Ending } from './ending.ts';
import { findSilence, type Silence } from './ending-unanswered.ts';
import type { Attempt, NoAnswer } from './exchange.ts';

const aborted = (at: number): Attempt => failedAttempt(failure('aborted', { at }));
const list = (...attempts: readonly Attempt[]) => ({ ...modelsExchange({ id: 'models' }), attempts });
const chat = (...attempts: readonly Attempt[]) => ({ ...plainExchange({ id: 'chat' }), attempts });
const ANSWERED = answeredAttempt({});

function stoppedAt(endAt: number, why: string): Attempt {
  const attempt = answeredAttempt({ end: { kind: 'aborted', why } });
  if (attempt.outcome.kind !== 'answer') throw new Error('no answer');
  return { ...attempt, outcome: { ...attempt.outcome, answer: { ...attempt.outcome.answer, endAt } } };
}

describe('what is known of a target that was silent when the run ended', () => {
  it.each<readonly [string, readonly ReturnType<typeof list>[], Silence]>([
    ['one request', [list(aborted(4_900.4))], { unanswered: { of: 'all', requests: 1 }, underWay: 4_900 }],
    ['one that was hardly sent', [list(aborted(20))], { unanswered: { of: 'all', requests: 1 }, underWay: 20 }],
    [
      'every attempt',
      [list(failedAttempt(failure('timeout')), aborted(300)), chat(failedAttempt(failure('refused')))],
      { unanswered: { of: 'all', requests: 3 }, underWay: 300 },
    ],
    ['none under way', [list(failedAttempt(failure('closed')))], { unanswered: { of: 'all', requests: 1 } }],
    ['chat', [list(ANSWERED), chat(aborted(2_000))], { unanswered: { of: 'chat', requests: 1 }, underWay: 2_000 }],
    ['chat that was hardly asked', [list(ANSWERED), chat(aborted(20))], {}],
    [
      'chat that was asked twice',
      [list(ANSWERED), chat(failedAttempt(failure('timeout')), aborted(20))],
      { unanswered: { of: 'chat', requests: 2 } },
    ],
    ['a single request', [list(ANSWERED), chat(ANSWERED), chat(aborted(2_000))], { underWay: 2_000 }],
    ['nothing', [list(ANSWERED), chat(ANSWERED), chat(aborted(20))], {}],
  ])('%s', (_what, exchanges, silence) => {
    expect(findSilence(exchanges)).toEqual(silence);
  });

  it('What our own client left is not under way', () => {
    expect(findSilence([list(ANSWERED), chat(ANSWERED), chat(aborted(2_000))], [])).toEqual({});
  });

  it.each<NoAnswer>(['not-http', 'limit'])('Something that is no answer (%s) is not silence', (kind) => {
    expect(findSilence([list(failedAttempt(failure(kind)))])).toEqual({});
  });

  it('A body that the end of the run cut short was under way, and not silence', () => {
    expect(findSilence([list(stoppedAt(3_000, 'interrupted'))])).toEqual({ underWay: 3_000 });
    expect(findSilence([list(stoppedAt(3_000, 'text'))])).toEqual({});
  });
});

describe('what is said of it', () => {
  const advise = (ending: Ending) => adviseOnEnding(endedRun(ending));
  const budget = (silence: Silence): Ending => ({ kind: 'budget', setting: 'max-time', ...silence });
  const interrupted = (silence: Silence): Ending => ({ kind: 'interrupted', ...silence });
  const NOTHING: Silence = { unanswered: { of: 'all', requests: 1 }, underWay: 4_900 };
  const NO_CHAT: Silence = { unanswered: { of: 'chat', requests: 2 } };

  it('If nothing was answered, the target is to be checked before --max-time is raised', () => {
    expect(advise(budget(NOTHING))).toBe(
      'The run ended because it reached --max-time. The target had answered none of 1 request. A request was under way for 4.90 s. Check that the target answers. If it is only slow, raise --max-time.',
    );
    expect(advise(interrupted(NOTHING))).toBe(
      'The run was interrupted. The target had answered none of 1 request. A request was under way for 4.90 s. Check that the target answers. Then run again.',
    );
    expect(advise(budget({ ...NOTHING, underWay: 20 }))).toContain(
      'Check that the target answers. If it is only slow,',
    );
    expect(formatEnding(budget(NOTHING))).toBe('the run reached --max-time, and the target answered nothing');
    expect(formatEnding(interrupted(NOTHING))).toBe('the run was interrupted before the target answered anything');
  });

  it('If no chat request was answered, the model is to be checked', () => {
    expect(advise(budget(NO_CHAT))).toBe(
      'The run ended because it reached --max-time. The target had answered none of 2 chat requests. Check that the model is loaded and answers, or name a different one with --model. If it is only slow, raise --max-time.',
    );
    expect(formatEnding(budget(NO_CHAT))).toBe('the run reached --max-time');
    expect(advise(interrupted(NO_CHAT))).toContain('received by then are judged. The target had answered none of 2');
  });

  it('An interrupt right after the first request says nothing about the target', () => {
    expect(advise(interrupted({ ...NOTHING, underWay: 20 }))).toBe(
      'The run was interrupted. The target had answered none of 1 request. A request was under way for 20 ms. Run again to check everything.',
    );
  });

  it('If something was answered, the advice is the usual one', () => {
    expect(advise(budget({ underWay: 2_000 }))).toMatch(/A request was under way for 2\.00 s\. Raise --max-time, or/);
    expect(advise(interrupted({ underWay: 2_000 }))).toBe(
      'The run was interrupted: only the answers received by then are judged. A request was under way for 2.00 s. Run again to check everything.',
    );
    expect(advise(interrupted({}))).toBe(
      'The run was interrupted: only the answers received by then are judged. Run again to check everything.',
    );
  });

  it('Only where nothing was answered at all, nothing is judged', () => {
    const judged = [budget(NO_CHAT), interrupted({ underWay: 2_000 }), interrupted({})];
    const unjudged = [budget(NOTHING), interrupted(NOTHING)];
    expect([...judged, ...unjudged].map(isApiAbsent)).toEqual([false, false, false, true, true]);
    expect([...judged, ...unjudged].map(isBarelyBegun)).toEqual([false, false, false, true, true]);
  });
});
