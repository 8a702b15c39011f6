/**
 * Gets the description that a deployment publishes (part 9.8), from a file or a URL. Neither a key nor a header for the
 * API is sent for it, since it may be on an unrelated host.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Plan } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import { cannotRead, UsageError } from '../../usage-error.ts';
import { openConnections } from '../transport/dispatcher.ts';
import { type DescriptionProblem, formatProblem } from './description-problem.ts';
import { readDescription } from './read-description.ts';
import type { Received } from '../transport/received.ts';
import { ENCODINGS } from '../transport/decompression.ts';
import { Reception } from '../transport/reception.ts';
import type { Redactor } from '../secrets/redaction.ts';
import { ByteAllowance } from '../transport/collector.ts';
import type { Description } from '../traffic.ts';
import { WireTap } from '../transport/wire-tap.ts';

/** Undefined if no description was given, or if no case looks at it. */
export type DescriptionSource = (signal: AbortSignal) => Promise<Description | undefined>;

/**
 * Reads a file at once, and throws a UsageError if it is wrong. A URL is fetched only when the source is called, so that
 * a slow host neither delays the run nor disturbs its measurements. The key is not sent, but a description may contain it
 * as an example.
 */
export async function openDescription(
  { cases }: Plan,
  settings: Settings,
  redactor: Redactor,
): Promise<DescriptionSource> {
  const { openapi } = settings;
  if (openapi === undefined || !cases.some(({ needs }) => needs.includes('openapi'))) return async () => undefined;
  if (/^https?:\/\//i.test(openapi)) {
    const url = parseUrl(openapi);
    return (signal) => fetchDescription(url, settings, redactor, signal);
  }
  const description = await readFile(openapi, settings.limits, redactor);
  return async () => description;
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new UsageError(`Cannot fetch the description: ${text} is not a valid URL. Correct it.`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'The URL of the description contains a user name or a password, but no credentials are sent for it. Save the description and pass the file.',
      { code: 'KEY_EXPOSED' },
    );
  }
  return url;
}

async function readFile(file: string, limits: Settings['limits'], redactor: Redactor): Promise<Description> {
  let bytes: Uint8Array;
  try {
    if (statSync(file).size > limits.body)
      throw new UsageError('the description exceeds --max-body. Raise it.', { file });
    bytes = redactor.body(readFileSync(file)).value;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw cannotRead('the OpenAPI description', file, error);
  }
  const reading = await readDescription(bytes, limits);
  if (reading.kind === 'unreadable')
    throw new UsageError(`the description ${formatProblem(reading.problem)}.`, { file });
  return { kind: 'document', source: file, value: reading.value };
}

/** One attempt, without following redirects. */
async function fetchDescription(
  url: URL,
  settings: Settings,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<Description> {
  const received = await get(url, settings, signal);
  const unavailable = (problem: DescriptionProblem): Description => ({
    kind: 'unavailable',
    source: url.href,
    problem,
  });
  if (received.kind === 'none') return unavailable({ kind: 'no-answer', failure: received.failure.kind });
  const { status, end, bytes } = received.answer;
  if (status !== 200) return unavailable({ kind: 'status', status });
  if (end.kind === 'limit') return unavailable({ kind: 'limit', limit: end.limit });
  if (end.kind !== 'complete') return unavailable({ kind: end.kind });
  const reading = await readDescription(redactor.body(bytes).value, settings.limits);
  if (reading.kind === 'unreadable') return unavailable(reading.problem);
  return { kind: 'document', source: url.href, value: reading.value };
}

/** On a connection of its own, since it may be another host. */
async function get(url: URL, settings: Settings, signal: AbortSignal): Promise<Received> {
  const { limits, timeouts, userAgent } = settings;
  const tap = new WireTap(limits.headers);
  const { pool } = openConnections({ ...settings, baseUrl: url.origin, concurrency: 1 }, tap);
  const reception = new Reception({ tap, mode: 'plain', limits, timeouts, signal, room: new ByteAllowance(Infinity) });
  try {
    const headers = {
      'User-Agent': userAgent,
      Accept: 'application/json, application/yaml, */*;q=0.5',
      'Accept-Encoding': ENCODINGS.join(', '),
    };
    pool.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'GET', headers }, reception);
    return await reception.result;
  } finally {
    await pool.destroy();
  }
}
