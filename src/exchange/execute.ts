/** Gathers the traffic of a run: waits for the target, walks the plan, and records how it ended. */
import { setMaxListeners } from 'node:events';
import { bindRequest } from '../plan/bind-request.ts';
import { type Cost, type Plan, LIST_STEP } from '../plan/plan.ts';
import type { Keys, Settings } from '../settings.ts';
import { Asker, type AskerHooks } from './attempts/asker.ts';
import type { Budget } from './attempts/budget.ts';
import { Ledger } from './attempts/ledger.ts';
import { explainEnding } from './explain-ending.ts';
import { measureClockSkew } from './reading/answered.ts';
import { openDescription } from './openapi/fetch-description.ts';
import { createRedactor, redactBoth, type Redactor } from './secrets/redaction.ts';
import { collectSecrets } from './secrets/secrets.ts';
import type { KeyFacts, Traffic } from './traffic.ts';
import { createTransport } from './transport/transport.ts';
import { type Wait, waitUntilReady } from './walking/wait-until-ready.ts';
import { Walk } from './walking/walk.ts';

export interface ExecuteHooks extends AskerHooks {
  /** Before the first request. */
  onStart?(keys: readonly KeyFacts[], startedAt: number): void;
  /** After each attempt to reach a target that is not ready (`waitFor`). */
  readonly onWait?: (wait: Wait) => void;
  /** After each step, whether it was sent or not. */
  onStep?(step: string, used: Cost): void;
  /** Called after each wave; true ends the run. */
  stopsAfter?(sofar: Traffic): boolean;
  readonly signal?: AbortSignal;
  /** Of several runs together. */
  readonly budget?: Budget;
  /** Redacts secrets that this run does not send, such as the keys of other targets. Its finds are not judged. */
  readonly others?: Redactor;
}

export async function execute(plan: Plan, settings: Settings, keys: Keys, hooks: ExecuteHooks = {}): Promise<Traffic> {
  const { budget, others } = hooks;
  const own = createRedactor(collectSecrets(settings, keys).secrets);
  const redactor = others ? redactBoth(own, others) : own;
  const fetchDescription = await openDescription(plan, settings, redactor);
  const startedAt = Date.now();
  // Held until the end of the run: Node may collect a timeout of which only `AbortSignal.any` knows, and it never fires.
  const limits = [AbortSignal.timeout(settings.timeouts.run), ...(budget?.time ? [budget.time] : [])];
  const signal = AbortSignal.any([...limits, ...(hooks.signal ? [hooks.signal] : [])]);
  // Every pending request listens to it.
  setMaxListeners(0, signal);
  const transport = createTransport(settings, keys, redactor);
  const asker = new Asker(settings, transport, signal, new Ledger(settings, budget), hooks);
  hooks.onStart?.(transport.keyFacts, startedAt);
  const traffic = (): Traffic => {
    const skew = measureClockSkew(asker.exchanges, startedAt);
    return {
      exchanges: asker.exchanges,
      bindings: walk.bindings,
      keys: transport.keyFacts,
      ending: explainEnding(asker.ending ?? { kind: 'complete' }, asker.completed, settings),
      used: asker.ledger.used,
      notices: transport.notices,
      startedAt,
      endedAt: Date.now(),
      ...(skew !== undefined && { clockSkew: skew }),
    };
  };
  const stopsNow = (): boolean => hooks.stopsAfter?.(traffic()) ?? false;
  const walk = new Walk(plan, settings, keys, asker, { ...hooks, stopsNow, redactor }, signal);
  try {
    const list = plan.steps.find(({ id }) => id === LIST_STEP);
    const filled = list && bindRequest(list.template, walk.bindings, '');
    if (settings.waitFor !== undefined && filled?.kind === 'request') {
      await waitUntilReady(transport, filled.request, { most: settings.waitFor, signal, onWait: hooks.onWait });
    }
    await walk.run();
  } finally {
    await transport.close();
  }
  const description = await fetchDescription(signal);
  if (hooks.signal?.aborted) asker.end({ kind: 'interrupted' });
  if (limits.some(({ aborted }) => aborted)) asker.end({ kind: 'budget', setting: 'max-time' });
  return { ...traffic(), ...(description && { description }) };
}
