/** What a run has used so far, against what it may use. */
import { isObject } from '../json.ts';
import type { Cost } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { isAnswered } from './answered.ts';
import { chunkValue, readChunks } from './chunks.ts';
import type { Attempt, SentRequest } from './exchange.ts';
import { readJson } from './json-text.ts';

export class Ledger {
  readonly #settings: Settings;
  #used: Cost = { requests: 0, completions: 0, tokens: 0 };

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get used(): Cost {
    return this.#used;
  }

  /** The setting that forbids one more request like this, if one does. */
  forbids(request: Pick<SentRequest, 'endpoint'>): 'max-requests' | 'max-completions' | undefined {
    const { maxRequests, maxCompletions } = this.#settings;
    if (maxRequests !== undefined && this.#used.requests >= maxRequests) return 'max-requests';
    if (request.endpoint !== 'chat') return undefined;
    return maxCompletions !== undefined && this.#used.completions >= maxCompletions ? 'max-completions' : undefined;
  }

  add(request: SentRequest, attempt: Attempt): void {
    const { depth } = this.#settings.limits;
    const charged = request.endpoint === 'chat' && isAnswered(attempt, request, depth);
    this.#used = {
      requests: this.#used.requests + 1,
      completions: this.#used.completions + (charged ? 1 : 0),
      tokens: this.#used.tokens + (charged ? tokensOf(request, attempt, depth) : 0),
    };
  }
}

/** As the answer counts them; else as many as the request allowed. */
function tokensOf(request: SentRequest, { outcome }: Attempt, maxDepth: number): number {
  if (outcome.kind !== 'answer') return 0;
  const { answer } = outcome;
  const values =
    request.mode === 'stream'
      ? readChunks(answer, maxDepth).chunks.filter(({ hasUsage }) => hasUsage).map(chunkValue)
      : [jsonValue(answer, maxDepth)];
  for (const value of values.reverse()) {
    const usage = isObject(value) ? value['usage'] : undefined;
    const tokens = isObject(usage) ? usage['completion_tokens'] : undefined;
    if (typeof tokens === 'number' && tokens >= 0) return tokens;
  }
  return maxTokensOf(request.body) ?? 0;
}

function jsonValue(answer: { readonly body: Parameters<typeof readJson>[0] }, maxDepth: number): unknown {
  const reading = readJson(answer.body, maxDepth);
  return reading.kind === 'json' ? reading.value : undefined;
}

function maxTokensOf(body: string | undefined): number | undefined {
  const tokens = /"max_tokens":(\d+)/.exec(body ?? '')?.[1];
  return tokens === undefined ? undefined : Number(tokens);
}
