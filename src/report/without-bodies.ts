/** `--no-bodies`: the report without the target's texts. Models, statuses, numbers, lengths and standard names stay. */
import type { Ending } from '../exchange/ending.ts';
import type { Failure, Header } from '../exchange/exchange.ts';
import { isStandardHeader, isStandardValue } from '../exchange/reading/standard-headers.ts';
import { memberOf, parseJson, pointerOf, pointerTokens } from '../json.ts';
import { NO_BODIES } from '../settings/setting-names.ts';
import { dropQuotes } from '../text/quote.ts';
import { isStandardName } from '../text/standard-names.ts';
import { repeatUnshown } from './repeat/repeat-command.ts';
import type { AnswerReport, AttemptReport, CaseReport, ExchangeReport, FindingReport, Report } from './report.ts';
import { traitsOf } from './subject-traits.ts';

export const WITHHELD = '(left out by --no-bodies)';

export function withoutBodies(whole: Report): Report {
  const report = dropQuotes(whole);
  const own = new Set(report.exchanges.filter((exchange) => isOwnRequest(exchange, report)).map(({ id }) => id));
  const { provenance } = report;
  return {
    ...report,
    // The reader should know why texts are missing.
    provenance: { ...provenance, settings: { ...provenance.settings, [NO_BODIES]: true } },
    ending: withoutDetail(report.ending),
    cases: report.cases.map((testCase) => caseWithoutTexts(testCase, report, own)),
    exchanges: report.exchanges.map((exchange) => exchangeWithoutTexts(exchange, own.has(exchange.id))),
  };
}

/** Whether the request holds no words but ours and the id of the model: not a foreign one, nor that of another listed model. */
function isOwnRequest({ id, side, body, edits: own }: ExchangeReport, report: Report): boolean {
  const { cost, target, provenance, cases } = report;
  if (!traitsOf(report).isPlanned || side !== undefined || cost.most.requests === 0) return false;
  const model = memberOf(parseJson(body), 'model');
  const known = [target.model, provenance.settings['model'], provenance.settings['forbiddenModel']];
  if (typeof model !== 'string' || known.includes(model)) return true;
  const edits = cases.find(({ exchange }) => exchange === id)?.edits ?? own ?? [];
  // A placeholder is filled in with an id of the target's list.
  const isTheirs = (value: unknown): boolean => typeof value === 'string' && /\$\{\w*model\}/i.test(value);
  return edits.some((edit) => edit.kind === 'set' && edit.pointer === '/model' && !isTheirs(edit.value));
}

function caseWithoutTexts(testCase: CaseReport, report: Report, own: ReadonlySet<string>): CaseReport {
  const { repeat: shown, ...rest } = testCase;
  const isHidden = traitsOf(report).isPlanned && shown !== undefined && !own.has(rest.exchange ?? '');
  const repeat = isHidden ? repeatUnshown(report, testCase) : shown;
  return {
    ...rest,
    ...(repeat !== undefined && { repeat }),
    expectations: testCase.expectations.map((expectation) => {
      const { reason, findings } = expectation;
      const ended = reason?.kind === 'run-ended' && { reason: { ...reason, ending: withoutDetail(reason.ending) } };
      return { ...expectation, ...ended, findings: findings.map(findingWithoutNames) };
    }),
  };
}

function findingWithoutNames(finding: FindingReport): FindingReport {
  const { actual } = finding;
  return { ...withoutNames(finding), ...(actual.kind === 'secret' && { actual: withoutNames(actual) }) };
}

function withoutNames<Of extends { readonly pointer?: string }>(found: Of): Of {
  if (found.pointer === undefined) return found;
  const tokens = pointerTokens(found.pointer);
  return {
    ...found,
    pointer: pointerOf(tokens.map((token) => (/^\d+$/.test(token) || isStandardName(token) ? token : '…'))),
  };
}

function withoutDetail(ending: Ending): Ending {
  if (ending.kind === 'no-upstream-call') return { ...ending, others: [] };
  return ending.kind === 'unreachable' ? { ...ending, failure: failureWithoutTexts(ending.failure) } : ending;
}

/** TLS errors quote the certificate. */
function failureWithoutTexts(failure: Failure): Failure {
  return failure.kind === 'tls' ? { ...failure, detail: WITHHELD } : failure;
}

/** `isOwn`: the request is ours, so that it and the command that repeats it may be shown. */
function exchangeWithoutTexts({ body, repeat, ...exchange }: ExchangeReport, isOwn: boolean): ExchangeReport {
  return {
    ...exchange,
    ...(repeat !== undefined && isOwn && { repeat }),
    // The gateway wrote what arrives at the upstream.
    ...(exchange.side && { headers: headersWithoutTexts(exchange.headers) }),
    ...(body !== undefined && { body: isOwn ? body : WITHHELD }),
    attempts: exchange.attempts.map(attemptWithoutTexts),
  };
}

function attemptWithoutTexts({ failure, answer, ...attempt }: AttemptReport): AttemptReport {
  return {
    ...attempt,
    ...(failure && { failure: failureWithoutTexts(failure) }),
    ...(answer && { answer: answerWithoutTexts(answer) }),
  };
}

function headersWithoutTexts(headers: readonly Header[]): readonly Header[] {
  return headers.map(([name, value]) => [
    isStandardHeader(name) ? name : '…',
    isStandardValue(value) ? value : WITHHELD,
  ]);
}

function answerWithoutTexts({ stream, body, headers, ...answer }: AnswerReport): AnswerReport {
  const { end } = body;
  return {
    ...answer,
    headers: headersWithoutTexts(headers),
    body: { ...body, text: '', shown: 0, end: end.kind === 'undecodable' ? { ...end, detail: WITHHELD } : end },
    ...(stream && {
      stream: {
        ...stream,
        events: stream.events.map((each) => ({ ...each, ...(each.event !== undefined && { event: '…' }), data: '' })),
      },
    }),
  };
}
