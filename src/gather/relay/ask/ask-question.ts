/** Asks one question at the front, and reads what has happened at both ends by then. */
import { contractOf } from '../../../contract/profile/apply-profile.ts';
import { Channel, type ChannelOptions } from '../../../exchange/channel/channel.ts';
import { pauseFor } from '../../../exchange/channel/pace.ts';
import { makeExchangeId } from '../../../exchange/identity.ts';
import type { Settings } from '../../../settings.ts';
import { isValidKey } from '../../../suite/case.ts';
import { HANG } from '../judge/relay-check.ts';
import { type Asked, readAsked, readUpstreamCall } from '../judge/both-ends.ts';
import { fitRequest } from '../../../suite/load-suites.ts';
import type { RelayCase } from '../load-relay-suite.ts';
import type { Upstream } from '../upstream.ts';
import { makeWord } from '../words.ts';
import { UPSTREAM_MODEL } from '../../../scripted/scripted-server.ts';
import { namedModels } from '../named-models.ts';

/** Milliseconds that an answer is waited for. The upstream itself answers at once, unless its script says otherwise. */
const PATIENCE = 20_000;
/** Milliseconds that an answer is waited for at most if the gateway calls a failing upstream again and again. */
const MAX_PATIENCE = 60_000;
/** Milliseconds that a stalled upstream is watched. */
const STALL_WATCH = 10_000;
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

export interface RelayQuestion extends Pick<RelayCase, 'mode' | 'key' | 'messages' | 'request' | 'script'> {
  readonly id: string;
  readonly case: string;
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

export class QuestionAsker {
  readonly settings: Settings;
  readonly front: Channel;
  readonly upstream: Upstream;
  /** The model of the run. */
  model: string;

  constructor(settings: Settings, front: Channel, upstream: Upstream) {
    this.settings = settings;
    this.front = front;
    this.upstream = upstream;
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
  async watchStall(question: RelayQuestion): Promise<readonly Asked[]> {
    const asked = await this.ask(question, STALL_WATCH);
    this.upstream.release(question.id);
    return asked;
  }

  /** Leaves before the answer ends, then waits until the upstream call is over. */
  async askAndLeave(question: RelayQuestion): Promise<readonly Asked[]> {
    const asked = await this.#leaveWhen(() => this.#hasBegun(question), PATIENCE, question, STAY);
    await this.#waitUntil(() => this.upstream.callsOf(question.id).every(({ isOver }) => isOver), MAX_AFTERMATH);
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

  /** The upstream has the call and, for a stream, has sent some text. */
  #hasBegun({ id, mode }: RelayQuestion): boolean {
    // The first piece has the role.
    return this.upstream.callsOf(id).some(({ written }) => mode === 'plain' || written > 1);
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
}

export function questionOf(testCase: RelayCase, number = 1): RelayQuestion {
  return { ...testCase, ...numbered(testCase.id, number) };
}

/** A question of a case, or a control. */
export function numbered(step: string, number: number): Pick<RelayQuestion, 'id' | 'case' | 'number'> {
  return { id: makeExchangeId({ step, number }), case: step, number };
}
