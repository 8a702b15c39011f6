/** Counts what a run has used. Its budget, which several runs may share, stops it before it exceeds its bounds. */
import { hasErrorMember, type Json, memberOf } from '../../json.ts';
import type { Cost } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import { firstText, REASONING_FIELDS, TEXT_FIELDS } from '../reading/choices.ts';
import { type ChunkReading, chunkValue, readChunks } from '../reading/chunks.ts';
import { textTimes } from '../reading/looks-fake.ts';
import { type Silence, SilenceWatch } from '../ending-unanswered.ts';
import type { Answer, Attempt, SentRequest } from '../exchange.ts';
import { isPageOrEmpty, valueIn } from '../reading/page-or-empty.ts';

/** A place in the budget for one request until it is over, or the setting that forbids it. */
export type Reservation =
  | { readonly kind: 'reserved'; release(): void }
  | { readonly kind: 'forbidden'; readonly setting: 'max-requests' | 'max-completions' };

export class Budget {
  readonly #limits: Pick<Settings, 'maxRequests' | 'maxCompletions'>;
  /** Aborts when the time is over; absent if each run has a limit of its own only. */
  readonly time?: AbortSignal;
  #requests = 0;
  #completions = 0;
  #requestsUnderWay = 0;
  /** Chats under way, any of which may be charged. */
  #chatsUnderWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: Pick<Settings, 'maxRequests' | 'maxCompletions'>, time?: AbortSignal) {
    this.#limits = limits;
    if (time) this.time = time;
  }

  /**
   * Called before a request is sent. Waits while requests under way decide whether anything is left.
   * `kept`: completions that this request has to leave to others.
   */
  async reserve({ endpoint }: Pick<SentRequest, 'endpoint'>, kept = 0): Promise<Reservation> {
    const chats = endpoint === 'chat' ? 1 : 0;
    const { maxRequests = Infinity, maxCompletions: given = Infinity } = this.#limits;
    const maxCompletions = given - kept;
    for (;;) {
      if (this.#requests + this.#requestsUnderWay >= maxRequests) {
        return { kind: 'forbidden', setting: 'max-requests' };
      }
      if (chats === 0 || this.#completions + this.#chatsUnderWay < maxCompletions) break;
      if (this.#completions >= maxCompletions) return { kind: 'forbidden', setting: 'max-completions' };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#requestsUnderWay += 1;
    this.#chatsUnderWay += chats;
    return {
      kind: 'reserved',
      release: () => {
        this.#requestsUnderWay -= 1;
        this.#chatsUnderWay -= chats;
        for (const wake of this.#waiting.splice(0)) wake();
      },
    };
  }

  /** One request was sent. */
  spend(completions: number): void {
    this.#requests += 1;
    this.#completions += completions;
  }
}

export class Ledger {
  readonly #budget: Budget;
  used: Cost = { requests: 0, completions: 0, tokens: 0 };
  /** Requests whose connection was refused. */
  refused = 0;
  #kept = 0;
  /** Whether a request was not sent because it might have exceeded `--max-completions`. What is free is sent all the same. */
  hasLeftOut = false;
  readonly #watch = new SilenceWatch();

  /** `budget`: that of several runs, if they share one. */
  constructor(settings: Settings, budget = new Budget(settings)) {
    this.#budget = budget;
  }

  /** What is known if the run ends now. */
  get silence(): Silence {
    return this.#watch.silence;
  }

  /** Leaves one completion of the limit to requests that must be refused, or no longer does. */
  keepOne(isKept: boolean): void {
    this.#kept = isKept ? 1 : 0;
  }

  /** `isFree`: it must be refused, so that a conforming target charges nothing. */
  async reserve(request: Pick<SentRequest, 'endpoint'>, isFree = false): Promise<Reservation> {
    const place = await this.#budget.reserve(request, isFree ? 0 : this.#kept);
    if (place.kind === 'forbidden' && place.setting === 'max-completions') this.hasLeftOut = true;
    return place;
  }

  /** Adds a request that the end of the run cut short: the target may charge it all the same. */
  addCutShort(request: SentRequest, attempt: Attempt): void {
    this.add(request, attempt);
    this.#watch.noteEnd(attempt);
  }

  add(request: SentRequest, attempt: Attempt): void {
    this.#watch.note(request, attempt);
    const charged = request.endpoint === 'chat' && isCharged(request, attempt);
    this.#budget.spend(charged ? 1 : 0);
    if (attempt.outcome.kind === 'none' && attempt.outcome.failure.kind === 'refused') this.refused += 1;
    this.used = {
      requests: this.used.requests + 1,
      completions: this.used.completions + (charged ? 1 : 0),
      // A target may claim any number of tokens.
      tokens: Math.min(Number.MAX_SAFE_INTEGER, this.used.tokens + (charged ? tokensOf(request, attempt) : 0)),
    };
  }
}

/**
 * Any success of which something came, whatever its form and however it ended, unless it is an error in disguise, a web page
 * or an empty object or list: those took no model.
 */
function isCharged({ mode }: SentRequest, { outcome }: Attempt): boolean {
  if (outcome.kind !== 'answer' || outcome.answer.status < 200 || outcome.answer.status > 299) return false;
  const { answer } = outcome;
  if (answer.body.end.kind === 'undecodable') return true;
  const value = valueIn(answer);
  const isError = hasErrorMember(value) && memberOf(value, 'choices') === undefined;
  if (isError || isPageOrEmpty(answer)) return false;
  if (mode === 'plain') return answer.body.bytes.length > 0;
  const { form, errors, choices } = readChunks(answer);
  return form !== 'nothing' && (errors.length === 0 || choices.length > 0);
}

/** The tokens that the answer states, or else the maximum of a plain request. A stream, or what has no maximum, counts by its text. */
function tokensOf(request: SentRequest, { outcome }: Attempt): number {
  if (outcome.kind !== 'answer') return 0;
  const { answer } = outcome;
  const values =
    request.mode === 'stream'
      ? readChunks(answer)
          .chunks.filter(({ hasUsage }) => hasUsage)
          .map(chunkValue)
      : [valueIn(answer)];
  for (const value of values.toReversed()) {
    const tokens = memberOf(memberOf(value, 'usage'), 'completion_tokens');
    if (Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number;
  }
  const limit = maxTokensOf(request.body);
  if (request.mode === 'plain') return limit ?? tokensOfReply(answer);
  return Math.min(limit ?? Number.POSITIVE_INFINITY, tokensOfStream(readChunks(answer)));
}

/** Characters of a token, on average. */
const TOKEN_LENGTH = 4;

/** Most gateways send a token in each piece; a piece may also have several. */
function tokensOfStream(reading: ChunkReading): number {
  const pieces = reading.choices.flatMap(({ text, reasoning }) => [...text, ...reasoning]);
  return Math.max(textTimes(reading).length, estimateTokens(pieces.map(({ text }) => text)));
}

function tokensOfReply(answer: Answer): number {
  const choices = memberOf(valueIn(answer), 'choices');
  const messages = Array.isArray(choices) ? choices.map((choice: Json) => memberOf(choice, 'message')) : [];
  return estimateTokens(
    messages.flatMap((message) => [firstText(message, TEXT_FIELDS), firstText(message, REASONING_FIELDS)]),
  );
}

function estimateTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / TOKEN_LENGTH);
}

function maxTokensOf(body: string | undefined): number | undefined {
  const tokens = /"max_tokens":(\d+)/.exec(body ?? '')?.[1];
  return tokens === undefined ? undefined : Number(tokens);
}
