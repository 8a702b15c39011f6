/** With `--detect`: a refusal proves nothing if a smaller request, which this one contains, is also refused intermittently. */
import { lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { BRIEF_STEP, CONTROL_STEP, type Plan } from '../../plan/plan.ts';
import type { Case } from '../../suite/case.ts';
import type { Checks, RunView } from '../check.ts';
import { ownStep } from './pick-exchanges.ts';

/** Whether any request that this one contains was sent in several rounds, and refused in one. */
export function isBasisUnsteady(testCase: Case, plan: Plan, { traffic, lastRound }: RunView, checks: Checks): boolean {
  if (lastRound === 1) return false;
  const covered = plan.cases.filter(({ ask }) => ask?.coveredBy === testCase.id);
  const steps = new Set([testCase, ...covered].flatMap((each) => stepsIn(each, plan, checks)));
  // A part that is refused alone explains its combination, which is skipped then.
  for (const each of [testCase, ...covered]) steps.delete(ownOf(each, plan));
  const asked = traffic.exchanges.filter(({ step }) => steps.has(step));
  return asked.some(({ round }) => round !== undefined) && asked.some(wasRefused);
}

/** The steps of its control or basis and of what that builds on, and those of cases all of whose changes it also makes. */
function stepsIn(testCase: Case, plan: Plan, checks: Checks): readonly string[] {
  const own = ownOf(testCase, plan);
  const isBrief = plan.steps.some(({ id, needs }) => id === own && needs.includes(BRIEF_STEP));
  const smaller = plan.cases.filter((other) => isPartOf(other, testCase, checks)).map((other) => ownOf(other, plan));
  return [...stepsBelow(testCase, plan), ...smaller, ...(isBrief ? [BRIEF_STEP] : [])];
}

/** The control or basis, the basis of that, and so on down to the plain chat request. */
function stepsBelow({ ask }: Case, plan: Plan): readonly string[] {
  if (!ask) return [];
  const name = ask.control ?? ask.basis;
  if (name === undefined) return ask.base.path === '/chat/completions' ? [CONTROL_STEP] : [];
  const other = plan.cases.find(({ id }) => id === name);
  return other ? [ownOf(other, plan), ...stepsBelow(other, plan)] : [name];
}

/** A valid request with fewer changes, each of which the larger one makes as well. */
function isPartOf({ ask, expect }: Case, { ask: larger }: Case, checks: Checks): boolean {
  if (!ask || !larger || ask.edits.length === 0 || ask.edits.length >= larger.edits.length) return false;
  const changes = new Set(larger.edits.map((edit) => JSON.stringify(edit)));
  return (
    expect.some(({ check }) => checks[check]?.expectsAnswer) &&
    ask.edits.every((edit) => changes.has(JSON.stringify(edit)))
  );
}

function ownOf({ id }: Case, plan: Plan): string {
  return ownStep(plan.stepsOf[id] ?? []);
}

function wasRefused(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== undefined && status !== 429 && !wasAnswered(exchange);
}
