/** OpenAPI descriptions that differ from ours, and how they are judged. */
import { loadReferenceDescription } from '../../src/contract/published-schemas.ts';
import { type Json, pointerTokens } from '../../src/json.ts';
import { checkInput } from './exchanges.ts';
import type { CheckResult } from '../../src/verdict/verdict.ts';
import { openapi } from '../../src/verdict/checks/openapi.ts';

export const CLAUSES = ['version', 'interface-version', 'operations', 'bearer', 'agrees'] as const;

export type Clause = (typeof CLAUSES)[number];

export type Changes = Readonly<Record<string, Json | undefined>>;

/** Our own description with some places set anew; `undefined` takes one away. */
export function described(changes: Changes): Json {
  const document = structuredClone(loadReferenceDescription()) as Record<string, unknown>;
  for (const [pointer, value] of Object.entries(changes)) {
    const tokens = pointerTokens(pointer);
    const last = tokens.pop() ?? '';
    let here = document;
    for (const token of tokens) here = (here[token] ??= {}) as Record<string, unknown>;
    if (value === undefined) delete here[last];
    else here[last] = value;
  }
  return document as Json;
}

export function judge(value: Json, clause: Clause): CheckResult {
  const description = { kind: 'document', source: 'openapi.yaml', value } as const;
  return openapi.execute(
    checkInput([], {
      options: { part: clause === 'agrees' ? 'agreement' : clause },
      run: { traffic: { description } },
    }),
  );
}

export function brokenClauses(value: Json): readonly Clause[] {
  return CLAUSES.filter((clause) => judge(value, clause).kind === 'broken');
}

export function pointersOf(result: CheckResult): readonly (string | undefined)[] {
  return result.kind === 'broken' ? result.findings.map(({ pointer }) => pointer) : [];
}

export const POST = '/paths/~1chat~1completions/post';

export const GET = '/paths/~1models/get';

export const SCHEMAS = '/components/schemas';

export const REQUEST = `${SCHEMAS}/ChatCompletionRequest`;

export const FIELDS = `${REQUEST}/properties`;

export const ANSWER = `${SCHEMAS}/ChatCompletionResponse/properties`;

/** Our own description of the chat endpoint. */
export const post = structuredClone(
  (loadReferenceDescription() as Record<string, Record<string, Record<string, Json>>>)['paths']?.[
    '/chat/completions'
  ]?.['post'],
) as Json;
