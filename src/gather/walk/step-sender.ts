/** Sends the steps of a plan with the values known so far, and learns values for later steps from the answers. */
import { withoutUndefined } from '../../json.ts';
import { bindRequest, initialBindings, modelFor } from '../../plan/bind-request.ts';
import { mustBeRefused } from '../../plan/cost.ts';
import { makeRequestWord, toBytes } from '../../plan/request-word.ts';
import type { Bindings, Condition, Cost, Plan, Step } from '../../plan/plan.ts';
import { SERIAL_WAVES, STEPS, WAVES } from '../../plan/known-steps.ts';
import type { Keys, Settings } from '../../settings.ts';
import { isExtraKey } from '../../suite/case.ts';
import type { Channel, Question } from '../../exchange/channel/channel.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type IdParts, isOtherWay, makeExchangeId } from '../../exchange/identity.ts';
import { isClientError, isLarge, lastAnswer, wasAnswered, refusalTimes } from '../../exchange/reading/answered.ts';
import { isReadableByPage } from '../../exchange/reading/cross-origin.ts';
import { concludeArrivals } from '../../exchange/reading/looks-fake.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { credential } from '../../exchange/secrets/secrets.ts';
import { pickCandidates, readModelList } from '../../exchange/reading/model-list.ts';

/** The round, or the occasion and the number on it. */
export type Turn = Omit<IdParts, 'step'>;

export interface SendingOptions extends Turn, Pick<Question, 'patience' | 'fresh'> {
  /** Goes ahead of everything that is waiting. */
  readonly urgent?: boolean;
  /** Attempts of an exchange that is continued. */
  readonly earlier?: Exchange['attempts'];
}

const ON_ONE_CONNECTION: ReadonlySet<string> = new Set([STEPS.stream, STEPS.secondStream]);

/** A pack may be refused in the last round, and its members are sent twice as often from then on. */
const MAX_ROUNDS_PER_SAMPLE = 3;

export interface WalkOptions {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly keys: Keys;
  readonly channel: Channel;
  /** After each step, whether it was sent or not. */
  readonly onStep: (step: string, used: Cost) => void;
  readonly hooks: WalkHooks;
  readonly soFar: () => Traffic;
}

export interface WalkHooks {
  /** Called after each wave; true ends the run. */
  readonly stopsAfter?: (soFar: Traffic) => boolean;
  /** Called when all steps were sent. What it sends belongs to the run. */
  readonly furtherSteps?: (soFar: () => Traffic, send: SendFurther) => Promise<void>;
  /** Asked for if the target lists no model and the settings name none. */
  readonly unlistedModel?: string;
}

/** Sends a step that the answers gave reason for, apart from the turn of any step. Undefined if the run has ended. */
export type SendFurther = (step: Step, options: SendingOptions) => Promise<Exchange | undefined>;

export class StepSender {
  readonly options: WalkOptions;
  readonly channel: Channel;
  readonly #steps: ReadonlyMap<string, Step>;
  bindings: Bindings;
  /** Models of its own list that the restricted key may call. */
  restrictedModels: readonly string[] = [];
  /** The chat control that was answered, with or without max_tokens, for any model. */
  control: string | undefined;

  constructor(options: WalkOptions) {
    this.options = options;
    this.channel = options.channel;
    this.#steps = new Map(options.plan.steps.map((step) => [step.id, step]));
    this.bindings = initialBindings(options.settings);
  }

  step(id: string): Step | undefined {
    return this.#steps.get(id);
  }

  /** Whether the step was answered in any round. */
  isAnswered(id: string): boolean {
    return (
      this.#exchangesOf(id).some(wasAnswered) ||
      this.channel.exchanges.some((each) => each.step === id && isOtherWay(each) && wasAnswered(each))
    );
  }

  isInRound(step: Step, round: number): boolean {
    return round >= (step.firstRound ?? 1) && round <= this.lastRoundOf(step);
  }

  /**
   * Steps that were sent together until that was refused need all their answers from then on. A fault has to be met twice
   * then, once in the pack and once in the step, so that they are sent for longer until one of them shows it.
   */
  lastRoundOf({ samples = 1, packedIn, when }: Step): number {
    const pack = packedIn ?? (when && this.#steps.get(when.step)?.packedIn);
    const refused = pack === undefined ? undefined : this.#refusedIn(pack);
    if (pack === undefined || refused === undefined) return samples;
    return refused - 1 + samples * (this.#isExplained(pack) ? 1 : 2);
  }

  /** Whether this wave or a later one has chat requests that must be refused. */
  isBeforeRefusals(wave: Step['wave'], round = 1): boolean {
    return [...this.#steps.values()].some((step) => {
      if (step.template.endpoint !== 'chat' || !mustBeRefused(step)) return false;
      const last = this.lastRoundOf(step);
      return last > round || (last === round && WAVES.indexOf(step.wave) >= WAVES.indexOf(wave));
    });
  }

  /** Whether a member was refused that has nothing in common with another one, which might be the refused one. */
  #isExplained(pack: string): boolean {
    const isMember = (id: string): boolean => this.#steps.get(id)?.packedIn === pack;
    const refused = this.channel.exchanges.filter((exchange) => isMember(exchange.step) && !wasAnswered(exchange));
    return refused.some(({ step }) => !this.#steps.get(step)?.needs.some(isMember));
  }

  /** The first round in which a pack was not answered. */
  #refusedIn(pack: string): number | undefined {
    const { firstRound = 1, samples = 1 } = this.#steps.get(pack) ?? {};
    for (let round = firstRound; round <= samples; round += 1) {
      const exchange = this.channel.exchange(makeExchangeId({ step: pack, round }));
      if (exchange && !wasAnswered(exchange)) return round;
    }
    return undefined;
  }

  /** A pack takes the place of its members; once it was refused, they take its place. */
  #isReplaced({ id, firstRound, packedIn }: Step, round: number): boolean {
    if (firstRound !== undefined) return this.#refusedIn(id) !== undefined;
    return packedIn !== undefined && round > 1 && this.#refusedIn(packedIn) === undefined;
  }

  #exchangesOf(id: string): readonly Exchange[] {
    const { samples = 1, packedIn } = this.#steps.get(id) ?? {};
    const rounds = packedIn === undefined ? samples : MAX_ROUNDS_PER_SAMPLE * samples;
    const ids = Array.from({ length: rounds }, (_, earlier) => makeExchangeId({ step: id, round: earlier + 1 }));
    return ids.flatMap((known) => this.channel.exchange(known) ?? []);
  }

  isDue(step: Step, round = 1): boolean {
    if (!this.#canBeSent(step) || this.#isReplaced(step, round)) return false;
    const isOwn = !isExtraKey(step.template.key);
    if (isOwn && needsAnsweredControl(step) && hasRefusedControl(step, this.channel.exchanges)) return false;
    return step.when === undefined || this.#isMet(step.when, step, round);
  }

  /** Whether there are a key and a model for it. */
  #canBeSent({ template, sampled }: Step): boolean {
    if (credential(template.key, this.options.keys, this.options.settings.seed) === undefined) return false;
    if (sampled === undefined) return true;
    const model = this.bindings.sample[sampled];
    // The control has already called this model.
    return model !== undefined && model !== this.bindings.model;
  }

  #isMet(when: Condition, step: Step, round: number): boolean {
    const before = this.channel.exchange(makeExchangeId({ step: when.step, round }));
    if (!before) return false;
    const status = lastAnswer(before)?.status ?? 0;
    switch (when.kind) {
      case 'answered':
        return wasAnswered(before);
      case 'unanswered':
        // A rare refusal of the other step leaves open which of its parts was refused, so that this one is sent from then on.
        return !this.#exchangesOf(when.step).every(wasAnswered);
      case 'status':
        return when.statuses.includes(status);
      case 'refused':
        return !wasAnswered(before);
      case 'unrefused':
        return !isClientError(status);
      case 'taken':
        // The whole body was read, and refused for another reason than its size.
        return isClientError(status) && status !== 413;
      case 'readable':
        return this.channel.exchanges.some(isReadableByPage);
      case 'looksFake':
        return this.#needsAnotherStream(before, step, round);
    }
  }

  /** Whether the streams so far leave open if the target streams at all. */
  #needsAnotherStream(first: Exchange, { id }: Step, now: number): boolean {
    const { exchanges } = this.channel;
    const more = exchanges.filter(({ step, round = 1 }) => step === id && round === now);
    return concludeArrivals([first, ...more], refusalTimes(exchanges)).kind === 'open';
  }

  /** Whether a step has to be sent once more. `since`: how often it was sent after it got the status that it waits for. */
  #isToRepeat(step: Step, last: Exchange, times: number, since: number): boolean {
    const { repeat, when } = step;
    if (when?.kind === 'looksFake') return this.isDue(step, last.round);
    if (repeat === undefined || !lastAnswer(last)) return false;
    // Whatever refuses the first call, but for its limit, refuses the others too.
    if (since === 0 && !wasAnswered(last) && !isAtEnd(step, last)) return false;
    return since > 0 || isAtEnd(step, last) ? since < (repeat.more ?? 0) : times < repeat.most;
  }

  /** After a pause, the first answer is the one that counts. */
  #isAskedOnce(step: Step): boolean {
    if ((step.template.idle?.pause ?? 0) > 0) return true;
    const { exchanges } = this.channel;
    return hasRefusedControl(step, exchanges) || hasNoBasis(step, exchanges, this.bindings.model);
  }

  /** Repeats a step as its plan says; returns the last exchange. */
  async send(step: Step, options: SendingOptions = {}): Promise<Exchange | undefined> {
    const { urgent = false, earlier = [], round = 1, patience, ...apart } = options;
    const sample = round > 1 && { round, fresh: this.#needsFresh(step, round) };
    const once = this.#isAskedOnce(step);
    let exchange: Exchange | undefined;
    let since = 0;
    for (let time = 1; ; time += 1) {
      const turn = { step: step.id, ...apart, ...sample, ...(time > 1 && { number: time }) };
      const id = makeExchangeId(turn);
      const filled = this.#fill(step, id);
      if (filled.kind === 'missing') return undefined;
      const { request } = filled;
      // Beyond a limit, and after a large body, a kept connection may be closed for another reason.
      const isApart = since > 0 || isLarge(request);
      const { name, seeks, bound } = step;
      const next = await this.channel.ask({
        ...turn,
        id,
        ...withoutUndefined({ name }),
        ...{ request, seeks, bound, urgent, once, patience, earlier },
        ...(isApart && { fresh: true }),
      });
      if (!next) break;
      exchange = next;
      if (!this.#isToRepeat(step, next, time, since)) break;
      if (since > 0 || isAtEnd(step, next)) since += 1;
    }
    return exchange;
  }

  #fill(step: Step, id: string): ReturnType<typeof bindRequest> {
    const bindings = { ...this.bindings, ...modelFor(step, this.bindings) };
    const word = makeRequestWord(this.options.settings.seed, this.#repeats(step) ?? id);
    const filled = bindRequest(step.template, bindings, word);
    if (filled.kind === 'missing' || !ON_ONE_CONNECTION.has(step.id)) return filled;
    return { ...filled, request: { ...filled.request, connection: STEPS.stream } };
  }

  /** The id of the control whose bytes a step repeats: one that changes nothing but the key, which then shows a cache in front of the keys. */
  #repeats(step: Step): string | undefined {
    const { seeks, template, control = '' } = step;
    const body = this.step(control)?.template.body;
    if (seeks !== 'unauthorized' || !body || JSON.stringify(body) !== JSON.stringify(template.body)) return undefined;
    const sent = sentControls(step, this.channel.exchanges);
    return (sent.find(wasAnswered) ?? sent[0])?.id;
  }

  /**
   * A balancer may choose a replica per connection, so samples need connections of their own. The others share those of
   * the round, where faults of kept connections show.
   */
  #needsFresh({ id, wave }: Step, round: number): boolean {
    if (SERIAL_WAVES.has(wave)) return true;
    return toBytes(this.options.settings.seed, makeExchangeId({ step: id, round })).readUInt8() % 2 === 0;
  }

  learn(step: Step, exchange: Exchange): void {
    if (step.id === STEPS.brief && !wasAnswered(exchange)) this.bind({ briefTokens: this.bindings.replyTokens });
    if (step.id !== STEPS.restrictedList) return;
    // Without a list of its own, the key may still call some of the models.
    const lists = [exchange, ...this.#exchangesOf(STEPS.list)].map(readModelList);
    const [models = []] = lists.flatMap((list) => (list.kind === 'list' ? [list.models] : []));
    this.restrictedModels = pickCandidates(models.filter(({ id }) => id !== this.options.settings.forbiddenModel));
    const [first] = this.restrictedModels;
    if (first !== undefined) this.bind({ restrictedModel: first });
  }

  bind(values: Partial<Bindings>): void {
    this.bindings = { ...this.bindings, ...values };
  }
}

function isAtEnd({ repeat }: Step, exchange: Exchange): boolean {
  return lastAnswer(exchange)?.status === repeat?.until;
}

/** Whether the chat request that this step changes was refused for good, so that a refusal of the step proves nothing. */
function hasRefusedControl(step: Step, exchanges: readonly Exchange[]): boolean {
  const { wave, template } = step;
  if (template.endpoint !== 'chat' || wave === 'control') return false;
  // That of an extra key may come later.
  const sent = sentControls(isExtraKey(template.key) ? {} : step, exchanges);
  return sent.some(isRefusedForGood) && !sent.some(wasAnswered);
}

/**
 * Whether there is nothing that this step changes: the list fails with a 5xx or, for a chat request, gave no model to call.
 * `model`: the one that the run calls.
 */
function hasNoBasis({ wave, template }: Step, exchanges: readonly Exchange[], model: string | undefined): boolean {
  if (wave === 'list' || wave === 'control' || isExtraKey(template.key)) return false;
  const lists = exchanges.filter(({ step }) => step === STEPS.list);
  if (template.endpoint === 'models')
    return lists.some((list) => (lastAnswer(list)?.status ?? 0) >= 500) && !lists.some(wasAnswered);
  return (
    model === undefined && lists.some(isNotOfRate) && lists.every((list) => readModelList(list).kind === 'unreadable')
  );
}

/** Refused after all attempts, and not because of the rate. */
function isRefusedForGood(exchange: Exchange): boolean {
  return (lastAnswer(exchange)?.status ?? 0) >= 400 && isNotOfRate(exchange);
}

/** A refusal because of the rate goes away with time. */
function isNotOfRate(exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status;
  return status !== 408 && status !== 429;
}

/** A step without a control of its own has the plain chat request. */
function sentControls(
  { control = STEPS.control }: Pick<Step, 'control'>,
  exchanges: readonly Exchange[],
): readonly Exchange[] {
  const steps = control === STEPS.control ? [STEPS.control, STEPS.bareControl] : [control];
  return exchanges.filter(({ step }) => steps.includes(step));
}

/** Whether the request shows nothing if the control is refused. */
function needsAnsweredControl(step: Step): boolean {
  return step.needsControl === true || step.when?.kind === 'unanswered' || isVariation(step);
}

/**
 * A valid request that differs little from the control is refused like it, which shows nothing new. The one for a single
 * token and the one without a limit differ in what a control is often refused for.
 */
function isVariation({ id, wave, template, seeks, sampled, bound }: Step): boolean {
  if (wave !== 'positive' || template.mode !== 'plain' || sampled !== undefined) return false;
  return seeks === 'answer' && id !== STEPS.brief && bound !== 'nothing';
}
