/** Asks one question at the front, and reads what has happened at both ends by then. */
import { contractOf } from '../../../contract/profile/apply-profile.ts';
import { Channel, type ChannelOptions } from '../../../exchange/channel/channel.ts';
import { askUntil } from '../../../exchange/channel/control.ts';
import { type Hooks, unwatched } from '../../../exchange/channel/hooks.ts';
import { pauseFor } from '../../../exchange/channel/pace.ts';
import type { EndingOf } from '../../../exchange/ending.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { makeExchangeId, requestNameOf, type UpstreamName } from '../../../exchange/identity.ts';
import type { Mode } from '../../../plan/plan.ts';
import { UPSTREAM_MODEL } from '../../../scripted/scripted-server.ts';
import type { Settings } from '../../../settings.ts';
import { isValidKey } from '../../../suite/case.ts';
import { fitRequest } from '../../../suite/read-suites.ts';
import { type Asked, readAsked, readUpstreamCall } from '../judge/both-ends.ts';
import { asksForLonger } from '../judge/failures.ts';
import { HANG } from '../judge/relay-check.ts';
import { CONTROL, DEFAULT_SCRIPT, type RelayCase } from '../read-relay-suite.ts';
import { namedModels } from '../named-models.ts';
import type { Upstream } from '../upstream.ts';
import { makeWord } from '../words.ts';

/** Milliseconds that an answer is waited for. The upstream itself answers at once, unless its script says otherwise. */
const PATIENCE = 20_000;
/** Milliseconds that an answer is waited for at most if the gateway calls a failing upstream again and again. */
const MAX_PATIENCE = 60_000;
/** Milliseconds that a stalled upstream is watched. */
export const STALL_WATCH = 10_000;
/** Milliseconds from the first sign of the answer until the client leaves, and until the upstream call is given up. */
const STAY = 300;
const MAX_AFTERMATH = 7_000;
const POLL = 20;
/** Milliseconds, since both ends note times of their own. */
const MARGIN = 500;

const CHAT = {
  endpoint: 'chat',
  method: 'POST',
  path: '/chat/completions',
  headers: { 'Content-Type': 'application/json' },
} as const;

export interface RelayQuestion extends Pick<
  RelayCase,
  'mode' | 'key' | 'messages' | 'request' | 'script' | 'otherScript'
> {
  readonly id: string;
  readonly case: string;
  /** Of two upstreams, the one that follows the script. Default: the one that is called first. */
  readonly scripted?: UpstreamName;
  /** Which question of its case it is. */
  readonly number: number;
  /** Default: the model of the run. */
  readonly model?: string;
  /** Milliseconds that were waited before it. */
  readonly pause?: number;
  /** Default: a new one. */
  readonly word?: string;
}

/** Connections: enough for the largest parallel case. */
export const MAX_PARALLEL = 24;
/** Milliseconds; longer than any pause of a patient run. Every call has a time of its own after which it is given up. */
const NO_LIMIT = 300_000;

/** Opens the channel to the front of the gateway. Nothing is tried again: what a gateway does once is what is judged. */
export function openFront({ settings, ...options }: ChannelOptions): Channel {
  const { ratePerSecond: _rate, ...others } = settings;
  const unlimited = { ...settings.timeouts, attempt: NO_LIMIT, firstByte: NO_LIMIT, idle: NO_LIMIT };
  const timeouts = settings.patient ? unlimited : settings.timeouts;
  return new Channel({ ...options, settings: { ...others, timeouts, retries: 0, concurrency: MAX_PARALLEL } });
}

/** Milliseconds between two controls; the last one repeats. */
const PAUSES = [100, 250, 500, 1_000];
/** Milliseconds that a control is waited for at least. */
const LEAST = 1_000;
const MESSAGES = [{ role: 'user', content: 'Answer in a few words. The control is ${word}.' }];

export class QuestionAsker {
  readonly settings: Settings;
  readonly front: Channel;
  readonly upstream: Upstream;
  /** The model of the run. */
  model: string;
  /** Modes whose control was ever answered in this run. */
  readonly #answered = new Set<Mode>();
  /** Modes whose control did not recover: there is no point in waiting as long again. */
  readonly #gone = new Set<Mode>();
  #controls = 0;
  /** The last control that was answered, or given up. */
  lastControl: Asked | undefined;
  readonly #hooks: Pick<Hooks, 'onAwait' | 'onWait'>;

  constructor(settings: Settings, front: Channel, upstream: Upstream, hooks: Pick<Hooks, 'onAwait' | 'onWait'> = {}) {
    this.settings = settings;
    this.front = front;
    this.upstream = upstream;
    this.#hooks = hooks;
    this.model = namedModels(settings)[0]?.front ?? UPSTREAM_MODEL;
  }

  /** Nothing if the run ended first. */
  async ask(question: RelayQuestion, patience = PATIENCE): Promise<readonly Asked[]> {
    return this.#send(question, AbortSignal.timeout(patience));
  }

  /** The same question with each of these changes in turn. */
  async askInTurn(question: RelayQuestion, changes: readonly Partial<RelayQuestion>[]): Promise<readonly Asked[]> {
    const all: Asked[] = [];
    for (const [index, change] of changes.entries())
      all.push(...(await this.ask({ ...question, ...change, ...numbered(question.case, question.number + index) })));
    return all;
  }

  /** Waits until the last upstream call has been over for so long that a gateway without an answer hangs. */
  async askFailing(question: RelayQuestion): Promise<readonly Asked[]> {
    let state = '';
    let since = performance.now();
    const hasHung = (): boolean => {
      const calls = this.upstream.callsOf(question.id);
      const now = `${calls.length} ${calls.filter(({ isOver }) => isOver).length}`;
      if (now !== state) [state, since] = [now, performance.now()];
      return performance.now() - since > HANG + MARGIN;
    };
    return this.#leaveWhen(hasHung, MAX_PATIENCE, question);
  }

  /** Watches a stalled upstream, then lets it go. */
  async watchStall(question: RelayQuestion, patience = STALL_WATCH): Promise<readonly Asked[]> {
    const asked = await this.ask(question, patience);
    this.upstream.release(question.id);
    return asked;
  }

  /** Leaves before the answer ends, then waits until the upstream call is over. */
  async askAndLeave(question: RelayQuestion): Promise<readonly Asked[]> {
    const { id, mode } = question;
    // The upstream has the call and, for a stream, has sent some text: the first piece has the role.
    const hasBegun = (): boolean => this.upstream.callsOf(id).some(({ written }) => mode === 'plain' || written > 1);
    const asked = await this.#leaveWhen(hasBegun, PATIENCE, question, STAY);
    await this.#waitUntil(() => this.upstream.callsOf(id).every(({ isOver }) => isOver), MAX_AFTERMATH);
    return asked;
  }

  /** The client leaves unless it is answered before. `longest` and `stay`: milliseconds; the second after `isSo`. */
  async #leaveWhen(isSo: () => boolean, longest: number, question: RelayQuestion, stay = 0) {
    const leave = new AbortController();
    let isAnswered = false;
    const answered = this.#send(question, leave.signal).finally(() => (isAnswered = true));
    await this.#waitUntil(() => isAnswered || isSo(), longest);
    await pauseFor(stay, this.front.signal);
    leave.abort();
    return answered;
  }

  /** `longest`: milliseconds. */
  async #waitUntil(isSo: () => boolean, longest: number): Promise<void> {
    const deadline = performance.now() + longest;
    while (!isSo() && performance.now() < deadline && !this.front.signal.aborted)
      await pauseFor(POLL, this.front.signal);
  }

  async #send(question: RelayQuestion, leave: AbortSignal): Promise<readonly Asked[]> {
    const { id, case: step, number, messages, request, mode, key, model = this.model, pause = 0 } = question;
    const { word = makeWord() } = question;
    this.upstream.expect({ ...question, word });
    const { rules } = contractOf(this.settings);
    const body = JSON.stringify({
      model,
      messages: messages.map(({ role, content }) => ({ role, content: content.replaceAll('${word}', word) })),
      ...request,
      ...(mode === 'stream' && { stream: true }),
    });
    const front = await this.front.ask({
      id,
      step,
      number,
      seeks: 'any',
      request: { ...CHAT, mode, body: fitRequest(body, rules, this.settings.replyTokens), key },
      isFree: !isValidKey(key),
      isWhole: true,
      pause,
      leave,
    });
    if (this.front.ledger.hasLeftOut) this.front.end({ kind: 'budget', setting: 'max-completions' });
    return front ? [readAsked(front, this.upstream.exchanges(this.front.began, id).map(readUpstreamCall))] : [];
  }

  // The control: an ordinary question, asked until it is answered. A gateway that does not answer it proves nothing; then the
  // cases that were under way are found, since each may be what stopped it.

  /** Whether it was ever answered in this run. */
  isAnswered(mode: Mode): boolean {
    return this.#answered.has(mode);
  }

  /** `pause`: milliseconds that were waited before it. */
  async control(mode: Mode, patience?: number, pause = 0): Promise<Asked | undefined> {
    const question = { key: 'full', messages: MESSAGES, request: {}, script: DEFAULT_SCRIPT } as const;
    const [asked] = await this.ask({ ...question, ...numbered(CONTROL, ++this.#controls), mode, pause }, patience);
    // Told at once, and once: nobody has to wait for the report to start the gateway again.
    const failure = isPortClosed(asked) && !isPortClosed(this.lastControl) ? asked?.reading.failure : undefined;
    if (failure && this.#answered.size > 0)
      this.#hooks.onWait?.({ elapsed: 0, most: this.settings.relay.recovery, why: failure.code });
    if (asked) this.lastControl = asked;
    if (asked && isThrough(asked)) this.#answered.add(mode);
    return asked;
  }

  /** A few times at most; it may be answered already. */
  async askUntilThrough(mode: Mode, most: number): Promise<void> {
    if (this.isAnswered(mode)) return;
    await askUntil({ ask: () => this.control(mode), isEnough: isThrough, most, signal: this.front.signal });
  }

  /** The gateway did not recover, and still does not answer. */
  async isGone(mode: Mode): Promise<boolean> {
    return this.#gone.has(mode) && !(await this.recover(mode));
  }

  /** Asks until it is answered. False if it was not, or never had been. */
  async recover(mode: Mode): Promise<boolean> {
    const { signal } = this.front;
    const longest = this.#gone.has(mode) ? 0 : this.settings.relay.recovery;
    const began = performance.now();
    const { onAwait = unwatched } = this.#hooks;
    const ended = onAwait(() => ({
      what: `recovery of the gateway${isPortClosed(this.lastControl) ? ' (its port refuses connections)' : ''}`,
      elapsed: performance.now() - began,
      most: longest,
    }));
    const { isEnough: isBack } = await askUntil({
      ask: ({ pause, left }) => this.control(mode, Math.ceil(Math.max(LEAST, left)), pause),
      isEnough: isThrough,
      pauseAfter: (times) => PAUSES[Math.min(times, PAUSES.length) - 1],
      longest,
      signal,
    }).finally(ended);
    if (isBack) this.#gone.delete(mode);
    else if (!signal.aborted) this.#gone.add(mode);
    return isBack;
  }

  /** Asks until this upstream is called first. False if it was not. */
  async awaitFirst(mode: Mode, upstream: UpstreamName): Promise<boolean> {
    const isFirst = ({ calls: [first] }: Asked): boolean => first?.exchange.upstream === upstream;
    if (this.lastControl && isFirst(this.lastControl)) return true;
    const found = await askUntil({
      ask: ({ pause }) => this.control(mode, undefined, pause),
      isEnough: isFirst,
      pauseAfter: (times) => PAUSES[Math.min(times, PAUSES.length) - 1],
      longest: this.settings.relay.recovery,
      signal: this.front.signal,
    });
    return found.isEnough;
  }
}

export function questionOf(testCase: RelayCase, number = 1): RelayQuestion {
  return { ...testCase, ...numbered(testCase.id, number) };
}

/** A question of a case, or a control. */
export function numbered(step: string, number: number): Pick<RelayQuestion, 'id' | 'case' | 'number'> {
  return { id: makeExchangeId({ step, number }), case: step, number };
}

/** The gateway asked the upstream and gave a reply. Whether it is the right one is for the cases to judge. */
export function isThrough({ calls, reading }: Asked): boolean {
  return calls.length > 0 && reading.kind === 'reply';
}

/** Milliseconds. An answer that came before the end may have been read a little after it. */
const READ_LATE = 100;

/** A closed port: the gateway has stopped, so that a longer wait would not help. */
export function isPortClosed(asked: Asked | undefined): boolean {
  return asked?.reading.failure?.kind === 'refused';
}

type Stop = Omit<EndingOf<'not-recovered'>, 'kind' | 'after'>;

/** What the last control got. `limit`: milliseconds, of `--recovery`. */
export function describeStop(control: Asked | undefined, limit: number): Stop {
  if (!control) return {};
  const { id } = control.front;
  if (isPortClosed(control)) return { isRefused: true, control: id };
  const { answer } = control.reading;
  if (!answer) return {};
  // A 429 may be a limit of the gateway.
  const isFinding = answer.status >= 500 && !asksForLonger(answer, limit);
  return { status: answer.status, ...(isFinding && { control: id }) };
}

/** `front`: in the order of sending. `status`: what the last control got; undefined if the port is closed. */
export function findStop(front: readonly Exchange[], cases: readonly string[], status?: number): Stop {
  const asked = front.filter(({ request }) => request.endpoint === 'chat').map((exchange) => readAsked(exchange, []));
  const nameAll = (some: readonly Asked[]): readonly string[] => {
    const names = new Set(some.map((each) => requestNameOf(each.front)));
    return cases.filter((id) => names.has(id));
  };
  const suspects = status === undefined ? suspectsOfClosing(asked) : suspectsOfLock(asked, status);
  const named = suspects.map(nameAll).find((names) => names.length > 0);
  return named ? { inFlight: named } : {};
}

/** The likeliest first. */
type Suspects = readonly (readonly Asked[])[];

function suspectsOfClosing(asked: readonly Asked[]): Suspects {
  const whole = asked.filter(({ reading: { kind } }) => kind !== 'cut' && kind !== 'waiting');
  const aliveUntil = Math.max(0, ...whole.map(({ endedAt }) => endedAt));
  const cut = asked.filter((each) => each.reading.kind === 'cut' && !isPortClosed(each));
  const last = cut.filter(({ endedAt }) => endedAt >= aliveUntil - READ_LATE);
  return [last, whole.filter(({ endedAt }) => endedAt === aliveUntil)];
}

/** A call that was let in shows that there was no lock yet. Then calls that our client left, or that failed, come first. */
function suspectsOfLock(asked: readonly Asked[], status: number): Suspects {
  const openUntil = Math.max(0, ...asked.filter(({ reading }) => reading.kind === 'reply').map((each) => each.sentAt));
  const isLocked = ({ reading, sentAt }: Asked): boolean => reading.answer?.status === status && sentAt >= openUntil;
  const locked = asked.filter(isLocked);
  const lockedFrom = Math.min(...locked.map(({ sentAt }) => sentAt));
  const isJustBefore = ({ endedAt }: Asked): boolean => endedAt >= openUntil && endedAt <= lockedFrom + READ_LATE;
  const ended = asked.filter((each) => !isLocked(each) && isJustBefore(each));
  const first = locked.filter(({ sentAt }) => sentAt === lockedFrom);
  return [ended.filter(({ reading: { kind } }) => kind !== 'reply'), [...ended, ...first]];
}
