/** Asks one question at the front and collects what happened at both ends. */
import { pauseFor } from '../../exchange/attempts/pace.ts';
import type { JsonObject } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import type { KeyUse } from '../../suite/case.ts';
import type { Asked } from '../evidence.ts';
import { readFront } from '../judge/front-reading.ts';
import type { RelayCase, RelayMessage } from '../relay-case.ts';
import type { Script } from '../script.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { makeWord } from '../words.ts';
import type { Front } from './front.ts';

/** Milliseconds that an answer is waited for. The upstream itself answers at once, unless its script says otherwise. */
export const PATIENCE = 20_000;
/** Milliseconds that a stalled upstream is watched. */
export const STALL_WATCH = 10_000;
/** Milliseconds from the first sign of the answer until the client leaves, and until the upstream call is given up. */
const STAY = 300;
const MAX_AFTERMATH = 7_000;
const POLL = 20;

export interface Question {
  readonly id: string;
  readonly case: string;
  readonly mode: Mode;
  readonly key: KeyUse;
  readonly messages: readonly RelayMessage[];
  readonly request: JsonObject;
  readonly script: Script;
}

export class Asking {
  readonly #front: Front;
  readonly #upstream: Upstream;
  readonly #signal: AbortSignal;
  readonly #model: () => string;
  readonly asked: Asked[] = [];

  constructor(front: Front, upstream: Upstream, signal: AbortSignal, model: () => string) {
    this.#front = front;
    this.#upstream = upstream;
    this.#signal = signal;
    this.#model = model;
  }

  /** Undefined if the run ended first. */
  async ask(question: Question, patience = PATIENCE): Promise<Asked | undefined> {
    return this.#send(question, this.#expect(question), AbortSignal.timeout(patience));
  }

  /** The very same request, with each of these keys in turn. */
  async askWithKeys(question: Question, keys: readonly KeyUse[]): Promise<readonly Asked[]> {
    const body = this.#expect(question);
    const all: Asked[] = [];
    for (const [index, key] of keys.entries()) {
      const own = { ...question, id: index === 0 ? question.id : `${question.id}#${index + 1}`, key };
      const asked = await this.#send(own, body, AbortSignal.timeout(PATIENCE), question.id);
      // Without calls that a later key leads to.
      if (asked) all.push({ ...asked, calls: [...asked.calls] });
    }
    return all;
  }

  /** Watches a stalled upstream, then lets it go. */
  async watchStall(question: Question): Promise<Asked | undefined> {
    const asked = await this.ask(question, STALL_WATCH);
    this.#upstream.release(question.id);
    return asked;
  }

  /** Leaves before the answer ends, then waits until the upstream call is over. */
  async askAndLeave(question: Question): Promise<Asked | undefined> {
    const leave = new AbortController();
    let isAnswered = false;
    const answered = this.#send(question, this.#expect(question), leave.signal).finally(() => (isAnswered = true));
    await this.#waitUntil(() => isAnswered || this.#hasBegun(question), PATIENCE);
    await pauseFor(STAY, this.#signal);
    leave.abort();
    const asked = await answered;
    await this.#waitUntil(() => !asked?.calls.some(({ end }) => end === undefined), MAX_AFTERMATH);
    return asked;
  }

  /** The upstream has the call and, for a stream, has sent some text. */
  #hasBegun({ id, mode }: Question): boolean {
    const calls = this.#upstream.callsOf(id);
    if (mode === 'plain') return calls.length > 0;
    return calls.some(({ writes }) => writes.some(({ textLength }) => textLength !== undefined));
  }

  /** `longest`: milliseconds. */
  async #waitUntil(isSo: () => boolean, longest: number): Promise<void> {
    const deadline = performance.now() + longest;
    while (!isSo() && performance.now() < deadline && !this.#signal.aborted) await pauseFor(POLL, this.#signal);
  }

  #expect({ id, case: name, script, messages, request, mode }: Question): string {
    const word = makeWord();
    this.#upstream.expect({ id, case: name, word, script });
    return JSON.stringify({
      model: this.#model(),
      messages: messages.map(({ role, content }) => ({ role, content: content.replaceAll('${word}', word) })),
      ...request,
      ...(mode === 'stream' && { stream: true }),
    });
  }

  async #send(
    { id, mode, key }: Question,
    body: string,
    leave: AbortSignal,
    expected = id,
  ): Promise<Asked | undefined> {
    let leftAt: number | undefined;
    leave.addEventListener('abort', () => (leftAt = performance.now()), { once: true });
    const before = this.#upstream.callsOf(expected).length;
    const front = await this.#front.chat({ id, mode, key, body }, leave);
    if (!front) return undefined;
    const upstream = this.#upstream;
    const asked: Asked = {
      id,
      key,
      front,
      sentAt: this.#front.began + (front.attempts[0]?.sentAt ?? 0),
      reading: readFront(
        front,
        upstream.callsOf(expected).some(({ answer }) => answer.texts.length > 1),
      ),
      // Calls that arrive later, such as retries after the answer, also belong to it.
      get calls() {
        return upstream.callsOf(expected).slice(before);
      },
      ...(leftAt !== undefined && { leftAt }),
    };
    this.asked.push(asked);
    return asked;
  }
}

export function questionOf(testCase: RelayCase, id = testCase.id): Question {
  const { mode, messages, request, script } = testCase;
  return { id, case: testCase.id, mode, key: 'full', messages, request, script };
}
