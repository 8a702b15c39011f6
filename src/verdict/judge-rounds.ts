/** Runs a check on the answers of every round, and counts the answers that kept the clause and those that broke it. */

import { type Exchange, findHeader } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { chunkValue, readChunks } from '../exchange/reading/chunks.ts';
import { isObject, memberOf, parseJson } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { broken } from './finding.ts';
import { inconclusive } from './check-result.ts';
import { jsonOf } from './reading/answers.ts';
import { sortAnswers, worstJudgedResult } from './reading/each-exchange.ts';
import type { AnswerKind, Answers, CheckResult, CountedAnswers, Finding, Shared, Verdict } from './verdict.ts';

type Execute = (exchanges: readonly Exchange[]) => CheckResult;

/** Larger than any run. Beyond it, a recording is judged in parts, and its answers are counted by findings. */
const MAX_SORTED = 5_000;

/** Invalid keys were blocked in a later round: the target let no more of them in. */
const KEYS_BLOCKED = inconclusive('keys-blocked');

export interface Judged {
  readonly result: CheckResult;
  readonly answers?: Answers;
}

/**
 * `blocked`: exchanges that say nothing, because the target no longer looks at keys. `isUnsteady`: the unchanged request is
 * also refused intermittently: the change is to blame only if all of several are refused.
 */
export function judgeRounds(
  rounds: readonly (readonly Exchange[])[],
  { blocked, isUnsteady = false }: { readonly blocked: ReadonlySet<string>; readonly isUnsteady?: boolean },
  execute: Execute,
): Judged {
  const [only] = rounds;
  if (only && rounds.length === 1) {
    const first = execute(only);
    // One of many samples that could not be judged, such as one that timed out, says nothing about the others.
    const isClear = (exchange: Exchange): boolean =>
      exchange.round === undefined || execute([exchange]).kind !== 'inconclusive';
    const judged = first.kind === 'inconclusive' ? only.filter(isClear) : only;
    const result = judged.length === only.length ? first : execute(judged);
    const answers = countAnswers(result, judged, execute);
    const isProven = !isUnsteady || (answers?.kept.length === 0 && judged.length > 1);
    return isProven ? { result, ...(answers && { answers }) } : { result: withoutRefusal(result) };
  }
  const seen = rounds.map((exchanges) =>
    exchanges.some(({ id }) => blocked.has(id)) ? KEYS_BLOCKED : execute(exchanges),
  );
  const results = isUnsteady && seen.some(({ kind }) => kind === 'holds') ? seen.map(withoutRefusal) : seen;
  const exchangesWhere = (kind: CheckResult['kind']): readonly Exchange[] =>
    rounds.flatMap((each, place) => (results[place]?.kind === kind ? each.slice(-1) : []));
  const answers = { kept: exchangesWhere('holds'), broken: exchangesWhere('broken') };
  const isCounted = answers.kept.length + answers.broken.length > 0;
  return { result: combineResults(results, rounds.flat()), ...(isCounted && { answers }) };
}

/** The other answers may settle what a single one could not. A block is different: it keeps the rest from being asked. */
function combineResults(results: readonly CheckResult[], exchanges: readonly Exchange[]): CheckResult {
  const worst = worstJudgedResult(results, exchanges);
  return worst.kind !== 'broken' && results.includes(KEYS_BLOCKED) ? KEYS_BLOCKED : worst;
}

function withoutRefusal(result: CheckResult): CheckResult {
  return result.kind === 'broken' ? inconclusive('basis-unsteady') : result;
}

function countAnswers(result: CheckResult, exchanges: readonly Exchange[], execute: Execute): Answers | undefined {
  if (result.kind !== 'holds' && result.kind !== 'broken') return undefined;
  if (result.answers || exchanges.length === 0) return result.answers;
  if (result.kind === 'holds') return { kept: exchanges, broken: [] };
  if (exchanges.length === 1) return { kept: [], broken: exchanges };
  if (exchanges.length > MAX_SORTED) return undefined;
  return sortAnswers(
    exchanges,
    exchanges.map((exchange) => execute([exchange])),
  );
}

/** Adds what replaced attempts that got a 200 show. That they broke off is not a finding: the retry was answered. */
export function addReplaced(judged: Judged, replaced: readonly Exchange[], execute: Execute): Judged {
  const results = replaced.map((exchange) => execute([exchange]));
  const found = results.filter((result) => result.kind === 'broken');
  if (found.length === 0) return judged;
  const { result, answers } = judged;
  const findings = [...(result.kind === 'broken' ? result.findings : []), ...found.flatMap((each) => each.findings)];
  const added = sortAnswers(replaced, results);
  const kept = [...(answers?.kept ?? []), ...added.kept];
  const wrong = [...(answers?.broken ?? []), ...added.broken];
  return { result: broken(findings, replaced), answers: { kept, broken: wrong } };
}

/** A call of another model is another request, although its step is the same. */
function nameRequest({ step, occasion, number = 1 }: Exchange): string {
  const isTried = occasion === 'other-model' || occasion === 'second-try';
  return `${step}#${isTried ? number : 1}`;
}

type Counted = Pick<Verdict, 'answers' | 'mixed' | 'intermittent' | 'shared'>;

/** `isOneRequest`: all of them are answers to the same request, alone or as part of a combination. */
export function describeAnswers(
  answers: Answers | undefined,
  isOneRequest: boolean,
  findings: readonly Finding[] = [],
): Counted {
  if (!answers) return {};
  const { kept, broken: wrong } = answers;
  const both = { judged: kept.length + wrong.length, broken: wrong.length };
  if (kept.length === 0 || wrong.length === 0) return { answers: both };
  const isOnErrors = findings.some(({ status }) => status !== undefined);
  const counted = { answers: { ...both, ...(isOnErrors && { statuses: countByStatus(answers) }) } };
  const keeping = new Set(kept.map(nameRequest));
  if (!isOneRequest && !wrong.some((exchange) => keeping.has(nameRequest(exchange)))) {
    const kinds = kindsOf(kept);
    const mixed = [...kindsOf(wrong)].flatMap(([name, kind]) => (kinds.has(name) ? [kind] : []));
    const different = new Map(mixed.map((kind) => [JSON.stringify(kind), kind]));
    return { ...counted, ...(mixed.length > 0 && { mixed: [...different.values()] }) };
  }
  const shared = findSharedTraits(wrong, kept);
  return { ...counted, intermittent: true, ...(shared.length > 0 && { shared }) };
}

/** By the edit too: what is right without a field says nothing of a request that has it. */
function kindsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, AnswerKind> {
  const kinds = new Map<string, AnswerKind>();
  for (const exchange of exchanges) {
    const { endpoint, mode } = exchange.request;
    const status = lastAnswer(exchange)?.status;
    if (status === undefined) continue;
    kinds.set(JSON.stringify([endpoint, mode, status, nameEdit(exchange)]), { endpoint, mode, status });
  }
  return kinds;
}

/** The same for requests that differ only in the model and in what the messages say. */
function nameEdit({ request: { key, path, headers, body } }: Exchange): unknown {
  const sent = parseJson(body);
  if (!isObject(sent)) return [key, path, headers, body];
  const messages = sent['messages'];
  const forms = Array.isArray(messages)
    ? messages.map((message) => (isObject(message) ? { ...message, content: typeof message['content'] } : message))
    : messages;
  return [key, path, headers, { ...sent, model: typeof sent['model'], messages: forms }];
}

/** A refused key gets another body than a value out of range, so only answers with the same status are alike. */
function countByStatus({ kept, broken: wrong }: Answers): NonNullable<CountedAnswers['statuses']> {
  const statusOf = (exchange: Exchange): number | undefined => lastAnswer(exchange)?.status;
  const countOf = (exchanges: readonly Exchange[], status: number): number =>
    exchanges.filter((exchange) => statusOf(exchange) === status).length;
  const statuses = [...new Set(wrong.flatMap((exchange) => statusOf(exchange) ?? []))].toSorted((a, b) => a - b);
  return statuses.map((status) => {
    const count = countOf(wrong, status);
    return { status, judged: count + countOf(kept, status), broken: count };
  });
}

// What the answers with a fault have in common and the others do not: it may point to one replica of several.

/** Answers of each kind. Fewer may agree by chance. */
const ENOUGH = 3;

export function findSharedTraits(faulty: readonly Exchange[], right: readonly Exchange[]): readonly Shared[] {
  if (faulty.length < ENOUGH || right.length < ENOUGH) return [];
  return Object.entries(TRAITS).flatMap(([trait, traitOf]): readonly Shared[] => {
    const [value, ...others] = new Set(faulty.map(traitOf));
    if (value === undefined || others.length > 0 || right.some((exchange) => traitOf(exchange) === value)) return [];
    return [{ trait: trait as Shared['trait'], value: quoteText(value) }];
  });
}

const headerTrait = (name: string) => (exchange: Exchange) => {
  const answer = lastAnswer(exchange);
  return answer && findHeader(answer.headers, name);
};

const TRAITS: Record<Shared['trait'], (exchange: Exchange) => string | undefined> = {
  connection: ({ attempts }) => attempts.at(-1)?.connection?.toString(),
  'x-served-by': headerTrait('x-served-by'),
  server: headerTrait('server'),
  via: headerTrait('via'),
  system_fingerprint: (exchange) => textOf(replyOf(exchange), 'system_fingerprint'),
  model: ({ request }) => textOf(parseJson(request.body), 'model'),
};

/** The completion, or the first chunk of one. */
function replyOf(exchange: Exchange): unknown {
  const answer = lastAnswer(exchange);
  if (!answer) return undefined;
  if (exchange.request.mode === 'plain') return jsonOf(answer);
  const [first] = readChunks(answer).chunks;
  return first && chunkValue(first);
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
