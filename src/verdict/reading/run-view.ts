/** What checks may look at besides their own exchanges. */
import { BARE_CONTROL_STEP, CONTROL_STEP } from '../../plan/plan.ts';
import type { Contract } from '../../contract/contract.ts';
import { wasAnswered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { refusalTimes } from '../../exchange/reading/refusals.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { Settings } from '../../settings.ts';
import type { RunView } from '../check.ts';

export function viewRun(
  traffic: Traffic,
  contract: Contract,
  settings: Settings,
  carried?: Map<string, unknown>,
): RunView {
  const byId = new Map(traffic.exchanges.map((exchange) => [exchange.id, exchange]));
  const control = controlOf(traffic);
  return {
    traffic,
    contract,
    settings,
    exchange: (step) => (step === CONTROL_STEP ? control : byId.get(step)),
    refusalTimes: refusalTimes(traffic.exchanges),
    selections: new Map(),
    ...(carried && { carried }),
  };
}

/** Whichever control was answered: of the first model, of another listed one, or without max_tokens. */
function controlOf({ exchanges }: Traffic): Exchange | undefined {
  const controls = exchanges.filter(({ step }) => step === CONTROL_STEP || step === BARE_CONTROL_STEP);
  return controls.find((exchange) => wasAnswered(exchange)) ?? controls[0];
}
