/** Notices, reasons, expectations, actual values and observed facts of each kind, with every part filled in, from the schemas. */
import { type FileSchemaName, fileSchema } from '../../src/contract/file-schema.ts';
import type { Notice } from '../../src/exchange/notice.ts';
import type { Quote } from '../../src/text/quote.ts';
import type { Actual } from '../../src/verdict/actual.ts';
import type { Expected } from '../../src/verdict/expected.ts';
import type { ObservedFact } from '../../src/verdict/observation.ts';
import type { Reason } from '../../src/verdict/reason.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
}

interface File {
  readonly $id: string;
  readonly $defs: Readonly<Record<string, Schema>>;
}

const FILES = (['report', 'traffic'] as const).map((name: FileSchemaName) => JSON.parse(fileSchema(name)) as File);

/** The target's words, unlike any name of a field: a sentence that has them outside quotes is found. */
export const QUOTED = 'quoted-words';
const QUOTE: Quote = { quote: QUOTED, length: 400, isCut: true };

export const NOTICES = oneOfEach('Notice') as readonly Notice[];
export const REASONS = oneOfEach('Reason') as readonly Reason[];
export const EXPECTATIONS = oneOfEach('Expected') as readonly Expected[];
export const ACTUALS = oneOfEach('Actual') as readonly Actual[];
export const OBSERVED_FACTS = oneOfEach('ObservedFact') as readonly ObservedFact[];

function oneOfEach(name: string): readonly object[] {
  return samplesOf(findDefinition(name)) as readonly object[];
}

function findDefinition(name: string): Schema {
  const found = FILES.map(({ $defs }) => $defs[name]).find((definition) => definition !== undefined);
  if (!found) throw new Error(`No schema defines ${name}.`);
  return found;
}

/** At least one, and one with each word and each kind that a part may have. */
function samplesOf(schema: Schema): readonly unknown[] {
  const { $ref, const: constant, enum: values, properties, items, oneOf, then } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return name === 'Quote' ? [QUOTE] : samplesOf(findDefinition(name));
  }
  if (constant !== undefined) return [constant];
  if (values) return values;
  if (oneOf) return oneOf.flatMap(samplesOf);
  if (then) return samplesOf(then);
  if (properties) return objectsOf(properties);
  return items ? samplesOf(items).map((item) => [item]) : [sampleOfType(schema)];
}

function objectsOf(properties: Readonly<Record<string, Schema>>): readonly object[] {
  const parts = Object.entries(properties).map(([name, part]) => ({ name, samples: samplesOf(part) }));
  const first = Object.fromEntries(parts.map(({ name, samples }) => [name, samples[0]]));
  return [
    first,
    ...parts.flatMap(({ name, samples }) => samples.slice(1).map((other) => ({ ...first, [name]: other }))),
  ];
}

function sampleOfType({ type = [], minimum = 1 }: Schema): unknown {
  const types = [type].flat();
  if (types.includes('string')) return 'x';
  if (types.includes('boolean')) return true;
  return Math.max(minimum, 2);
}
