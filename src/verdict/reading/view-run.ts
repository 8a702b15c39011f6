/** The exchanges of a run, as checks look them up: by step, by round, and the control that was answered. */

import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { refusalTimes, wasAnswered } from '../../exchange/reading/answered.ts';
import { findBlocked } from '../../exchange/reading/blocked-keys.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { BARE_CONTROL_STEP, CONTROL_STEP, type Plan } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Case } from '../../suite/case.ts';
import type { RunView } from '../check.ts';
import type { Reason } from '../reason.ts';
import { noBasis } from './control.ts';
import { answerTo, findAnsweredTries } from './pick-exchanges.ts';

export function viewRun(
  traffic: Traffic,
  contract: Contract,
  settings: Settings,
  carried?: Map<string, unknown>,
): RunView {
  const byId = new Map(traffic.exchanges.map((exchange) => [exchange.id, exchange]));
  const control = controlOf(traffic);
  const byRound = new Map<number, Exchange[]>();
  for (const exchange of traffic.exchanges) {
    if (exchange.round === undefined) continue;
    const others = byRound.get(exchange.round);
    if (others) others.push(exchange);
    else byRound.set(exchange.round, [exchange]);
  }
  const answeredTries = findAnsweredTries(traffic.exchanges);
  const lastRound = Math.max(1, ...byRound.keys());
  return {
    traffic,
    contract,
    settings,
    exchange: (step) => (step === CONTROL_STEP ? control : (answeredTries.get(step) ?? byId.get(step))),
    lastRound,
    exchangesIn: (round) => byRound.get(round) ?? [],
    answeredLater: (step) =>
      traffic.exchanges.find((each) => each.round !== undefined && each.step === step && wasAnswered(each)),
    blocked: new Set(lastRound === 1 ? [] : findBlocked(traffic.exchanges).map(({ id }) => id)),
    refusalTimes: refusalTimes(traffic.exchanges),
    selections: new Map(),
    ...(carried && { carried }),
  };
}

/** The control that was answered: with the first model, with another listed one, or without max_tokens. */
function controlOf({ exchanges }: Traffic): Exchange | undefined {
  const controls = exchanges.filter(({ step }) => step === CONTROL_STEP || step === BARE_CONTROL_STEP);
  const again = controls.find((exchange) => exchange.occasion === 'second-try' && wasAnswered(exchange));
  return again ?? controls.find((exchange) => wasAnswered(exchange)) ?? controls[0];
}

// Why a case has no exchange.

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
