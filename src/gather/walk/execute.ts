/** Gathers the traffic of a run: waits for the target, walks the plan, and records how it ended. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { Channel, type ExchangeKeeper } from '../../exchange/channel/channel.ts';
import type { Hooks } from '../../exchange/channel/hooks.ts';
import type { Budget } from '../../exchange/channel/ledger.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { explainEnding } from '../../exchange/explain-ending.ts';
import { makeExchangeId } from '../../exchange/identity.ts';
import type { Notice } from '../../exchange/notice.ts';
import { openDescription } from '../../exchange/openapi/fetch-description.ts';
import { hasTimedOut, isSilent, lastAnswer, measureClockSkew, wasAnswered } from '../../exchange/reading/answered.ts';
import { findBlocked } from '../../exchange/reading/blocked-keys.ts';
import { explainNoModel, readModelList } from '../../exchange/reading/model-list.ts';
import { type Redactor, createRedactor, redactBoth } from '../../exchange/secrets/redaction.ts';
import { collectSecrets } from '../../exchange/secrets/secrets.ts';
import type { KeyFacts, Traffic } from '../../exchange/traffic.ts';
import type { Connect } from '../../exchange/transport/dispatcher.ts';
import { memberOf, parseJson } from '../../json.ts';
import { bindRequest } from '../../plan/bind-request.ts';
import { SERIAL_WAVES, STEPS, WAVES } from '../../plan/known-steps.ts';
import type { Cost, Plan, Step } from '../../plan/plan.ts';
import { toBytes } from '../../plan/request-word.ts';
import type { Keys, Settings } from '../../settings.ts';
import { quoteText } from '../../text/quote.ts';
import { findClosest } from '../../text/suggestion.ts';
import { askForbiddenAgain, callsRestrictedModel, tryRestrictedModels, tryStreamAgain } from './other-ways.ts';
import { findControl, findRefusedKey, runPreflight } from './preflight.ts';
import { type SendingOptions, StepSender, type Turn, type WalkHooks, type WalkOptions } from './step-sender.ts';
import { TargetWatch } from './target-watch.ts';

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
function doubtForbidden(exchanges: readonly Exchange[], { forbiddenModel: model }: Settings): readonly Notice[] {
  const restricted = exchanges.filter(({ request }) => request.key === 'restricted');
  const listed = listedBy(exchanges, STEPS.list);
  if (model === undefined || restricted.length === 0 || listed.length === 0 || listed.includes(model)) return [];
  const called = restricted.filter(({ request }) => memberOf(parseJson(request.body), 'model') === model);
  if (called.some(wasAnswered)) return [];
  const allowed = listedBy(exchanges, STEPS.restrictedList);
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

// Walks the plan, wave by wave.

/** Milliseconds for sending edits that timed out once more: a target that never answers any would take the whole run. */
const MAX_REPEATING = 120_000;

const NEEDS_NO_CONTROL: ReadonlySet<Step['wave']> = new Set(['list', 'control', 'credential']);

export class Walk {
  readonly #options: WalkOptions;
  readonly #channel: Channel;
  readonly sender: StepSender;
  readonly #watch: TargetWatch;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#channel = options.channel;
    this.sender = new StepSender(options);
    this.#watch = new TargetWatch(this.sender);
  }

  async run(): Promise<void> {
    const first = await this.#askList();
    if (!first) return;
    const list = await this.#findList(first);
    const mistaken = await runPreflight(list, this.#channel);
    // An aborted preflight says nothing about the target.
    if (this.#channel.signal.aborted) return;
    if (mistaken && mistaken.kind !== 'key-refused') return this.#channel.end(mistaken);
    await this.#send(STEPS.bareKey);
    if (mistaken) return this.#finishWithoutKey(mistaken);
    const control = await findControl(list, this.sender, (step, turn) => this.#send(step, turn));
    for (const step of [STEPS.control, STEPS.bareControl]) this.#options.onStep(step, this.#channel.ledger.used);
    if (control.hanging) return this.#finishHanging(control.hanging);
    const refused = await findRefusedKey(list, control.status, this.#channel);
    if (refused) return this.#finishWithoutKey(refused);
    this.#stopIfAsked('control');
    await this.#runRounds();
    const { hooks, soFar } = this.#options;
    await hooks.furtherSteps?.(soFar, (step, options) => this.#sendApart(step, options));
    await this.#watch.checkAfterLoss();
    if (this.sender.bindings.model === undefined && this.sender.step(STEPS.control) && !this.#channel.signal.aborted) {
      this.#channel.end(this.#watch.findLimit() ?? { kind: 'no-model', reason: explainNoModel(list) });
    }
  }

  /** Waits for the target, and asks it for its list. */
  async #askList(): Promise<Exchange | undefined> {
    const template = this.sender.step(STEPS.list)?.template;
    const filled = template && bindRequest(template, this.sender.bindings, '');
    await this.#channel.awaitTarget(filled?.kind === 'request' ? filled.request : undefined);
    return this.#send(STEPS.list);
  }

  /** The first list may be that of the one replica at fault, and nothing can be called without a list. Needs `--detect`. */
  async #findList(first: Exchange): Promise<Exchange> {
    const step = this.sender.step(STEPS.list);
    if (!step) return first;
    let list: Exchange | undefined = first;
    for (let sample = 2; list && sample <= (step.samples ?? 1); sample += 1) {
      const reading = readModelList(list);
      if (reading.kind === 'list' && reading.models.length > 0) return list;
      if (lastAnswer(list) === undefined || this.#channel.signal.aborted) return first;
      await this.#channel.renewConnections();
      list = await this.sender.send(step, { occasion: 'list-again', number: sample });
    }
    return list && readModelList(list).kind === 'list' ? list : first;
  }

  /** The waves after the control, and then the rounds for the steps that need more answers. */
  async #runRounds(): Promise<void> {
    for (const wave of WAVES.slice(2)) {
      if (wave === 'closing') await this.#repeatTimedOut();
      await this.#runWave(wave);
      this.#stopIfAsked(wave);
    }
    // A refusal may make it necessary to ask longer.
    const lastRound = (): number => Math.max(...this.#options.plan.steps.map((step) => this.sender.lastRoundOf(step)));
    for (let round = 2; round <= lastRound(); round += 1) await this.#runRound(round);
  }

  /** Steps without a valid key can still be sent, and they are free. */
  async #finishWithoutKey(ending: Ending): Promise<void> {
    await this.#runWave('credential');
    if (!this.#channel.signal.aborted) this.#channel.end(ending);
  }

  /** The same steps, as far as time allows: the list works, but chat may hang without a key as well. */
  async #finishHanging(ending: Ending): Promise<void> {
    this.#watch.forget();
    const isChat = ({ template }: Step): number => Number(template.endpoint === 'chat');
    const steps = this.#options.plan.steps.filter(({ wave }) => wave === 'credential');
    for (const step of steps.toSorted((a, b) => isChat(a) - isChat(b))) {
      const exchange = await this.#send(step.id);
      if (exchange && isSilent(exchange)) break;
    }
    await this.#watch.askControlAfter(steps);
    if (!this.#channel.signal.aborted) this.#channel.stop(ending);
  }

  /** Sends the steps that need more answers once more, in the same order of waves and over new connections. */
  async #runRound(round: number): Promise<void> {
    if (this.#channel.ending || this.#channel.signal.aborted) return;
    await this.#channel.renewConnections();
    for (const wave of WAVES) {
      // Without a control, refusals prove nothing, and asking for them again only costs.
      if (this.#isWithoutControl() && !NEEDS_NO_CONTROL.has(wave)) continue;
      if (wave === 'closing') await this.#repeatTimedOut(round);
      await this.#runWave(wave, round);
      this.#stopIfAsked(wave);
    }
  }

  /** The first round may have met the one replica that refuses the control. */
  #isWithoutControl(): boolean {
    if (this.sender.isAnswered(STEPS.control)) this.sender.control ??= STEPS.control;
    return this.sender.step(STEPS.control) !== undefined && this.sender.control === undefined;
  }

  #stopIfAsked(wave: Step['wave']): void {
    const { hooks, soFar } = this.#options;
    if (!this.#channel.ending && hooks.stopsAfter?.(soFar())) this.#channel.end({ kind: 'bailed', after: wave });
  }

  async #runWave(wave: Step['wave'], round = 1): Promise<void> {
    const steps = this.#stepsOf(wave, round);
    this.#channel.ledger.keepOne(this.sender.isBeforeRefusals(wave, round));
    if (wave === 'parallel') await this.#sendAtOnce(steps, round);
    else if (wave === 'patient') {
      // Without a control, a failure after a pause proves nothing; and a pause is vain if nothing can be sent after it.
      if (this.sender.control !== undefined && !this.#channel.ledger.hasLeftOut)
        await sendPatiently(steps, this.#channel.signal, ({ id }) => this.#send(id));
    } else if (SERIAL_WAVES.has(wave)) {
      for (const step of steps) if (!this.#isBlocked(step)) await this.#send(step.id, { round });
    } else await sendByNeeds(steps, ({ id }) => this.#send(id, { round }));
    await this.#watch.askControlAfter(steps, { round });
  }

  #stepsOf(wave: Step['wave'], round: number): readonly Step[] {
    const steps = this.#options.plan.steps.filter((step) => step.wave === wave && this.sender.isInRound(step, round));
    return orderForRound(steps, this.#options.settings.seed, round);
  }

  /** Whether the target blocks the caller, so that invalid keys no longer get their 401. */
  #isBlocked({ wave }: Step): boolean {
    return wave === 'credential' && findBlocked(this.#channel.exchanges).length > 0;
  }

  async #sendAtOnce(steps: readonly Step[], round: number): Promise<void> {
    if (steps.length === 0) return;
    this.#channel.allow(this.#options.settings.parallel);
    await Promise.all(steps.map(({ id }) => this.#send(id, { round })));
    this.#channel.allow(this.#options.settings.concurrency);
  }

  /**
   * Our own requests may have filled the target's queue, so edits without an answer are sent once more when nothing else
   * is under way.
   */
  async #repeatTimedOut(round = 1): Promise<void> {
    // An exploration asks again by itself when it looks for the cause.
    if (this.#options.settings.retries === 0 || this.#options.settings.explore) return;
    const [repeated, until]: [Step[], number] = [[], performance.now() + MAX_REPEATING];
    for (const step of this.#options.plan.steps) {
      const exchange = this.#channel.exchange(makeExchangeId({ step: step.id, round }));
      if (!exchange || !hasTimedOut(exchange) || !this.#canProve(exchange)) continue;
      if (performance.now() > until || this.#channel.ending || this.#channel.signal.aborted) break;
      if (await this.sender.send(step, { earlier: exchange.attempts, round })) repeated.push(step);
    }
    await this.#watch.askControlAfter(repeated, { round });
  }

  /** Whether the control of its endpoint was answered, so that a refusal would prove something. */
  #canProve({ request }: Exchange): boolean {
    return request.endpoint === 'chat' ? this.sender.control !== undefined : this.sender.isAnswered(STEPS.list);
  }

  /** Sends a step if it is due, and learns from the answer. */
  async #send(stepId: string, turn: Turn = {}): Promise<Exchange | undefined> {
    const step = this.sender.step(stepId);
    if (!step || this.#channel.ending || this.#channel.signal.aborted) return undefined;
    const first = this.sender.isDue(step, turn.round) ? await this.sender.send(step, turn) : undefined;
    this.#options.onStep(stepId, this.#channel.ledger.used);
    if (!first) return undefined;
    const exchange = (await askForbiddenAgain(step, first, this.sender)) ?? first;
    this.sender.learn(step, exchange);
    await tryStreamAgain(step, exchange, this.sender);
    if (callsRestrictedModel(step) && (turn.round ?? 1) === 1) await tryRestrictedModels(step, exchange, this.sender);
    await this.#watch.note(step, exchange);
    return exchange;
  }

  async #sendApart(step: Step, options: SendingOptions): Promise<Exchange | undefined> {
    if (this.#channel.ending || this.#channel.signal.aborted) return undefined;
    const exchange = await this.sender.send(step, options);
    if (!exchange) return undefined;
    await this.#watch.note(step, exchange);
    await this.#watch.askControlAfter([step], options);
    return this.#channel.exchange(exchange.id);
  }
}

type Send = (step: Step) => Promise<unknown>;

/** Sends the steps before and after idle pauses. The pauses run side by side, so that all take as long as the longest. */
async function sendPatiently(steps: readonly Step[], signal: AbortSignal, send: Send): Promise<void> {
  const pauses = new Set(steps.flatMap(({ template }) => template.idle?.pause ?? []));
  await Promise.all(
    Array.from(pauses, async (pause) => {
      const own = steps.filter(({ template }) => template.idle?.pause === pause);
      const isOpening = ({ template }: Step): boolean => template.idle?.on === 'opening';
      for (const step of own.filter(isOpening)) await send(step);
      await pauseFor(pause, signal);
      for (const step of own.filter((each) => !isOpening(each))) await send(step);
    }),
  );
}

/** Sends each step as soon as those that it needs have been sent. Needs outside of these steps count as met. */
async function sendByNeeds(steps: readonly Step[], send: Send): Promise<void> {
  const under = new Map<string, Promise<unknown>>();
  const start = (id: string): Promise<unknown> => {
    const step = steps.find(({ id: other }) => other === id);
    const sent = under.get(id) ?? Promise.all(step?.needs.map(start) ?? []).then(() => step && send(step));
    under.set(id, sent);
    return sent;
  };
  await Promise.all(steps.map(({ id }) => start(id)));
}

/**
 * In an order of its own each time: a balancer that takes turns would send a request to the same replica again. Streams
 * come first, since they take longest: what is under way with them may be mixed up with them.
 */
function orderForRound(steps: readonly Step[], seed: number, round: number): readonly Step[] {
  if (round === 1) return steps;
  const placeOf = ({ id, when, template }: Step): string => {
    const place = toBytes(seed, makeExchangeId({ step: id, round })).toString('hex');
    return `${when ? 1 : 0}${template.mode === 'stream' ? 0 : 1}${place}`;
  };
  const places = new Map(steps.map((step) => [step, placeOf(step)]));
  return steps.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
}
