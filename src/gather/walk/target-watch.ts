/** Watches whether the target still answers, and sends the control again where that is in doubt. */
import type { Step } from '../../plan/plan.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { askUntil } from '../../exchange/channel/control.ts';
import { retryAfter } from '../../exchange/channel/retry.ts';
import { isOfEndedKey } from '../../exchange/reading/blocked-keys.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { makeExchangeId } from '../../exchange/identity.ts';
import {
  isSilent,
  isUnrelatedToEdit,
  lastAnswer,
  lastFailure,
  metNobody,
  timesClosed,
  wasAnswered,
  wasLost,
} from '../../exchange/reading/answered.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { SendingOptions, StepSender } from './step-sender.ts';

/** After this many steps in a row without an answer, the control is sent. */
export const MAX_UNANSWERED = 3;
/** The same for refusals that may be of the key. One of several replicas that refuses it would hardly be met so often. */
const MAX_REFUSED = 8;
/** Factor by which that number grows each time the control is answered. */
const MORE_EACH_TIME = 4;
/** Refusals of the control that end the run. */
const REFUSED_CONTROLS = 3;

export class TargetWatch {
  readonly #sender: StepSender;
  /** Steps in a row without an answer. */
  #silent: Exchange[] = [];
  #controls = 0;
  /** Requests in a row that were refused as without a valid key or without credit, or got a web page. */
  #refused = 0;
  #mostRefused = MAX_REFUSED;

  constructor(sender: StepSender) {
    this.#sender = sender;
  }

  forget(): void {
    this.#silent = [];
  }

  async note({ wave }: Step, exchange: Exchange): Promise<void> {
    if (exchange.request.key === 'full') this.#refused = isOfEndedKey(exchange) ? this.#refused + 1 : 0;
    if (this.#refused >= this.#mostRefused) await this.#checkKey();
    if (isSilent(exchange)) this.#silent.push(exchange);
    else this.forget();
    if (wave === 'list' || wave === 'control') return;
    const { channel, options } = this.#sender;
    // What is sent to nobody would have to be asked again.
    if (metNobody(exchange)) channel.hold(options.settings.retryPauses[0] ?? 0);
    if (this.#silent.length < MAX_UNANSWERED) return;
    this.forget();
    await this.#checkAlive(exchange);
  }

  /** Checks at the end of a run, where no more steps follow that would show it. */
  async checkAfterLoss(): Promise<void> {
    const last = this.#silent.at(-1);
    if (last && wasLost(last)) await this.#checkAlive(last);
    if (this.#refused > 0) await this.#checkKey();
  }

  /** Ends the run if the control, which was answered, is refused as well. */
  async #checkKey(): Promise<void> {
    this.#refused = 0;
    this.#mostRefused *= MORE_EACH_TIME;
    const { control: answered, channel } = this.#sender;
    if (answered === undefined) return;
    let status = 0;
    for (let time = 0; time < REFUSED_CONTROLS; time += 1) {
      // A connection that has lost the key says nothing about the key.
      const control = await this.#askControl(answered, { fresh: true });
      if (!control || !isOfEndedKey(control) || channel.signal.aborted) return;
      status = lastAnswer(control)?.status ?? 0;
    }
    channel.end({ kind: 'key-ended', status });
  }

  /** Ends the run if the control is not answered either. A process that ended may be started again: that takes a moment. */
  async #checkAlive(exchange: Exchange): Promise<void> {
    const { channel, options } = this.#sender;
    const { last: control } = await askUntil({
      // Chat may hang, or answer 429 forever, while the list still works.
      ask: async () =>
        (await this.#askControl(
          exchange.request.endpoint === 'chat' ? (this.#sender.control ?? STEPS.control) : undefined,
        )) ??
        // The limit may allow no other completion: then the list has to do.
        (channel.ledger.hasLeftOut ? this.#askControl() : undefined),
      isEnough: (asked) => !metNobody(asked),
      pauseAfter: (times) => options.settings.retryPauses[times - 1],
      signal: channel.signal,
    });
    if (channel.signal.aborted || (control && !isSilent(control))) return;
    // Without a model there is no control to send: what was asked last shows whether the target still answers.
    const answer = lastAnswer(control ?? exchange);
    const oneAtATime = options.settings.concurrency === 1 && { oneAtATime: true as const };
    this.#sender.channel.end(
      answer?.status === 429
        ? { kind: 'rate-limited', ...this.#waitAsked(answer) }
        : { kind: 'stopped-answering', suspects: [], ...oneAtATime },
    );
  }

  /** Finds a limit at the end of a run that had too few requests to show it: 429 to every one of them. */
  findLimit(): Ending | undefined {
    const answers = this.#sender.channel.exchanges.map(lastAnswer);
    const last = answers.at(-1);
    if (!last || answers.some((answer) => answer?.status !== 429)) return undefined;
    return { kind: 'rate-limited', ...this.#waitAsked(last) };
  }

  #waitAsked(answer: Answer): { readonly asked?: number } {
    const asked = Math.min(retryAfter(answer) ?? 0, Number.MAX_SAFE_INTEGER);
    return asked > this.#sender.options.settings.maxRetryWait ? { asked: Math.round(asked) } : {};
  }

  /** Sends the cheapest request that was answered before. */
  async #askControl(
    stepId = this.#sender.isAnswered(STEPS.list) ? STEPS.list : (this.#sender.control ?? STEPS.control),
    connection: Pick<SendingOptions, 'fresh'> = {},
  ): Promise<Exchange | undefined> {
    const step = this.#sender.step(stepId);
    this.#controls += 1;
    const options = { urgent: true, occasion: 'control-again', number: this.#controls, ...connection } as const;
    return step && this.#sender.send(step, options);
  }

  /** Finds out whether edits without an answer or a refusal failed because of the edit or of the target. Once per wave. */
  async askControlAfter(steps: readonly Step[], turn: SendingOptions = {}): Promise<void> {
    await this.#repeatLost(steps, turn);
    const doubtful = this.#sentFor(steps, turn).filter(isUnrelatedToEdit);
    const list = this.#sender.isAnswered(STEPS.list) ? STEPS.list : undefined;
    const controls = { models: list, chat: this.#sender.control };
    for (const [endpoint, stepId] of Object.entries(controls)) {
      const own = doubtful.filter(({ request }) => request.endpoint === endpoint);
      if (own.length === 0) continue;
      const control = stepId === undefined ? undefined : await this.#askControl(stepId);
      for (const { id, step } of own) {
        const isAnswered = control !== undefined && wasAnswered(control) && this.#hasAnsweredControl(step);
        this.#sender.channel.amend(id, isAnswered ? 'answered' : 'unanswered');
      }
    }
  }

  #sentFor(steps: readonly Step[], turn: SendingOptions): readonly Exchange[] {
    return steps.flatMap(({ id }) => this.#sender.channel.exchange(makeExchangeId({ step: id, ...turn })) ?? []);
  }

  /**
   * A request that ends the target's process takes others with it. Once the target is back, each is asked again, alone, so
   * that the one at fault is told from the others.
   */
  async #repeatLost(steps: readonly Step[], turn: SendingOptions): Promise<void> {
    const lost = this.#sentFor(steps, turn).filter(wasBrokenOff);
    const { channel } = this.#sender;
    let unanswered = lost.find(metNobody);
    if (!unanswered) return;
    for (const { step: id, attempts } of lost) {
      if (unanswered) await this.#checkAlive(unanswered);
      const step = this.#sender.step(id);
      if (!step || channel.ending || channel.signal.aborted) return;
      const again = await this.#sender.send(step, { ...turn, earlier: attempts, fresh: true });
      // Once may be chance.
      if (again && timesClosed(again) === 1) lost.push(again);
      unanswered = again && isSilent(again) ? again : undefined;
    }
    if (unanswered) await this.#checkAlive(unanswered);
  }

  /** An edit of a request other than the plain chat control, such as a stream, also needs its own control answered. */
  #hasAnsweredControl(stepId: string): boolean {
    const control = this.#sender.step(stepId)?.control;
    return control === undefined || control === STEPS.control || this.#sender.isAnswered(control);
  }
}

/** Its connection was refused, or closed before there was a whole answer. */
function wasBrokenOff(exchange: Exchange): boolean {
  const failure = lastFailure(exchange)?.kind;
  return failure === 'refused' || failure === 'closed' || lastAnswer(exchange)?.body.end.kind === 'cut';
}
