/** With `--detect`: a refusal proves nothing if the request that was changed is refused now and then as well. */
import { lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { BRIEF_STEP, CONTROL_STEP, type Plan } from '../../plan/plan.ts';
import type { Case } from '../../suite/case.ts';
import type { RunView } from '../check.ts';
import { ownStep } from './pick-exchanges.ts';

/** Whether any request that the case starts from was sent in several rounds, and refused in one. */
export function isBasisUnsteady(testCase: Case, plan: Plan, { traffic }: RunView): boolean {
  const own = ownStep(plan.stepsOf[testCase.id] ?? []);
  const isBrief = plan.steps.some(({ id, needs }) => id === own && needs.includes(BRIEF_STEP));
  const steps = new Set([...stepsBelow(testCase, plan), ...(isBrief ? [BRIEF_STEP] : [])]);
  steps.delete(own);
  const asked = traffic.exchanges.filter(({ step }) => steps.has(step));
  return asked.some(({ round }) => round !== undefined) && asked.some(wasRefused);
}

/** The steps of its control or basis, of the basis of that, and so on down to the plain chat request. */
function stepsBelow({ ask }: Case, plan: Plan): readonly string[] {
  if (!ask) return [];
  const name = ask.control ?? ask.basis;
  if (name === undefined) return ask.base.path === '/chat/completions' ? [CONTROL_STEP] : [];
  const other = plan.cases.find(({ id }) => id === name);
  return other ? [ownStep(plan.stepsOf[name] ?? []), ...stepsBelow(other, plan)] : [name];
}

function wasRefused(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== undefined && status !== 429 && !wasAnswered(exchange);
}
