/**
 * Gets the description that a deployment publishes (part 9.8), from a file or a URL. Neither a key nor a header for the
 * API is sent for it, since it may be on an unrelated host.
 */
import { readFileSync, statSync } from 'node:fs';
import { readForeignYaml } from '../../contract/yaml/foreign-yaml.ts';
import { isObject } from '../../json.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import { quoteText } from '../../text/quote.ts';
import { cannotRead, UsageError, usageError } from '../../usage-error.ts';
import { type JsonReading, readJson } from '../reading/json-text.ts';
import type { Redactor } from '../secrets/redaction.ts';
import type { Description } from '../traffic.ts';
import { createTransport } from '../transport/transport.ts';
import { type DescriptionProblem, formatProblem } from './description-problem.ts';

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
    return async (signal) => ({ ...(await fetchDescription(url, settings, redactor, signal)), source: url.href });
  }
  const description = await readFile(openapi, settings.limits, redactor);
  return async () => description;
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new UsageError(`Cannot fetch the description: ${text} is not a valid URL. Correct it.`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw usageError.KEY_EXPOSED(
      'The URL of the description contains a user name or a password, but no credentials are sent for it. Save the description and pass the file.',
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
  const read = await readDescription(bytes, limits);
  if (read.kind === 'unavailable') throw new UsageError(`the description ${formatProblem(read.problem)}.`, { file });
  return { ...read, source: file };
}

/** One attempt without a key, on a connection of its own, since it may be another host. No redirect is followed. */
async function fetchDescription(url: URL, settings: Settings, redactor: Redactor, signal: AbortSignal): Promise<Found> {
  const transport = createTransport({ ...settings, baseUrl: url.origin, headers: [] }, {}, { redactor });
  const path = url.pathname + url.search;
  const { outcome } = await transport.send({ ...REQUEST, path }, { signal }).finally(() => transport.close());
  if (outcome.kind === 'none') return unavailable({ kind: 'no-answer', failure: outcome.failure.kind });
  const { status, body } = outcome.answer;
  if (status !== 200) return unavailable({ kind: 'status', status });
  if (body.end.kind === 'limit') return unavailable({ kind: 'limit', limit: body.end.limit });
  if (body.end.kind !== 'complete') return unavailable({ kind: body.end.kind });
  return readDescription(body.bytes, settings.limits);
}

const REQUEST = {
  endpoint: 'other',
  mode: 'plain',
  method: 'GET',
  headers: { Accept: 'application/json, application/yaml, */*;q=0.5' },
  key: 'none',
} as const;

/** A description without its source. */
type Found = {
  [Kind in Description['kind']]: Omit<Extract<Description, { kind: Kind }>, 'source'>;
}[Description['kind']];

/** Parses JSON or YAML, with limits on size, depth, memory and time. */
async function readDescription(bytes: Uint8Array, limits: Settings['limits']): Promise<Found> {
  const reading = readBytes(bytes, limits);
  const beginning = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 1024));
  // Text that starts like JSON is meant to be JSON, whose error says more.
  if (reading.kind !== 'not-json' || /^\uFEFF?\s*[{[]/.test(beginning)) return toDescription(reading, limits);
  const yaml = await readForeignYaml(new TextDecoder().decode(bytes));
  if (yaml.kind === 'too-much') return unavailable({ kind: 'too-costly-yaml' });
  if (yaml.kind === 'not-yaml') return unavailable({ kind: 'not-json-or-yaml', detail: quoteText(yaml.detail) });
  const expanded = new TextEncoder().encode(yaml.text);
  if (expanded.length > limits.body) return unavailable({ kind: 'long-aliases' });
  return toDescription(readBytes(expanded, limits), limits);
}

function readBytes(bytes: Uint8Array, { depth }: Settings['limits']): JsonReading {
  return readJson({ bytes, reads: [], end: { kind: 'complete' }, maxDepth: depth });
}

function toDescription(reading: JsonReading, { depth }: Settings['limits']): Found {
  if (reading.kind === 'json' && isObject(reading.value)) return { kind: 'document', value: reading.value };
  const problems: Readonly<Record<JsonReading['kind'], DescriptionProblem>> = {
    json: { kind: 'not-an-object' },
    empty: { kind: 'empty' },
    'not-json': { kind: 'not-json', detail: quoteText('detail' in reading ? reading.detail : '') },
    'not-utf8': { kind: 'not-utf8' },
    'too-deep': { kind: 'too-deep', levels: depth },
    'too-many': { kind: 'too-many-values' },
  };
  return unavailable(problems[reading.kind]);
}

function unavailable(problem: DescriptionProblem): Found {
  return { kind: 'unavailable', problem };
}
