/**
 * Asks all cases: legal answers and forwarding side by side, parallel calls, then one failure at a time, with the control
 * after each, and a closed port at the very end.
 */
import { isCompletionLimit } from '../../../exchange/channel/channel.ts';
import { pauseFor } from '../../../exchange/channel/pace.ts';
import { retryAfter } from '../../../exchange/channel/retry.ts';
import type { AskedCase } from '../../../exchange/traffic.ts';
import type { Mode } from '../../../plan/plan.ts';
import { isValidKey } from '../../../suite/case.ts';
import type { RelayCheck } from '../judge/relay-check.ts';
import type { Asked } from '../judge/both-ends.ts';
import { RELAY_CHECKS } from '../judge/judge-relay.ts';
import { makeWord } from '../words.ts';
import { namedModels } from '../named-models.ts';
import { type Calls, injectsFailure, isFailover, type RelayCase } from '../read-relay-suite.ts';
import { MAX_PARALLEL, type QuestionAsker, describeStop, isPortClosed, questionOf } from './ask-question.ts';
import { FailoverWalk, type Settle } from './walk-failover.ts';

/** Milliseconds in which nothing else is sent: the pauses of `--patient`. */
const IDLE_PAUSES = [6_000, 16_000];
/** Milliseconds that an answer is waited for after a silence of `--patient`. */
const AFTER_SILENCE = 20_000;

export class CaseWalk {
  readonly #asker: QuestionAsker;
  readonly #onCase: () => void;
  readonly #evidence = new Map<string, AskedCase>();

  constructor(asker: QuestionAsker, onCase: () => void) {
    this.#asker = asker;
    this.#onCase = onCase;
  }

  evidenceOf({ id }: RelayCase): AskedCase {
    return this.#evidence.get(id) ?? { case: id, asked: [], control: 'unanswered' };
  }

  /** Those that can be asked. */
  async run(all: readonly RelayCase[]): Promise<void> {
    const { front } = this.#asker;
    const cases = all.filter((testCase) => !isFailover(testCase));
    const of = (...kinds: readonly Calls[]): readonly RelayCase[] => cases.filter(({ calls }) => kinds.includes(calls));
    const calm = of('leave', 'one', 'same-key', 'two-keys', 'models').filter((testCase) => !injectsFailure(testCase));
    const quiet = calm.filter(({ key }) => isValidKey(key));
    const keyless = of('one').filter(({ key }) => !isValidKey(key));
    front.ledger.keepOne(keyless.length > 0);
    // The longest first, so that the others are asked meanwhile.
    await this.#sideBySide(quiet.toSorted((a, b) => scriptedTime(b) - scriptedTime(a)));
    for (const testCase of of('parallel')) await this.#keep(testCase, this.#askParallel(testCase));
    for (const testCase of keyless) await this.#keep(testCase, this.#asker.ask(questionOf(testCase)));
    front.ledger.keepOne(false);
    await this.#askPatiently(of('silence'), of('idle'));
    const failover = new FailoverWalk(this.#asker, (...settled) => this.#settle(...settled));
    await failover.run(all.filter(isFailover));
    const failures = of('one').filter(injectsFailure);
    await this.#askFailures(failures.toSorted((a, b) => harmOf(a) - harmOf(b)));
    await this.#askStalls(of('stall'));
    await this.#askRefused(of('refused'));
  }

  async #sideBySide(cases: readonly RelayCase[]): Promise<void> {
    const left = cases.values();
    const worker = async (): Promise<void> => {
      for (const testCase of left) {
        if (this.#isOver) return;
        await this.#keep(testCase, this.#askQuiet(testCase));
      }
    };
    await Promise.all(Array.from({ length: this.#asker.settings.concurrency }, worker));
  }

  async #askQuiet(testCase: RelayCase): Promise<readonly Asked[]> {
    const first = await this.#askOnce(testCase, 1);
    const isInDoubt = needsConfirmation(testCase, first);
    if (!first.some(needsAnotherTry) && !isInDoubt) return first;
    // Nothing came through, which may be a limit of the gateway; or a delay, which may be ours.
    const wasAnswered = this.#asker.isAnswered(testCase.mode);
    if (!(await this.#asker.recover(testCase.mode)) && wasAnswered) this.#endAfter(testCase);
    const again = await this.#askOnce(testCase, first.length + 1);
    return again.length === 0 ? first : isInDoubt ? [...first, ...again] : again;
  }

  /** `first`: the number of the first question. */
  async #askOnce(testCase: RelayCase, first: number): Promise<readonly Asked[]> {
    const { calls } = testCase;
    const question = questionOf(testCase, first);
    const models = namedModels(this.#asker.settings).map(({ front: model }) => ({ model }));
    if (calls === 'models') return this.#asker.askInTurn(question, models);
    // The very same request.
    const word = makeWord();
    if (calls === 'same-key') return this.#asker.askInTurn(question, [{ word }, { word }]);
    if (calls === 'two-keys') return this.#asker.askInTurn(question, [{ word }, { word, key: 'second' }]);
    return calls === 'leave' ? this.#asker.askAndLeave(question) : this.#asker.ask(question);
  }

  /** `number`: that of the first. */
  async #askAtOnce(testCase: RelayCase, number: number, count: number): Promise<readonly Asked[]> {
    const questions = Array.from({ length: count }, (_, index) =>
      this.#asker.ask(questionOf(testCase, number + index)),
    );
    return (await Promise.all(questions)).flat();
  }

  /** A gateway may limit parallel calls. Those that it refused are asked again, as many at once as it let through. */
  async #askParallel(testCase: RelayCase): Promise<readonly Asked[]> {
    const first = await this.#askAtOnce(testCase, 1, MAX_PARALLEL);
    const through = first.filter((asked) => !needsAnotherTry(asked));
    const limited = first.filter(needsAnotherTry);
    const all = [...through];
    while (through.length > 0 && all.length < first.length && !this.#isOver) {
      await pauseFor(Math.min(this.#asker.settings.maxRetryWait, waitOf(limited)), this.#asker.front.signal);
      const size = Math.min(through.length, first.length - all.length);
      const asked = await this.#askAtOnce(testCase, first.length + all.length + 1, size);
      const isThrough = asked.length > 0 && !asked.some(needsAnotherTry);
      if (!isThrough) return [...all, ...limited.slice(all.length - through.length)];
      all.push(...asked);
    }
    return all.length === 0 ? first : all;
  }

  /** Failures come later: a gateway may stop calling an upstream that was silent. */
  async #askPatiently(silent: readonly RelayCase[], idle: readonly RelayCase[]): Promise<void> {
    if (this.#isOver || silent.length + idle.length === 0) return;
    await Promise.all([
      ...idle.map((testCase) => this.#keep(testCase, this.#askAfterPauses(testCase))),
      ...silent.map((testCase) => this.#keep(testCase, this.#askInSilence(testCase))),
    ]);
    await this.#asker.recover('stream');
  }

  async #askInSilence(testCase: RelayCase): Promise<readonly Asked[]> {
    const question = questionOf(testCase);
    const silence = question.script.silence * (this.#asker.settings.relay.pace ?? 1);
    const script = { ...question.script, silence };
    return this.#asker.ask({ ...question, script }, silence + AFTER_SILENCE);
  }

  /** A call before the first pause leaves a connection that can go stale. */
  async #askAfterPauses(testCase: RelayCase): Promise<readonly Asked[]> {
    const { pace = 1 } = this.#asker.settings.relay;
    await this.#asker.control(testCase.mode);
    const all: Asked[] = [];
    for (const [index, pause] of IDLE_PAUSES.entries()) {
      await pauseFor(pause * pace, this.#asker.front.signal);
      all.push(...(await this.#asker.ask(questionOf(testCase, index + 1))));
    }
    return all;
  }

  async #askFailures(cases: readonly RelayCase[]): Promise<void> {
    for (const testCase of cases) {
      if (this.#isOver) return;
      const { mode } = testCase;
      if (!this.#asker.isAnswered(mode) || (await this.#asker.isGone(mode))) continue;
      const asked = await this.#asker.askFailing(questionOf(testCase));
      const isBack = await this.#asker.recover(mode);
      this.#settle(testCase, asked, isBack, isBack ? {} : this.#unrecovered);
      // The gateway is not to blame for an upstream of ours that takes no more calls.
      if (!isBack && !this.#isOver && (this.#asker.upstream.overflow > 0 || isPortClosed(this.#asker.lastControl))) {
        this.#endAfter(testCase);
      }
    }
  }

  async #askStalls(cases: readonly RelayCase[]): Promise<void> {
    if (this.#isOver || cases.length === 0) return;
    const asker = this.#asker;
    const { mode = 'plain' } = cases[0] ?? {};
    const isGone = await asker.isGone(mode);
    const isAsked = (testCase: RelayCase): boolean => !isGone && asker.isAnswered(testCase.mode);
    const watch = (testCase: RelayCase, number: number) => asker.watchStall(questionOf(testCase, number));
    const watched = await Promise.all(
      cases.map(async (testCase) => ({ testCase, asked: isAsked(testCase) ? await watch(testCase, 1) : [] })),
    );
    for (const each of watched) {
      // It waited for the other one in a queue of the gateway.
      if (each.asked.some(({ calls }) => calls.length === 0) && !this.#isOver)
        each.asked = await watch(each.testCase, 2);
    }
    if (isGone) return;
    const isBack = await asker.recover(mode);
    const more = isBack ? {} : this.#unrecovered;
    for (const { testCase, asked } of watched) this.#settle(testCase, asked, isBack, more);
  }

  /** Nothing can be asked after that, so the control comes before it. */
  async #askRefused(cases: readonly RelayCase[]): Promise<void> {
    if (this.#isOver || cases.length === 0) return;
    const modes = [...new Set(cases.map(({ mode }) => mode))];
    const ready = new Map<Mode, boolean>();
    for (const mode of modes) ready.set(mode, this.#asker.isAnswered(mode) && (await this.#asker.recover(mode)));
    await this.#asker.upstream.close();
    for (const testCase of cases) {
      const isReady = ready.get(testCase.mode) ?? false;
      const asked = isReady ? await this.#asker.askFailing(questionOf(testCase)) : [];
      this.#settle(testCase, asked, isReady);
    }
  }

  async #keep(testCase: RelayCase, asking: Promise<readonly Asked[]>): Promise<void> {
    const asked = await asking;
    const { mode } = testCase;
    // A connection that broke may be the end of the gateway, and a client that leaves may lock it.
    const mayHaveStopped = testCase.calls === 'leave' || asked.some(({ reading }) => reading.kind === 'cut');
    const isInDoubt = !this.#isOver && mayHaveStopped;
    if (isInDoubt && this.#asker.isAnswered(mode) && !(await this.#asker.recover(mode))) this.#endAfter(testCase);
    // A gateway that died meanwhile proves nothing.
    const { ending } = this.#asker.front;
    const isAlive = ending === undefined || (isCompletionLimit(ending) && !isValidKey(testCase.key));
    this.#settle(testCase, asked, isAlive && this.#asker.isAnswered(mode));
  }

  /** The control was not answered after this case. */
  #endAfter({ id }: RelayCase): void {
    const stop = describeStop(this.#asker.lastControl, this.#asker.settings.relay.recovery);
    const alone = this.#asker.settings.concurrency === 1 ? ({ oneAtATime: true } as const) : {};
    this.#asker.front.end({ kind: 'not-recovered', after: id, ...stop, ...alone });
  }

  /** The control that was not answered after a failure. */
  get #unrecovered(): Pick<AskedCase, 'unrecovered'> {
    const { lastControl } = this.#asker;
    return lastControl ? { unrecovered: lastControl.front.id } : {};
  }

  #settle(...[{ id }, asked, isControlled, more]: Parameters<Settle>): void {
    this.#evidence.set(id, {
      case: id,
      asked: asked.map(({ front }) => front.id),
      control: isControlled ? 'answered' : 'unanswered',
      ...more,
    });
    this.#onCase();
  }

  get #isOver(): boolean {
    return this.#asker.front.signal.aborted || this.#asker.front.ending !== undefined;
  }
}

/** Failures for which gateways take an upstream or its key out of service come last, broken connections before them. */
function harmOf({ script: { status } }: RelayCase): number {
  if (status === undefined) return 1;
  return status === 401 || status === 402 || status === 403 ? 2 : 0;
}

/** Milliseconds that the script takes, roughly. */
function scriptedTime({ script: { delay, pieces, pause }, mode, calls }: RelayCase): number {
  return delay + (mode === 'stream' ? pieces * pause : 0) + (calls === 'two-keys' ? 1 : 0);
}

/** Whether a check of the case needs another answer. */
function needsConfirmation({ expect }: RelayCase, asked: readonly Asked[]): boolean {
  const checks: Readonly<Record<string, RelayCheck>> = RELAY_CHECKS;
  return expect.some(({ check }) => checks[check]?.needsAnother?.(asked));
}

/** The gateway refused by itself: the upstream never saw the call. */
function needsAnotherTry({ calls, reading }: Asked): boolean {
  return calls.length === 0 && reading.kind !== 'reply';
}

/** Milliseconds that a gateway asks to wait. */
function waitOf(refused: readonly Asked[]): number {
  return Math.max(1_000, ...refused.map(({ reading: { answer } }) => (answer && retryAfter(answer)) ?? 0));
}
