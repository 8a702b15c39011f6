/** Gathers the traffic of a run: waits for the target, walks the plan, and records how it ended. */
import { setMaxListeners } from 'node:events';
import { bindRequest } from '../plan/bind-request.ts';
import { type Bindings, type Cost, type Plan, LIST_STEP } from '../plan/plan.ts';
import type { Keys, Settings } from '../settings.ts';
import { Asker, type AskerHooks } from './attempts/asker.ts';
import type { Budget } from './attempts/budget.ts';
import type { OnAwait } from './awaited.ts';
import { Ledger } from './attempts/ledger.ts';
import type { Ending } from './ending.ts';
import { explainEnding } from './explain-ending.ts';
import { measureClockSkew } from './reading/answered.ts';
import { openDescription } from './openapi/fetch-description.ts';
import { createRedactor, redactBoth, type Redactor } from './secrets/redaction.ts';
import { collectSecrets } from './secrets/secrets.ts';
import type { FilledRequest } from '../plan/bind-request.ts';
import type { KeyFacts, Traffic } from './traffic.ts';
import type { Connect } from './transport/dispatcher.ts';
import { createTransport } from './transport/transport.ts';
import { doubtForbidden } from './walking/doubt-forbidden.ts';
import { type Wait, waitUntilReady } from './walking/wait-until-ready.ts';
import type { SendApart } from './walking/send-apart.ts';
import { Walk } from './walking/walk.ts';

export interface ExecuteHooks extends AskerHooks {
  /** Before the first request. `began`: by `performance.now()`; times of attempts count from there. */
  onStart?(keys: readonly KeyFacts[], startedAt: number, began: number): void;
  /** After each attempt to reach a target that is not ready (`waitFor`). */
  readonly onWait?: (wait: Wait) => void;
  readonly onAwait?: OnAwait;
  /** After each step, whether it was sent or not. */
  onStep?(step: string, used: Cost): void;
  /** Called after each wave; true ends the run. */
  stopsAfter?(sofar: Traffic): boolean;
  /** Called when all steps were sent. What it sends belongs to the run. */
  readonly furtherSteps?: (sofar: () => Traffic, send: SendApart) => Promise<void>;
  /** Asked for if the target lists no model and the settings name none. */
  readonly unlistedModel?: string;
  readonly signal?: AbortSignal;
  /** Of several runs together. */
  readonly budget?: Budget;
  /** Redacts secrets that this run does not send, such as the keys of other targets. Its finds are not judged. */
  readonly others?: Redactor;
  /** Default: over the network. */
  readonly connect?: Connect;
}

export async function executePlan(
  plan: Plan,
  settings: Settings,
  keys: Keys,
  hooks: ExecuteHooks = {},
): Promise<Traffic> {
  const { budget, others, connect, onAwait } = hooks;
  const ours = createRedactor(collectSecrets(settings, keys).secrets);
  const redactor = others ? redactBoth(ours, others) : ours;
  const fetchDescription = await openDescription(plan, settings, redactor);
  const startedAt = Date.now();
  // Held until the end of the run: Node may collect a timeout of which only `AbortSignal.any` knows, and it never fires.
  const limits = [
    AbortSignal.timeout(settings.timeouts.run + longestPause(plan)),
    ...(budget?.time ? [budget.time] : []),
  ];
  const signal = AbortSignal.any([...limits, ...(hooks.signal ? [hooks.signal] : [])]);
  // Every pending request listens to it.
  setMaxListeners(0, signal);
  const wire = { redactor, ...(connect && { connect }), ...(onAwait && { onAwait }) };
  const transport = createTransport(settings, keys, wire);
  const asker = new Asker({ settings, transport, signal, ledger: new Ledger(settings, budget), hooks });
  hooks.onStart?.(transport.keyFacts, startedAt, asker.began);
  const traffic = (): Traffic => {
    const skew = measureClockSkew(asker.exchanges, startedAt);
    return {
      exchanges: asker.exchanges,
      bindings: walk.bindings,
      keys: transport.keyFacts,
      ending: explainEnding(asker.conclusion, asker.completed, settings),
      used: asker.ledger.used,
      notices: transport.notices,
      startedAt,
      endedAt: Date.now(),
      ...(skew !== undefined && { clockSkew: skew }),
    };
  };
  const stopsNow = (): boolean => hooks.stopsAfter?.(traffic()) ?? false;
  const furtherSteps = (send: SendApart): Promise<void> => hooks.furtherSteps?.(traffic, send) ?? Promise.resolve();
  const own = { ...hooks, stopsNow, furtherSteps, wire };
  const waitForTarget = async (list: FilledRequest | undefined): Promise<Ending | undefined> => {
    if (settings.waitFor === undefined || !list) return undefined;
    return waitUntilReady(transport, list, { most: settings.waitFor, signal, onWait: hooks.onWait });
  };
  const walk = new Walk({ plan, settings, keys, asker, signal, hooks: own });
  try {
    const hang = await waitForTarget(listRequest(plan, walk.bindings));
    if (hang) asker.end(hang);
    else await walk.run();
  } finally {
    await transport.close();
  }
  const description = await fetchDescription(signal);
  if (hooks.signal?.aborted) asker.end({ kind: 'interrupted' });
  if (limits.some(({ aborted }) => aborted)) asker.end({ kind: 'budget', setting: 'max-time' });
  const gathered = traffic();
  const notices = [...gathered.notices, ...doubtForbidden(gathered.exchanges, settings)];
  return { ...gathered, notices, ...(description && { description }) };
}

/** Milliseconds that the run pauses on purpose, which its time limit does not count. */
function longestPause({ steps }: Plan): number {
  return Math.max(0, ...steps.map(({ template }) => template.idle?.pause ?? 0));
}

/** Undefined if the plan has no list, or needs what is not known yet. */
function listRequest({ steps }: Plan, bindings: Bindings): FilledRequest | undefined {
  const list = steps.find(({ id }) => id === LIST_STEP);
  const filled = list && bindRequest(list.template, bindings, '');
  return filled?.kind === 'request' ? filled.request : undefined;
}
