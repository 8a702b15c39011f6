/** Calls before, between and after the stages: one at a time, and judged only by whether they are answered. */
import type { Ledger } from '../exchange/channel/ledger.ts';
import type { Attempt, Exchange } from '../exchange/exchange.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import type { KeyUse } from '../suite/case.ts';
import { LIST } from './calls.ts';
import type { LoadConnections } from './connections.ts';

/** Controls in a row without an answer that end the ramp. */
const MAX_UNANSWERED = 3;
/** The stage of calls that belong to none. */
const NO_STAGE = 9_999;

export interface AloneOptions {
  readonly connections: LoadConnections;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly began: number;
  readonly ask: (stage: number, number: number, usesOtherKey: boolean) => Promise<Exchange | undefined>;
  /** Called with every list that was answered. */
  readonly onList: (exchange: Exchange, when: 'before' | 'after') => void;
}

export class AloneCalls {
  readonly #options: AloneOptions;
  #controls = 0;
  #last: Exchange | undefined;

  constructor(options: AloneOptions) {
    this.#options = options;
  }

  /** The last control. */
  get last(): Exchange | undefined {
    return this.#last;
  }

  /** A plain call. Undefined if the run ended. */
  async control(usesOtherKey = false): Promise<Exchange | undefined> {
    this.#last = await this.#options.ask(NO_STAGE, ++this.#controls, usesOtherKey);
    return this.#last;
  }

  /**
   * Three controls in a row are not answered: how the last one ended. A proper rejection is an answer. `failed`: the
   * connection, as if the target were down.
   */
  async findSilence(): Promise<'silent' | 'server-error' | 'failed' | undefined> {
    let outcome: Attempt['outcome'] | undefined;
    for (let left = MAX_UNANSWERED; left > 0; left--) {
      const control = await this.control();
      if (!control) return undefined;
      outcome = control.attempts.at(-1)?.outcome;
      if (outcome?.kind === 'answer' && (outcome.answer.status < 500 || outcome.answer.status === 503))
        return undefined;
    }
    if (outcome?.kind === 'answer') return 'server-error';
    return outcome?.failure.kind === 'timeout' ? 'silent' : 'failed';
  }

  async list(key: KeyUse, when: 'before' | 'after'): Promise<Exchange | undefined> {
    const { connections, signal, ledger, began, onList } = this.#options;
    const request = { ...LIST, key };
    const { sentAt, connection, ...rest } = await connections.main.send(request, { signal });
    const sent = connections.main.describe(request);
    const attempt = { ...rest, sentAt: sentAt - began, pause: 0 };
    if (signal.aborted) {
      if (connection !== undefined) ledger.addCutShort(sent, attempt);
      return undefined;
    }
    ledger.add(sent, attempt);
    const step = `load/list-${when}`;
    const exchange: Exchange = { id: `${step}-${key}`, step, seeks: 'answer', request: sent, attempts: [attempt] };
    if (wasAnswered(exchange)) onList(exchange, when);
    return exchange;
  }
}
