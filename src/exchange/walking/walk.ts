/** Walks the plan, wave by wave. */
import {
  type Bindings,
  type Cost,
  type Plan,
  type Step,
  WAVES,
  BARE_CONTROL_STEP,
  BARE_KEY_STEP,
  CONTROL_STEP,
  LIST_STEP,
  SERIAL_WAVES,
} from '../../plan/plan.ts';
import type { Keys, Settings } from '../../settings.ts';
import { hasTimedOut, isSilent } from '../reading/answered.ts';
import { findBlocked } from '../reading/blocked-keys.ts';
import type { Asker } from '../attempts/asker.ts';
import { askElsewhere } from './ask-elsewhere.ts';
import { explainNoModel } from './choose-model.ts';
import type { Exchange } from '../exchange.ts';
import { makeExchangeId } from '../identity.ts';
import { ControlFinder } from './find-control.ts';
import { findList } from './find-list.ts';
import { orderForRound } from './order-for-round.ts';
import { findRefusedKey, runPreflight, type PreflightContext } from './preflight.ts';
import { sendPatiently } from './send-patiently.ts';
import { type SendApart, sendingApart } from './send-apart.ts';
import { sendByNeeds } from './send-by-needs.ts';
import { StepSender, type Turn } from './step-sender.ts';
import { TargetWatch } from './target-watch.ts';
import { tryStreamAgain } from './try-stream-again.ts';
import { askForbiddenAgain, callsRestrictedModel, tryRestrictedModels } from './try-restricted-models.ts';
import type { Ending } from '../ending.ts';
import type { TransportOptions } from '../transport/transport.ts';

/** Milliseconds for sending edits that timed out once more: a target that never answers any would take the whole run. */
const MAX_REPEATING = 120_000;

const NEEDS_NO_CONTROL: ReadonlySet<Step['wave']> = new Set(['list', 'control', 'credential']);

export interface WalkHooks {
  /** After each step, whether it was sent or not. */
  onStep?(step: string, used: Cost): void;
  /** Called after each wave; true ends the run. */
  stopsNow(): boolean;
  /** Called after the last wave, to send what the answers gave reason for. */
  readonly furtherSteps?: (send: SendApart) => Promise<void>;
  /** Asked for if the target lists no model and the settings name none. */
  readonly unlistedModel?: string;
  /** That of the run: for questions at another address. */
  readonly wire: TransportOptions;
}

interface WalkOptions {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly keys: Keys;
  readonly asker: Asker;
  readonly hooks: WalkHooks;
  readonly signal: AbortSignal;
}

export class Walk {
  readonly #plan: Plan;
  readonly #settings: Settings;
  readonly #keys: Keys;
  readonly #asker: Asker;
  readonly #hooks: WalkHooks;
  readonly #signal: AbortSignal;
  readonly #sender: StepSender;
  readonly #finder: ControlFinder;
  readonly #watch: TargetWatch;

  constructor({ plan, settings, keys, asker, hooks, signal }: WalkOptions) {
    this.#plan = plan;
    this.#settings = settings;
    this.#keys = keys;
    this.#asker = asker;
    this.#hooks = hooks;
    this.#signal = signal;
    const sender = new StepSender(plan, settings, keys, asker);
    const send = (step: string, turn: Turn): Promise<Exchange | undefined> => this.#send(step, turn);
    this.#sender = sender;
    this.#finder = new ControlFinder({ settings, asker, sender, send, unlistedModel: hooks.unlistedModel });
    this.#watch = new TargetWatch({ settings, asker, sender, finder: this.#finder, signal });
  }

  get bindings(): Bindings {
    return this.#sender.bindings;
  }

  async run(): Promise<void> {
    const first = await this.#send(LIST_STEP);
    if (!first) return;
    const list = await findList(first, { asker: this.#asker, sender: this.#sender, signal: this.#signal });
    const preflight = await runPreflight(list, this.#context());
    // An aborted preflight says nothing about the target.
    if (this.#signal.aborted) return;
    if (preflight.kind === 'end') return this.#asker.end(preflight.ending);
    await this.#send(BARE_KEY_STEP);
    if (preflight.kind === 'key-refused') return this.#finishWithoutKey(preflight.ending);
    const control = await this.#finder.find(list);
    for (const step of [CONTROL_STEP, BARE_CONTROL_STEP]) this.#hooks.onStep?.(step, this.#asker.ledger.used);
    if (this.#finder.hanging) return this.#finishHanging(this.#finder.hanging);
    const refused = await findRefusedKey(list, control, this.#context());
    if (refused) return this.#finishWithoutKey(refused);
    this.#stopIfAsked('control');
    await this.#runRounds();
    await this.#hooks.furtherSteps?.(sendingApart(this.#asker, this.#sender, this.#watch, this.#signal));
    await this.#watch.checkAfterLoss();
    if (this.bindings.model === undefined && this.#sender.step(CONTROL_STEP) && !this.#signal.aborted) {
      this.#asker.end(this.#watch.findLimit() ?? { kind: 'no-model', reason: explainNoModel(list) });
    }
  }

  /** The waves after the control, and then the rounds for the steps that need more answers. */
  async #runRounds(): Promise<void> {
    for (const wave of WAVES.slice(2)) {
      if (wave === 'closing') await this.#repeatTimedOut();
      await this.#runWave(wave);
      this.#stopIfAsked(wave);
    }
    // A refusal may make it necessary to ask longer.
    const lastRound = (): number => Math.max(...this.#plan.steps.map((step) => this.#sender.lastRoundOf(step)));
    for (let round = 2; round <= lastRound(); round += 1) await this.#runRound(round);
  }

  /** Steps without a valid key can still be sent, and they are free. */
  async #finishWithoutKey(ending: Ending): Promise<void> {
    await this.#runWave('credential');
    if (!this.#signal.aborted) this.#asker.end(ending);
  }

  /** The same steps, as far as time allows: the list works, but chat may hang without a key as well. */
  async #finishHanging(ending: Ending): Promise<void> {
    this.#watch.forget();
    const isChat = ({ template }: Step): number => Number(template.endpoint === 'chat');
    const steps = this.#plan.steps.filter(({ wave }) => wave === 'credential');
    for (const step of steps.toSorted((a, b) => isChat(a) - isChat(b))) {
      const exchange = await this.#send(step.id);
      if (exchange && isSilent(exchange)) break;
    }
    await this.#watch.askControlAfter(steps);
    if (!this.#signal.aborted) this.#asker.stop(ending);
  }

  /** Sends the steps that need more answers once more, in the same order of waves and over new connections. */
  async #runRound(round: number): Promise<void> {
    if (this.#asker.ending || this.#signal.aborted) return;
    await this.#asker.renewConnections();
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
    if (this.#sender.isAnswered(CONTROL_STEP)) this.#finder.control ??= CONTROL_STEP;
    return this.#sender.step(CONTROL_STEP) !== undefined && this.#finder.control === undefined;
  }

  #stopIfAsked(wave: Step['wave']): void {
    if (!this.#asker.ending && this.#hooks.stopsNow()) this.#asker.end({ kind: 'bailed', after: wave });
  }

  #context(): PreflightContext {
    const [settings, keys, signal] = [this.#settings, this.#keys, this.#signal];
    const options = { settings, keys, signal, wire: this.#hooks.wire, ledger: this.#asker.ledger };
    return {
      asker: this.#asker,
      baseUrl: settings.baseUrl,
      askAt: (baseUrl, question) => askElsewhere(question, { ...options, settings: { ...settings, baseUrl } }),
    };
  }

  async #runWave(wave: Step['wave'], round = 1): Promise<void> {
    const steps = this.#stepsOf(wave, round);
    this.#asker.ledger.keepOne(this.#sender.isBeforeRefusals(wave, round));
    if (wave === 'parallel') await this.#sendAtOnce(steps, round);
    else if (wave === 'patient') {
      // Without a control, a failure after a pause proves nothing; and a pause is vain if nothing can be sent after it.
      if (this.#finder.control !== undefined && !this.#asker.ledger.hasLeftOut)
        await sendPatiently(steps, this.#signal, ({ id }) => this.#send(id));
    } else if (SERIAL_WAVES.has(wave)) {
      for (const step of steps) if (!this.#isBlocked(step)) await this.#send(step.id, { round });
    } else await sendByNeeds(steps, ({ id }) => this.#send(id, { round }));
    await this.#watch.askControlAfter(steps, round);
  }

  #stepsOf(wave: Step['wave'], round: number): readonly Step[] {
    const steps = this.#plan.steps.filter((step) => step.wave === wave && this.#sender.isInRound(step, round));
    return orderForRound(steps, this.#settings.seed, round);
  }

  /** Whether the target blocks the caller, so that invalid keys no longer get their 401. */
  #isBlocked({ wave }: Step): boolean {
    return wave === 'credential' && findBlocked(this.#asker.exchanges).length > 0;
  }

  async #sendAtOnce(steps: readonly Step[], round: number): Promise<void> {
    if (steps.length === 0) return;
    this.#asker.allow(this.#settings.parallel);
    await Promise.all(steps.map(({ id }) => this.#send(id, { round })));
    this.#asker.allow(this.#settings.concurrency);
  }

  /**
   * Our own requests may have filled the target's queue, so edits without an answer are sent once more when nothing else
   * is under way.
   */
  async #repeatTimedOut(round = 1): Promise<void> {
    // An exploration asks again by itself when it looks for the cause.
    if (this.#settings.retries === 0 || this.#settings.explore) return;
    const [repeated, until]: [Step[], number] = [[], performance.now() + MAX_REPEATING];
    for (const step of this.#plan.steps) {
      const exchange = this.#asker.exchange(makeExchangeId({ step: step.id, round }));
      if (!exchange || !hasTimedOut(exchange) || !this.#canProve(exchange)) continue;
      if (performance.now() > until || this.#asker.ending || this.#signal.aborted) break;
      if (await this.#sender.send(step, { earlier: exchange.attempts, round })) repeated.push(step);
    }
    await this.#watch.askControlAfter(repeated, round);
  }

  /** Whether the control of its endpoint was answered, so that a refusal would prove something. */
  #canProve({ request }: Exchange): boolean {
    return request.endpoint === 'chat' ? this.#finder.control !== undefined : this.#sender.isAnswered(LIST_STEP);
  }

  /** Sends a step if it is due, and learns from the answer. */
  async #send(stepId: string, turn: Turn = {}): Promise<Exchange | undefined> {
    const step = this.#sender.step(stepId);
    if (!step || this.#asker.ending || this.#signal.aborted) return undefined;
    const first = this.#sender.isDue(step, turn.round) ? await this.#sender.send(step, turn) : undefined;
    this.#hooks.onStep?.(stepId, this.#asker.ledger.used);
    if (!first) return undefined;
    const exchange = (await askForbiddenAgain(step, first, this.#sender)) ?? first;
    this.#sender.learn(step, exchange);
    await tryStreamAgain(step, exchange, this.#sender);
    if (callsRestrictedModel(step) && (turn.round ?? 1) === 1) await tryRestrictedModels(step, exchange, this.#sender);
    await this.#watch.note(step, exchange);
    return exchange;
  }
}
