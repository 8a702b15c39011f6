/** Gathers the traffic of a run: waits for the target, walks the plan, and records how it ended. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { memberOf, parseJson } from '../../json.ts';
import { type Cost, LIST_STEP, type Plan, RESTRICTED_LIST_STEP } from '../../plan/plan.ts';
import type { Keys, Settings } from '../../settings.ts';
import { quoteText } from '../../text/quote.ts';
import { findClosest } from '../../text/suggestion.ts';
import { Channel, type ExchangeKeeper } from '../../exchange/channel/channel.ts';
import type { Hooks } from '../../exchange/channel/hooks.ts';
import type { Budget } from '../../exchange/channel/ledger.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { explainEnding } from '../../exchange/explain-ending.ts';
import type { Notice } from '../../exchange/notice.ts';
import { openDescription } from '../../exchange/openapi/fetch-description.ts';
import { measureClockSkew, wasAnswered } from '../../exchange/reading/answered.ts';
import { readModelList } from '../../exchange/reading/model-list.ts';
import { createRedactor, redactBoth, type Redactor } from '../../exchange/secrets/redaction.ts';
import { collectSecrets } from '../../exchange/secrets/secrets.ts';
import type { KeyFacts, Traffic } from '../../exchange/traffic.ts';
import type { Connect } from '../../exchange/transport/dispatcher.ts';
import type { WalkHooks } from './step-sender.ts';
import { Walk } from './walk.ts';

/** Keeps a run, so that it can be judged again. */
interface TrafficKeeper extends ExchangeKeeper {
  start(
    planned: { readonly plan: Plan; readonly settings: Settings; readonly contract: Contract },
    keys: readonly KeyFacts[],
    startedAt: number,
  ): void;
  end(traffic: Traffic): void;
}

export interface ExecuteHooks extends Hooks, WalkHooks {
  /** The recorder is told everything but the end, since more may be known by then. */
  readonly recorder?: TrafficKeeper;
  /** Before the first request. `began`: by `performance.now()`; times of attempts count from there. */
  onBegin?(began: number): void;
  /** The bounds that several runs share. */
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
  const { budget, others, connect, recorder } = hooks;
  const ours = createRedactor(collectSecrets(settings, keys).secrets);
  const redactor = others ? redactBoth(ours, others) : ours;
  const fetchDescription = await openDescription(plan, settings, redactor);
  const wire = { redactor, ...(connect && { connect }) };
  // Milliseconds that the run pauses on purpose, which its time limit does not count.
  const pauses = Math.max(0, ...plan.steps.map(({ template }) => template.idle?.pause ?? 0));
  const channel = new Channel({ settings, keys, hooks, keeper: recorder, wire, budget, pauses });
  const { startedAt, began } = channel;
  const contract = contractOf(settings);
  hooks.onBegin?.(began);
  recorder?.start({ plan, settings, contract }, channel.keyFacts, startedAt);
  const traffic = (): Traffic => {
    const skew = measureClockSkew(channel.exchanges, startedAt);
    return {
      exchanges: channel.exchanges,
      bindings: walk.sender.bindings,
      keys: channel.keyFacts,
      ending: explainEnding(channel.conclusion, channel.completed, settings),
      used: channel.ledger.used,
      notices: channel.notices,
      startedAt,
      endedAt: Date.now(),
      ...(skew !== undefined && { clockSkew: skew }),
    };
  };
  const onStep = countSteps(plan, contract, hooks, began);
  const walk = new Walk({ plan, settings, keys, channel, onStep, hooks, soFar: traffic });
  try {
    await walk.run();
  } finally {
    await channel.close();
  }
  const description = await fetchDescription(channel.signal);
  const gathered = traffic();
  const notices = [...gathered.notices, ...doubtForbidden(gathered.exchanges, settings)];
  return { ...gathered, notices, ...(description && { description }) };
}

/** Tells how far the run is, after each step: the cases that have all they need, and the requests that are still to come. */
function countSteps(plan: Plan, contract: Contract, { onProgress }: ExecuteHooks, began: number) {
  const first = new Set(plan.steps.flatMap(({ id, firstRound = 1 }) => (firstRound === 1 ? [id] : [])));
  const asking = plan.cases.flatMap(({ id }) => {
    const steps = plan.stepsOf[id];
    return steps ? [steps.filter((step) => first.has(step))] : [];
  });
  const credentials = new Set(plan.steps.flatMap(({ id, wave }) => (wave === 'credential' ? [id] : [])));
  const schemas = contract.schemaNames.values();
  // The first use of a schema takes long: better while an answer is waited for than when all have come.
  const makeSchemaReady = (): void => {
    const { value, done } = schemas.next();
    if (!done) contract.validate(value, null);
  };
  /** How often each step was due. */
  const due = new Map<string, number>();
  return (step: string, { requests, completions }: Cost): void => {
    // One request at a time: by then the next one is on its way, and there is nothing else to do.
    if (credentials.has(step)) setImmediate(makeSchemaReady);
    due.set(step, (due.get(step) ?? 0) + 1);
    onProgress?.({
      casesDone: asking.filter((steps) => steps.every((id) => due.has(id))).length,
      cases: asking.length,
      requests,
      requestsExpected: requests + countToCome(plan, due),
      completions,
      elapsed: performance.now() - began,
    });
  };
}

/** The least number of requests that are still to be sent. */
function countToCome({ steps }: Plan, due: ReadonlyMap<string, number>): number {
  return steps.reduce((sum, { id, least, samples = 1, firstRound = 1, packedIn }) => {
    const times = packedIn === undefined ? samples - firstRound + 1 : 1;
    const left = Math.max(0, times - (due.get(id) ?? 0));
    return sum + (least.requests * left) / times;
  }, 0);
}

/** The list need not have every model, so that this is no verdict. An answered call shows that the model exists. */
function doubtForbidden(
  exchanges: readonly Exchange[],
  { forbiddenModel: model }: Pick<Settings, 'forbiddenModel'>,
): readonly Notice[] {
  const restricted = exchanges.filter(({ request }) => request.key === 'restricted');
  const listed = listedBy(exchanges, LIST_STEP);
  if (model === undefined || restricted.length === 0 || listed.length === 0 || listed.includes(model)) return [];
  const called = restricted.filter(({ request }) => memberOf(parseJson(request.body), 'model') === model);
  if (called.some(wasAnswered)) return [];
  const allowed = listedBy(exchanges, RESTRICTED_LIST_STEP);
  const others = listed.filter((id) => !allowed.includes(id));
  const closest = findClosest(model, others);
  return [{ kind: 'forbidden-unlisted', model, ...(closest !== undefined && { closest: quoteText(closest) }) }];
}

function listedBy(exchanges: readonly Exchange[], step: string): readonly string[] {
  return exchanges
    .filter((exchange) => exchange.step === step)
    .map(readModelList)
    .flatMap((list) => (list.kind === 'list' ? list.models.map(({ id }) => id) : []));
}
