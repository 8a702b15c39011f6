/** Validates the chunks of a stream once for all six clauses of their schema. */
import { MAX_CHOICES } from '../../../exchange/reading/choices.ts';
import { type Chunk, chunkValue } from '../../../exchange/reading/chunks.ts';
import type { Body } from '../../../exchange/exchange.ts';
import { isObject, memberOf } from '../../../json.ts';
import { itemsOf } from '../../reading/answers.ts';
import type { CheckInput, RunView } from '../../check.ts';
import { mergeFindings, issueFound } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import type { StreamView } from './stream-view.ts';

const SCHEMA = 'wire/chunk';

type ByClause = ReadonlyMap<string, readonly Finding[]>;

/** By body: parsed large streams are evicted early, while their findings are small. */
const known = new WeakMap<Body, ByClause>();

export function chunkFindings(stream: StreamView, run: RunView): ByClause {
  const { body } = stream.answer;
  const findings = known.get(body) ?? findingsOf(stream, run);
  known.set(body, findings);
  return findings;
}

function findingsOf({ exchange, chunks }: StreamView, { contract }: RunView): ByClause {
  const byClause = new Map<string, Finding[]>();
  const seen = new Map<string, { readonly place: number; readonly of: Finding[] }>();
  let isLastFine = false;
  for (const chunk of chunks.chunks) {
    // The schema says nothing about a text but that it is one.
    if (chunk.isAlike && isLastFine) continue;
    const issues = contract.validate(SCHEMA, boundedValue(chunk));
    isLastFine = issues.length === 0;
    for (const issue of issues) {
      const { clause, pointer, mismatch, actualType } = issue;
      // Counted here, since thousands of chunks may have the same fault; `mergeFindings` merges the rest.
      const key = `${clause} ${mismatch} ${actualType} ${pointer}`;
      const first = seen.get(key);
      if (first) {
        const { place, of } = first;
        of[place] = { ...of[place]!, more: of[place]!.more + 1 };
        continue;
      }
      const of = byClause.get(clause) ?? [];
      byClause.set(clause, of);
      seen.set(key, { place: of.length, of });
      of.push(issueFound(exchange, { ...issue, pointer: `/${chunk.index}${pointer}` }));
    }
  }
  return new Map([...byClause].map(([clause, findings]) => [clause, mergeFindings(findings, [exchange])]));
}

/** Whether a chunk has what the clause is about. */
export function couldBreak({ chunks }: StreamView, { clause, run }: CheckInput): boolean {
  return chunks.chunks.some((chunk) => run.contract.couldBreak(SCHEMA, clause, boundedValue(chunk)));
}

/** Without choices beyond the limit: a million of them would take minutes. */
function boundedValue(chunk: Chunk): unknown {
  const value = chunkValue(chunk);
  const choices = itemsOf(memberOf(value, 'choices'));
  if (!isObject(value) || choices.length <= MAX_CHOICES) return value;
  return { ...value, choices: choices.slice(0, MAX_CHOICES) };
}
