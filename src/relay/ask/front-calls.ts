/** Asks the front of the gateway under test, through the transport that `wirecheck run` uses. */
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { Ledger } from '../../exchange/attempts/ledger.ts';
import type { OnAwait } from '../../exchange/awaited.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Identity, identifyGivenUp, identityOf } from '../../exchange/identity.ts';
import type { Notice } from '../../exchange/notice.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import { ByteAllowance } from '../../exchange/transport/collector.ts';
import { createTransport, type Transport } from '../../exchange/transport/transport.ts';
import { waitUntilReady } from '../../exchange/walking/wait-until-ready.ts';
import type { Cost, Mode } from '../../plan/plan.ts';
import type { Keys, Settings } from '../../settings.ts';
import { isValidKey, type KeyUse } from '../../suite/case.ts';
import { fitRequest } from '../../suite/load-requests.ts';

/** Connections: enough for the largest parallel case. */
export const MAX_PARALLEL = 24;

const LIST: FilledRequest = {
  endpoint: 'models',
  mode: 'plain',
  method: 'GET',
  path: '/models',
  headers: {},
  key: 'full',
};

export interface FrontRequest extends Pick<Identity, 'id' | 'step' | 'number'> {
  readonly mode: Mode;
  readonly key: KeyUse;
  readonly body: string;
  /** Milliseconds that were waited before it. */
  readonly pause?: number;
}

interface FrontCallsOptions {
  readonly vault: Vault;
  /** By `performance.now()`. */
  readonly began: number;
  /** Ends the run. */
  readonly signal: AbortSignal;
  readonly onAwait?: OnAwait | undefined;
}

export class FrontCalls {
  readonly #transport: Transport;
  readonly #ledger: Ledger;
  readonly #room: ByteAllowance;
  readonly #complete: (body: string) => string;
  readonly #began: number;
  readonly #signal: AbortSignal;
  readonly #exchanges = new Map<string, Exchange>();
  #ending: Ending | undefined;

  constructor(settings: Settings, keys: Keys, { vault, began, signal, onAwait }: FrontCallsOptions) {
    const timeouts = settings.patient ? withoutLimits(settings.timeouts) : settings.timeouts;
    const used = { ...settings, timeouts, concurrency: MAX_PARALLEL };
    this.#transport = createTransport(used, keys, { redactor: vault.redactor, ...(onAwait && { onAwait }) });
    this.#ledger = new Ledger(settings);
    this.#room = new ByteAllowance(settings.limits.total);
    const { rules } = contractOf(settings);
    this.#complete = (body) => fitRequest(body, rules, settings.replyTokens);
    this.#began = began;
    this.#signal = signal;
  }

  get began(): number {
    return this.#began;
  }

  get used(): Cost {
    return this.#ledger.used;
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  end(ending: Ending): void {
    this.#ending ??= ending;
  }

  /** From now on, one completion of the limit is left to requests without a valid key, or no longer. */
  keepOne(isKept: boolean): void {
    this.#ledger.keepOne(isKept);
  }

  /** Whether only requests without a valid key can still be sent: a conforming gateway charges nothing for them. */
  get isAtLimit(): boolean {
    return this.#ending?.kind === 'budget' && this.#ending.setting === 'max-completions';
  }

  get notices(): readonly Notice[] {
    return this.#transport.notices;
  }

  /** In the order of their answers. */
  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  /** Undefined if the run ended before there was an answer. `leave` aborts this request alone. */
  chat(question: FrontRequest, leave?: AbortSignal): Promise<Exchange | undefined> {
    const { mode, key } = question;
    const body = this.#complete(question.body);
    const headers = { 'Content-Type': 'application/json' };
    const path = '/chat/completions';
    const request = { endpoint: 'chat', mode, method: 'POST', path, headers, body, key } as const;
    return this.#ask(question, request, leave);
  }

  list(id: string): Promise<Exchange | undefined> {
    return this.#ask({ id, step: id }, LIST);
  }

  /** Waits until the model list is answered with a status below 500. Ends the run if the gateway only hangs. */
  async waitUntilReady(longest: number): Promise<void> {
    const hang = await waitUntilReady(this.#transport, LIST, { most: longest, signal: this.#signal });
    if (hang) this.end(hang);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #ask(
    { pause = 0, ...identity }: Identity & Pick<FrontRequest, 'pause'>,
    request: FilledRequest,
    leave?: AbortSignal,
  ): Promise<Exchange | undefined> {
    const sent = this.#transport.describe(request);
    const isFree = !isValidKey(request.key);
    if ((this.#ending && !(isFree && this.isAtLimit)) || this.#signal.aborted) return undefined;
    const place = await this.#ledger.reserve(sent, isFree);
    if (place.kind === 'forbidden') {
      this.end({ kind: 'budget', setting: place.setting });
      return undefined;
    }
    try {
      const signal = leave ? AbortSignal.any([this.#signal, leave]) : this.#signal;
      const answered = await this.#transport.send(request, { signal, room: this.#room });
      const { sentAt, outcome, secretsSeen, connection } = answered;
      const isGivenUp = this.#signal.aborted;
      // The run ended before there was a connection to send it on.
      if (isGivenUp && connection === undefined) return undefined;
      const attempt = { sentAt: sentAt - this.#began, pause, outcome, secretsSeen };
      this.#ledger.add(sent, attempt);
      const own = isGivenUp ? identifyGivenUp(identity) : identityOf(identity);
      const exchange: Exchange = { ...own, seeks: 'any', request: sent, attempts: [attempt] };
      this.#exchanges.set(exchange.id, exchange);
      return isGivenUp ? undefined : exchange;
    } finally {
      place.release();
    }
  }
}

/** Milliseconds; longer than any pause. Every call has a time of its own after which it is given up. */
const NO_LIMIT = 300_000;

function withoutLimits(timeouts: Settings['timeouts']): Settings['timeouts'] {
  return { ...timeouts, attempt: NO_LIMIT, firstByte: NO_LIMIT, idle: NO_LIMIT };
}
