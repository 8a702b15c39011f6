/**
 * Gets hold of the description that a deployment publishes (part 9.8): from a file, or from an address. No key goes with
 * it, nor any header meant for the API: it may lie on a host that has nothing to do with either.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Plan } from '../../plan/plan.ts';
import type { Keys, Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { openConnections } from '../transport/dispatcher.ts';
import type { BodyEnd, NoAnswer } from '../exchange.ts';
import { readDescription } from './read-description.ts';
import { Reception, type Received } from '../transport/reception.ts';
import { createRedactor, type Redactor } from '../secrets/redaction.ts';
import { Room } from '../transport/room.ts';
import { collectSecrets } from '../secrets/secrets.ts';
import type { Description } from '../traffic.ts';
import { WireTap } from '../transport/wire-tap.ts';

/** Hands over the description when it is wanted; nothing where none was named or no case looks at it. */
export type DescriptionSource = (signal: AbortSignal) => Promise<Description | undefined>;

/**
 * Looks at once at what the user named: a file is read, and a UsageError thrown where it cannot be. An address is asked
 * only when the source is called, so that a slow one holds up nothing and disturbs no measurement.
 */
export async function openDescription({ cases }: Plan, settings: Settings, keys: Keys): Promise<DescriptionSource> {
  const { openapi } = settings;
  if (openapi === undefined || !cases.some(({ needs }) => needs.includes('openapi'))) return async () => undefined;
  // The key is not sent here, but a description may hold it all the same, as an example.
  const redactor = createRedactor(collectSecrets(settings, keys).secrets);
  if (/^https?:\/\//i.test(openapi)) {
    const url = parseUrl(openapi);
    return (signal) => fetchDescription(url, settings, redactor, signal);
  }
  const description = await readFile(openapi, settings.limits, redactor);
  return async () => description;
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UsageError(`${text} is not an address that a description can be fetched from.`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'The address of the description holds a name or a password, but no credential is ever sent for it: save the description and name the file.',
    );
  }
  return url;
}

async function readFile(file: string, limits: Settings['limits'], redactor: Redactor): Promise<Description> {
  let bytes: Uint8Array;
  try {
    if (statSync(file).size > limits.body) throw new UsageError('the description is larger than max-body.', { file });
    bytes = redactor.body(readFileSync(file)).value;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The description ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const reading = await readDescription(bytes, limits);
  if (reading.kind === 'unreadable') throw new UsageError(`the description ${reading.reason}.`, { file });
  return { kind: 'document', source: file, value: reading.value };
}

/** One attempt, and no redirect: what is published somewhere else has to be named there. */
async function fetchDescription(
  url: URL,
  settings: Settings,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<Description> {
  const received = await get(url, settings, signal);
  const unavailable = (reason: string): Description => ({ kind: 'unavailable', source: url.href, reason });
  if (received.kind === 'none') return unavailable(NO_ANSWER_IN_WORDS[received.failure.kind]);
  const { status, end, bytes } = received.answer;
  if (status >= 300 && status < 400) {
    return unavailable(`was answered with a redirect (${status}), which is not followed: name the final address`);
  }
  if (status !== 200) return unavailable(`was answered with status ${status}`);
  if (end.kind !== 'complete') return unavailable(ENDS_IN_WORDS[end.kind](end));
  const reading = await readDescription(redactor.body(bytes).value, settings.limits);
  if (reading.kind === 'unreadable') return unavailable(reading.reason);
  return { kind: 'document', source: url.href, value: reading.value };
}

/** On a connection of its own: it need not be the host of the API. */
async function get(url: URL, settings: Settings, signal: AbortSignal): Promise<Received> {
  const { limits, timeouts, userAgent } = settings;
  const tap = new WireTap(limits.headers);
  const { pool } = openConnections({ ...settings, baseUrl: url.origin, concurrency: 1 }, tap);
  const reception = new Reception({ tap, mode: 'plain', limits, timeouts, signal, room: new Room(Infinity) });
  try {
    const headers = {
      'User-Agent': userAgent,
      Accept: 'application/json, application/yaml, */*;q=0.5',
      'Accept-Encoding': 'gzip, deflate, br',
    };
    pool.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'GET', headers }, reception);
    return await reception.result;
  } finally {
    await pool.destroy();
  }
}

/** Each to stand behind "the description". */
const NO_ANSWER_IN_WORDS: Record<NoAnswer, string> = {
  refused: 'could not be fetched: no connection to its host',
  unresolved: 'could not be fetched: the name of its host is not known',
  tls: 'could not be fetched: no secure connection to its host',
  closed: 'could not be fetched: the connection was closed without an answer',
  timeout: 'did not come within the time allowed',
  'not-http': 'could not be fetched: the answer was not HTTP',
  limit: 'could not be fetched: the head of the answer went beyond the limits',
  aborted: 'was not fetched: the run was over',
};

const ENDS_IN_WORDS: {
  readonly [Kind in Exclude<BodyEnd['kind'], 'complete'>]: (end: BodyEnd) => string;
} = {
  cut: () => 'broke off on its way',
  limit: (end) => `went beyond the limit set by ${'limit' in end ? end.limit : 'a setting'}`,
  undecodable: () => 'does not decompress as its Content-Encoding says',
  aborted: () => 'was not fetched to its end: the run was over',
};
