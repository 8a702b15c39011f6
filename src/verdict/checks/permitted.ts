import { answerOf } from '../outcome.ts';
import { statusClass, statusWords } from '../body-reading.ts';
import type { Check, CheckInput } from '../check.ts';
import { CHAT_STEP, NO_CONTROL, isAnswered } from '../control.ts';
import { HOLDS, HOLDS_FLAKY, broken, finding, fold, inconclusive, shown, skipped } from '../finding.ts';
import { type ModelCall, modelCalls } from '../model-sample.ts';
import type { CheckResult } from '../verdict.ts';

/** Judges the sample where one result is the fault that a clause speaks of, and the other results are not. */
export function judgeSample(fault: ModelCall['result'], expected: string, { exchanges, run }: CheckInput): CheckResult {
  const calls = modelCalls(exchanges, run);
  const faulty = calls.filter(({ result }) => result === fault);
  if (faulty.length > 0) {
    if (!isAnswered(run.exchange(CHAT_STEP), run)) return inconclusive(NO_CONTROL);
    const findings = faulty.flatMap(({ model, exchange }) => {
      const answer = answerOf(exchange);
      if (!answer) return [];
      const actual = `${statusWords(answer, run)} for the model ${shown(model)}`;
      return [finding(exchange, { mismatch: 'status', expected, actualType: statusClass(answer.status), actual })];
    });
    return broken(fold(findings, exchanges));
  }
  const answered = calls.filter(({ result }) => result === 'answered');
  if (answered.length > 0) return answered.some(({ flaky }) => flaky) ? HOLDS_FLAKY : HOLDS;
  if (calls.length === 0) return skipped('no model of the list was called');
  if (calls.every(({ result }) => result === 'unclear')) return inconclusive('no call of a listed model gave a result');
  return skipped('no call of a listed model was answered; judged by the other clause on listed models');
}

export const permitted: Check = {
  summary: 'No listed model is refused with 403, twice, while the control is answered.',
  execute: (input) => judgeSample('forbidden', 'a model that the key may call', input),
};
