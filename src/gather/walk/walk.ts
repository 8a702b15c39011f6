/** Walks the plan, wave by wave. */
import { bindRequest } from '../../plan/bind-request.ts';
import {
  type Step,
  WAVES,
  BARE_CONTROL_STEP,
  BARE_KEY_STEP,
  CONTROL_STEP,
  LIST_STEP,
  SERIAL_WAVES,
} from '../../plan/plan.ts';
import { toBytes } from '../../plan/request-word.ts';
import type { Channel } from '../../exchange/channel/channel.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { makeExchangeId } from '../../exchange/identity.ts';
import { hasTimedOut, isSilent, lastAnswer } from '../../exchange/reading/answered.ts';
import { findBlocked } from '../../exchange/reading/blocked-keys.ts';
import { explainNoModel, readModelList } from '../../exchange/reading/model-list.ts';
import { findControl, findRefusedKey, runPreflight } from './preflight.ts';
import { askForbiddenAgain, callsRestrictedModel, tryRestrictedModels, tryStreamAgain } from './other-ways.ts';
import { type SendingOptions, StepSender, type Turn, type WalkOptions } from './step-sender.ts';
import { TargetWatch } from './target-watch.ts';

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
    await this.#send(BARE_KEY_STEP);
    if (mistaken) return this.#finishWithoutKey(mistaken);
    const control = await findControl(list, this.sender, (step, turn) => this.#send(step, turn));
    for (const step of [CONTROL_STEP, BARE_CONTROL_STEP]) this.#options.onStep(step, this.#channel.ledger.used);
    if (control.hanging) return this.#finishHanging(control.hanging);
    const refused = await findRefusedKey(list, control.status, this.#channel);
    if (refused) return this.#finishWithoutKey(refused);
    this.#stopIfAsked('control');
    await this.#runRounds();
    const { hooks, soFar } = this.#options;
    await hooks.furtherSteps?.(soFar, (step, options) => this.#sendApart(step, options));
    await this.#watch.checkAfterLoss();
    if (this.sender.bindings.model === undefined && this.sender.step(CONTROL_STEP) && !this.#channel.signal.aborted) {
      this.#channel.end(this.#watch.findLimit() ?? { kind: 'no-model', reason: explainNoModel(list) });
    }
  }

  /** Waits for the target, and asks it for its list. */
  async #askList(): Promise<Exchange | undefined> {
    const template = this.sender.step(LIST_STEP)?.template;
    const filled = template && bindRequest(template, this.sender.bindings, '');
    await this.#channel.awaitTarget(filled?.kind === 'request' ? filled.request : undefined);
    return this.#send(LIST_STEP);
  }

  /** The first list may be that of the one replica at fault, and nothing can be called without a list. Needs `--detect`. */
  async #findList(first: Exchange): Promise<Exchange> {
    const step = this.sender.step(LIST_STEP);
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
    if (this.sender.isAnswered(CONTROL_STEP)) this.sender.control ??= CONTROL_STEP;
    return this.sender.step(CONTROL_STEP) !== undefined && this.sender.control === undefined;
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
    await this.#watch.askControlAfter(steps, round);
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
    await this.#watch.askControlAfter(repeated, round);
  }

  /** Whether the control of its endpoint was answered, so that a refusal would prove something. */
  #canProve({ request }: Exchange): boolean {
    return request.endpoint === 'chat' ? this.sender.control !== undefined : this.sender.isAnswered(LIST_STEP);
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
    await this.#watch.askControlFor([exchange]);
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
