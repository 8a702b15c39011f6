/** The calls that arrive at the upstream: the question that each belongs to, what it gets, and what becomes of it. */
import type { IncomingMessage } from 'node:http';
import type { OtherRequests } from '../../exchange/relay-traffic.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import type { Call } from '../../gateway/call.ts';
import { refuseIf } from '../../gateway/change.ts';
import type { Modifier } from '../../gateway/index.ts';
import { rawHeaders, ReceivedCall } from '../../scripted/received-call.ts';
import { inert } from '../../text/inert.ts';
import type { UpstreamScript } from '../upstream-script.ts';
import { followScript } from './follow-script.ts';
import { makeWord } from '../words.ts';
import { findWord, UpstreamRoom } from './arrival.ts';
import { holdForOthers, type Gathering } from './gathering.ts';
import { receiveCall } from './received-request.ts';

/** Calls of one question, and of the run, that are answered and kept. Gateways that retry make fewer. */
const MAX_CALLS = 25;
const MAX_ALL_CALLS = 2_000;
/** Other requests that are listed, and whose time is kept. All are counted. */
const MAX_LISTED = 10;
const MAX_TIMES = 500;

/** One call of the client: its word chooses the script. */
export interface ScriptedQuestion {
  /** Of the exchange at the front. */
  readonly id: string;
  /** Questions of one case gather. */
  readonly case: string;
  readonly word: string;
  readonly script: UpstreamScript;
}

interface Expected extends ScriptedQuestion {
  readonly calls: ReceivedCall[];
  isReleased: boolean;
}

export class UpstreamCalls {
  readonly #vault: Vault;
  readonly #byWord = new Map<string, Expected>();
  readonly #byId = new Map<string, Expected>();
  readonly #byCall = new WeakMap<Call, Expected>();
  readonly #gatherings = new Map<string, Gathering>();
  readonly all: ReceivedCall[] = [];
  readonly room = new UpstreamRoom();
  readonly #others = new Map<string, { method: string; path: string; count: number }>();
  readonly #otherChats: number[] = [];
  #otherCount = 0;
  /** Too large or too many to be answered. */
  overflow = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  expect(question: ScriptedQuestion): void {
    const expected = { ...question, calls: [], isReleased: false };
    this.#byWord.set(question.word, expected);
    this.#byId.set(question.id, expected);
  }

  of(question: string): readonly ReceivedCall[] {
    return this.#byId.get(question)?.calls ?? [];
  }

  /** What a call gets beyond what all of them get. */
  route(call: Call): readonly Modifier[] {
    if (call.endpoint === 'models') return [];
    const question = call.endpoint === 'chat' ? this.#find(call) : undefined;
    const isFull = question && (question.calls.length >= MAX_CALLS || this.all.length >= MAX_ALL_CALLS);
    if (call.tooLarge || isFull) {
      this.overflow += 1;
      return isFull ? [refuseOthers(429)] : [];
    }
    if (!question) {
      this.#countOther(call);
      return [refuseOthers(404)];
    }
    this.#byCall.set(call, question);
    const { script, calls } = question;
    const { status: _status, ...rest } = script;
    const isUsual = script.once && calls.length > 0;
    return followScript(isUsual ? { ...rest, gateway: [], behaviours: [] } : script, makeWord());
  }

  /** Undefined for a call that is not kept. */
  watch(call: Call, request: IncomingMessage): ReceivedCall | undefined {
    const question = this.#byCall.get(call);
    if (!question) {
      this.room.free(Buffer.byteLength(call.text ?? ''));
      // A gateway that asks for models does so with its own key.
      if (call.endpoint === 'models') {
        this.#vault.receive({ path: call.path, headers: rawHeaders(request), body: Buffer.alloc(0) });
      }
      return undefined;
    }
    const { id: cause, case: step, calls } = question;
    const { socket, httpVersion } = request;
    const number = calls.length + 1;
    const received = new ReceivedCall({
      ...receiveCall(call, request, this.#vault),
      ...{ id: `${cause}@${number}`, step, number, side: 'upstream', cause, socket, httpVersion },
      redact: (bytes) => void this.#vault.redactor.body(bytes),
      onHeld: (held) => (question.isReleased ? held.release() : undefined),
    });
    calls.push(received);
    this.all.push(received);
    return received;
  }

  /** Until all calls of its case have come. */
  hold(call: Call): Promise<void> | undefined {
    const question = this.#byCall.get(call);
    return question && question.script.gather > 1 ? holdForOthers(this.#gatherings, question) : undefined;
  }

  /** Ends stalled answers of a question. */
  release(id: string): void {
    const question = this.#byId.get(id);
    if (!question) return;
    question.isReleased = true;
    for (const call of question.calls) if (call.isHeld) call.release();
  }

  #find(call: Call): Expected | undefined {
    const word = findWord(call, (known) => this.#byWord.has(known));
    return word === undefined ? undefined : this.#byWord.get(word);
  }

  /** Requests without a known word. `began`: start of the run. */
  otherRequests(began: number): OtherRequests {
    const chatsAt = this.#otherChats.flatMap((at) => (at < began ? [] : [at - began]));
    return { count: this.#otherCount, first: [...this.#others.values()], chatsAt };
  }

  #countOther({ method, path, endpoint }: Call): void {
    this.#otherCount += 1;
    if (endpoint === 'chat' && this.#otherChats.length < MAX_TIMES) this.#otherChats.push(performance.now());
    const shown = this.#vault.receive({ path, headers: [], body: Buffer.alloc(0) });
    const other = { method: inert(method, 20), path: inert(shown.path, 120), count: 1 };
    const name = `${other.method} ${other.path}`;
    const known = this.#others.get(name);
    if (known) known.count += 1;
    else if (this.#others.size < MAX_LISTED) this.#others.set(name, other);
  }
}

function refuseOthers(status: number): Modifier {
  const message = 'This upstream answers only the questions of wirecheck.';
  return { title: 'Other calls are refused', refuse: refuseIf(() => true, status, message) };
}
