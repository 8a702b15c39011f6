/** Why a case has no exchange. */
import { wasAnswered } from '../../exchange/reading/answered.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Case } from '../../suite/case.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { RunView } from '../check.ts';
import type { Reason } from '../reason.ts';
import { noBasis } from './control.ts';
import { answerTo } from './pick-exchanges.ts';

/** The reason not to send a case that depends on the refusal of another one, if that one was answered. */
export function answeredBefore({ ask }: Case, plan: Plan, run: RunView): Reason | undefined {
  const other = plan.cases.find(({ id }) => id === ask?.unlessAnswered);
  const answer = other && answerTo(plan.stepsOf[other.id] ?? [], run);
  const clause = other?.expect[0]?.clause;
  if (clause === undefined || !answer || !wasAnswered(answer)) return undefined;
  return { kind: 'see-clause', because: 'answered-before', clause };
}

/** Why a case was not sent. */
export function whyNotSent(testCase: Case, { traffic: { ending } }: RunView, control: Exchange | undefined): Reason {
  if (ending.kind !== 'complete') return { kind: 'run-ended', ending };
  return testCase.over.length > 0 ? { kind: 'nothing-to-judge' } : noBasis(control);
}
