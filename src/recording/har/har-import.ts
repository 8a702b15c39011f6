/** Imports a HAR file of a browser, a proxy or Postman: every exchange with the two endpoints. */

import { loadContract } from '../../contract/read-contract.ts';
import { packageVersion } from '../../contract/package-files.ts';
import { requestIssues } from '../../contract/request-issues.ts';
import { type Attempt, type Exchange, findHeader, type Header, type SecretSeen } from '../../exchange/exchange.ts';
import { type Notice, type Unusable, UNUSABLE } from '../../exchange/notice.ts';
import { wasAnswered } from '../../exchange/reading/answered.ts';
import { createRedactor, type Redaction, type Redactor } from '../../exchange/secrets/redaction.ts';
import { KEY_PREFIX, knownPart, MIN_RUN_LENGTH, type Secret } from '../../exchange/secrets/secrets.ts';
import type { KeyFacts } from '../../exchange/traffic.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import type { SentKey } from '../../suite/case.ts';
import { usageError } from '../../usage-error.ts';
import type { RecordedItem, RecordedRun } from '../recording.ts';
import { type Credentials, credentialsIn, type HarCall, readEntries, readEntry } from './har-reading.ts';

/** What a HAR file has of one base URL. */
interface HarBase {
  /** The calls, with the number of their entries. */
  readonly calls: (readonly [number: number, call: HarCall])[];
  readonly unusable: Map<Unusable, number>;
}

/** `shown` is the path as the user wrote it. */
export async function openHar(path: string, shown = path): Promise<RecordedRun> {
  const entries = await readEntries(path, shown);
  const secrets = new HarSecrets();
  const bases = new Map<string, HarBase>();
  let others = 0;
  for (const [index, entry] of entries.entries()) {
    const credentials = credentialsIn(entry);
    secrets.add(credentials);
    const reading = readEntry(entry);
    if (reading.kind === 'other') {
      others += 1;
      continue;
    }
    const base = bases.get(reading.baseUrl) ?? { calls: [], unusable: new Map<Unusable, number>() };
    bases.set(reading.baseUrl, base);
    if (reading.kind === 'unusable') {
      base.unusable.set(reading.why, (base.unusable.get(reading.why) ?? 0) + 1);
      continue;
    }
    secrets.addKey(credentials);
    base.calls.push([index + 1, reading]);
  }
  // The most frequent base URL.
  const [first, ...rest] = [...bases].toSorted(([, a], [, b]) => b.calls.length - a.calls.length);
  if (!first) {
    throw usageError.FILE_INVALID(
      `${shown} has no exchange with this API: none of its ${entries.length} entries is a GET …/models or a POST …/chat/completions. Pass another file.`,
    );
  }
  const [baseUrl, { calls, unusable }] = first;
  const unused = [...unusable].map(([why, count]) => ({ why, count }));
  if (calls.length === 0)
    throw usageError.FILE_INVALID(
      `${shown} has nothing to judge: of its exchanges with ${baseUrl}, ${unused.map(({ why, count }) => `${count} ${UNUSABLE[why]}`).join(', ')}. Export it with bodies.`,
    );
  const notices: readonly Notice[] = [
    { kind: 'har', file: shown, judged: calls.length, entries: entries.length, baseUrl },
    ...(others > 0 ? [{ kind: 'har-other-apis', entries: others } as const] : []),
    ...rest.map(([other, base]) => ({ kind: 'har-other-base', exchanges: base.calls.length, baseUrl: other }) as const),
    ...(unused.length > 0 ? [{ kind: 'har-unusable', exchanges: unused } as const] : []),
  ];
  const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl };
  const { replyTokens, streamTokens } = settings;
  const startedAt = calls.reduce((least, [, call]) => Math.min(least, call.startedAt), Infinity);
  return {
    subject: 'gateway',
    file: shown,
    start: {
      tool: { name: 'wirecheck', version: packageVersion() },
      // The current one, since nothing was planned.
      contractHash: loadContract().hash,
      suiteHashes: {},
      settings,
      keys: secrets.keys,
      steps: {},
      startedAt,
    },
    items: () => importCalls(calls, secrets, startedAt),
    end: () => ({
      bindings: { sample: [], replyTokens, streamTokens, briefTokens: 1, withoutMaxTokens: false },
      ending: { kind: 'complete' },
      used: { requests: calls.length, completions: 0, tokens: 0 },
      notices: [],
      endedAt: calls.reduce((latest, [, call]) => Math.max(latest, call.startedAt + call.answer.endAt), 0),
    }),
    notices: () => notices,
  };
}

async function* importCalls(
  calls: HarBase['calls'],
  secrets: HarSecrets,
  startedAt: number,
): AsyncGenerator<RecordedItem> {
  const taken = new Set<string>();
  for (const [number, call] of calls) {
    const exchange = toExchange(call, `entry-${number}`, startedAt, secrets);
    // The first answered list and completion serve as the controls.
    const step = exchange.request.endpoint === 'models' ? STEPS.list : STEPS.control;
    const isValid = exchange.seeks === 'answer';
    const isControl = !taken.has(step) && isValid && exchange.request.mode === 'plain' && wasAnswered(exchange);
    if (isControl) taken.add(step);
    const { name: _, ...own } = exchange;
    yield { kind: 'exchange', exchange: isControl ? { ...own, id: step, step } : exchange, again: false };
  }
}

// Makes an exchange of an entry of a HAR file, without its secrets.

/** The step of an exchange that was not planned. */
const HAR_STEP = 'har';

/** `began`: when the first of all calls was sent. */
function toExchange(call: HarCall, id: string, began: number, secrets: HarSecrets): Exchange {
  const { request, answer } = call;
  const { redactor } = secrets;
  const seen = new Map<string, SecretSeen>();
  const sent = secrets.sentWith(request);
  const note = <Value>({ value, seen: found }: Redaction<Value>, place: SecretSeen['place']): Value => {
    for (const secret of found) {
      if (sent.has(secret.role)) seen.set(JSON.stringify([place, secret]), { ...secret, role: 'full', place });
    }
    return value;
  };
  const hide = (text: string): string => redactor.text(text).value;
  const body = { ...answer.body, bytes: note(redactor.body(Buffer.from(answer.body.bytes)), 'body') };
  const headers = answer.headers.map(([name, value]): Header => {
    const [, shown] = hideCredential([name, value]);
    return [name, shown === value ? note(redactor.text(value), 'header') : shown];
  });
  const attempt: Attempt = {
    sentAt: call.startedAt - began,
    pause: 0,
    outcome: { kind: 'answer', answer: { ...answer, headers, body } },
    secretsSeen: [...seen.values()],
  };
  return {
    id,
    step: HAR_STEP,
    name: id,
    seeks: breaksRule(call) ? 'refusal' : 'answer',
    request: {
      ...request,
      path: hide(request.path),
      headers: request.headers.map((header): Header => [header[0], hide(hideCredential(header)[1])]),
      ...(request.body !== undefined && { body: hide(request.body) }),
      key: keyOf(call, secrets),
    },
    attempts: [attempt],
  };
}

/** A key that got a 401 was not valid: a command with a valid one would not repeat the refusal. */
function keyOf({ request: { headers }, answer }: HarCall, secrets: HarSecrets): SentKey {
  if (!secrets.showsKeys || hasMaskedKey(headers)) return 'not-in-file';
  if (bearerOf(headers) === undefined) return 'none';
  return answer.status === 401 ? 'unknown' : 'full';
}

/** The answer to such a request says nothing about how valid ones are answered. */
function breaksRule({ request: { endpoint, body }, isBodyWhole }: HarCall): boolean {
  if (endpoint !== 'chat' || body === undefined || !isBodyWhole) return false;
  const contract = loadContract();
  return requestIssues(contract, body).some(({ clause }) => contract.clause(clause)?.level === 'must');
}

// Collects every credential in a HAR file as a secret, before any of its entries is used.

const KEY_HEADERS = new Set(['authorization', 'x-api-key', 'api-key']);
const CREDENTIAL_HEADERS = new Set([...KEY_HEADERS, 'proxy-authorization', 'cookie', 'set-cookie']);
const CREDENTIAL_QUERY = /^(?:api[-_]?key|key|token|access[-_]?token|auth)$/i;
/** Searching for more would take too long. */
const MAX_SECRETS = 2_000;

class HarSecrets {
  readonly #secrets = new Map<string, Secret>();
  #redactor: Redactor | undefined;
  #accepted: boolean | undefined;
  /** False if no request has the header of a key: browsers leave it out unless told otherwise. */
  showsKeys = false;

  /** Takes an entry of any API. */
  add({ headers, answerHeaders, path }: Credentials): void {
    this.showsKeys ||= headers.some(([name]) => KEY_HEADERS.has(name));
    for (const text of [...credentialsOf([...headers, ...answerHeaders], CREDENTIAL_HEADERS), ...queryOf(path)]) {
      this.#add(text);
    }
  }

  /** Roles of the secrets that a request was sent with: an answer that repeats one of them leaks it. */
  sentWith({ headers, path }: Pick<Credentials, 'headers' | 'path'>): ReadonlySet<string> {
    const all = [...credentialsOf(headers, KEY_HEADERS), ...queryOf(path)];
    const texts = all.filter((text) => !isPlaceholder(text));
    return new Set(texts.flatMap((text) => this.#secrets.get(secretPart(text))?.role ?? []));
  }

  /** Takes an exchange that is judged: whether its key was accepted. */
  addKey({ headers, status }: Credentials): void {
    const key = bearerOf(headers);
    if (key !== undefined && status >= 200 && status < 300)
      this.#accepted = (this.#accepted ?? true) && key.startsWith(KEY_PREFIX);
  }

  /** It is asked for when all entries were added. */
  get redactor(): Redactor {
    return (this.#redactor ??= createRedactor([...this.#secrets.values()]));
  }

  /** Browsers leave credentials out, so there may be no accepted key. */
  get keys(): readonly KeyFacts[] {
    return this.#accepted === undefined ? [] : [{ role: 'full', hasPrefix: this.#accepted }];
  }

  #add(value: string): void {
    const text = secretPart(value);
    if (text.length < MIN_RUN_LENGTH || this.#secrets.has(text)) return;
    this.#secrets.set(text, { role: `credential ${this.#secrets.size + 1}`, text, run: MIN_RUN_LENGTH });
    if (this.#secrets.size > MAX_SECRETS) {
      throw usageError.FILE_INVALID(
        `The HAR file has more than ${MAX_SECRETS.toLocaleString('en')} different credentials. Split it.`,
      );
    }
  }
}

/** Undefined for a placeholder. */
function bearerOf(headers: readonly Header[]): string | undefined {
  const key = writtenKey(headers);
  return key === undefined || isPlaceholder(key) ? undefined : key;
}

function hasMaskedKey(headers: readonly Header[]): boolean {
  const key = writtenKey(headers) ?? findHeader(headers, 'authorization');
  return key !== undefined && isPlaceholder(key);
}

function writtenKey(headers: readonly Header[]): string | undefined {
  const value = findHeader(headers, 'authorization') ?? '';
  return /^bearer +(\S.*)$/i.exec(value)?.[1]?.trim();
}

/** What people and tools replace a key with before they share a file. */
const PLACEHOLDERS = [
  /^(.)\1*$/u,
  /\*{3}|…|\.{3}/,
  /^(?:\[.*\]|<.*>|\$?\{.*\})$/,
  /^(?:sk-)?[\W_]*(?:redacted|filtered|hidden|removed|masked)[\W_]*$/i,
];

/** A placeholder that keeps the prefix of the key still tells enough about it. */
function isPlaceholder(key: string): boolean {
  return !key.startsWith(KEY_PREFIX) && PLACEHOLDERS.some((pattern) => pattern.test(key));
}

/** Blanks a credential in a header, except for its scheme and the common prefix of keys. */
function hideCredential([name, value]: Header): Header {
  if (!CREDENTIAL_HEADERS.has(name)) return [name, value];
  const scheme = name.endsWith('authorization') ? (/^[A-Za-z][\w-]* +(?=\S)/.exec(value)?.[0] ?? '') : '';
  const known = knownPart(value.slice(scheme.length));
  return [name, scheme + known + '*'.repeat(value.length - scheme.length - known.length)];
}

function credentialsOf(headers: readonly Header[], names: ReadonlySet<string>): readonly string[] {
  return headers.flatMap(([name, value]) => (names.has(name) ? partsOf(name, value) : []));
}

function queryOf(path: string): readonly string[] {
  const query = [...new URL(path, 'http://har').searchParams];
  return query.flatMap(([name, value]) => (CREDENTIAL_QUERY.test(name) ? [value] : []));
}

/** The value without the common prefix of keys. */
function secretPart(value: string): string {
  return value.slice(knownPart(value).length);
}

/** The key after its scheme; user and password of Basic; each value of a cookie. */
function partsOf(name: string, value: string): readonly string[] {
  if (name === 'cookie' || name === 'set-cookie') {
    const pairs = name === 'cookie' ? value.split(';') : value.split(';', 1);
    return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  }
  const credential = value.replace(/^[A-Za-z][\w-]* +(?=\S)/, '').trim();
  if (!/^basic /i.test(value)) return [credential];
  const decoded = Buffer.from(credential, 'base64').toString('utf8');
  return [credential, ...decoded.split(':')];
}
