/** Parses a description in JSON or YAML, with limits on size, depth, memory and time. */
import { readForeignYaml } from '../../contract/yaml/foreign-yaml.ts';
import { isObject, type Json } from '../../json.ts';
import type { Settings } from '../../settings.ts';
import { quoteText } from '../../text/quote.ts';
import type { Body } from '../exchange.ts';
import { type JsonReading, readJson } from '../reading/json-text.ts';
import type { DescriptionProblem } from './description-problem.ts';

export type DescriptionReading =
  | { readonly kind: 'document'; readonly value: Json }
  | { readonly kind: 'unreadable'; readonly problem: DescriptionProblem };

type Limits = Pick<Settings['limits'], 'body' | 'depth'>;

export async function readDescription(bytes: Uint8Array, limits: Limits): Promise<DescriptionReading> {
  const reading = readBytes(bytes, limits);
  // Text that starts like JSON is meant to be JSON, whose error says more.
  if (reading.kind !== 'not-json' || startsLikeJson(bytes)) return toDocument(reading, limits);
  const yaml = await readForeignYaml(new TextDecoder().decode(bytes));
  if (yaml.kind === 'too-much') return unreadable({ kind: 'too-costly-yaml' });
  if (yaml.kind === 'not-yaml') return unreadable({ kind: 'not-json-or-yaml', detail: quoteText(yaml.detail) });
  const expanded = new TextEncoder().encode(yaml.text);
  if (expanded.length > limits.body) return unreadable({ kind: 'long-aliases' });
  return toDocument(readBytes(expanded, limits), limits);
}

function readBytes(bytes: Uint8Array, { depth }: Limits): JsonReading {
  const body: Body = { bytes, reads: [], end: { kind: 'complete' }, maxDepth: depth };
  return readJson(body);
}

function startsLikeJson(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*[{[]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 1024)));
}

function toDocument(reading: JsonReading, { depth }: Limits): DescriptionReading {
  switch (reading.kind) {
    case 'json':
      if (!isObject(reading.value)) return unreadable({ kind: 'not-an-object' });
      return { kind: 'document', value: reading.value };
    case 'empty':
      return unreadable({ kind: 'empty' });
    case 'not-json':
      return unreadable({ kind: 'not-json', detail: quoteText(reading.detail) });
    case 'not-utf8':
      return unreadable({ kind: 'not-utf8' });
    case 'too-deep':
      return unreadable({ kind: 'too-deep', levels: depth });
    case 'too-many':
      return unreadable({ kind: 'too-many-values' });
  }
}

function unreadable(problem: DescriptionProblem): DescriptionReading {
  return { kind: 'unreadable', problem };
}
