/** What tells the root cause of one finding from that of another. */
import { memberOf, parseJson } from '../json.ts';
import type { CaseReport, ExpectationReport, FindingReport } from '../report/report.ts';
import type { ExchangeReport } from '../report/exchange-report.ts';
import { nameField } from '../verdict/actual.ts';
import { formOfClient } from './client-form.ts';
import { type KeyFault, KeyFaults } from './forms.ts';

interface Member {
  readonly verdict: string;
  readonly case: Pick<CaseReport, 'id' | 'client'>;
  readonly expectation: Pick<ExpectationReport, 'clause' | 'excused'>;
  readonly finding?: FindingReport;
}

/** By the root cause without it: the same error has the same fault, whichever key got it. */
export function keyFaultsOf(
  members: readonly Member[],
  cases: readonly CaseReport[],
  exchanges: ReadonlyMap<string, ExchangeReport>,
): ReadonlyMap<string, KeyFault> {
  const faults = new KeyFaults(cases, exchanges);
  const found = members.flatMap((member): readonly (readonly [string, KeyFault])[] => {
    const fault = member.finding && faults.faultOf(member.expectation.clause, member.finding);
    return fault === undefined ? [] : [[rootCause(member, exchanges), fault]];
  });
  // One key that is not looked at explains the error for all.
  return new Map([...found.filter(([, fault]) => fault === 'late'), ...found.filter(([, fault]) => fault === 'open')]);
}

/** What the other end of a relay sent in one call, which differs from call to call. */
const OF_CALL = ['upstream-text', 'client-text', 'upstream-value', 'client-value', 'retry-after'];

/** The limit that the client sent in one call. */
const LIMIT_OF_CALL: readonly FindingReport['mismatch'][] = ['token-limit', 'token-limit-absent'];

/** The expectation, without what differs from call to call. The text that a client has to return is one of a scenario. */
function expectedOf(testCase: Member['case'], finding: FindingReport): unknown {
  const { mismatch, expected } = finding;
  if (expected.kind === 'exact-text') return [expected.kind, formOfClient(testCase, finding)];
  return OF_CALL.includes(expected.kind) || LIMIT_OF_CALL.includes(mismatch) ? expected.kind : expected;
}

/** Findings that count never share an entry with excused ones. */
export function rootCause(
  { verdict, case: testCase, expectation: { clause, excused }, finding }: Member,
  exchanges: ReadonlyMap<string, ExchangeReport>,
  keyFault?: KeyFault,
): string {
  if (finding === undefined) return JSON.stringify([verdict, clause, excused]);
  const { mismatch, pointer = '', actualType, actual, waiver, since } = finding;
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  // A key is repeated whatever the error.
  const isAnyError = mismatch === 'echo' || keyFault !== undefined;
  const cause = isAnyError ? [] : errorBehind(finding, exchanges.get(finding.exchange));
  return JSON.stringify([
    verdict,
    clause,
    mismatch,
    place,
    expectedOf(testCase, finding),
    keyFault ?? actualType,
    nameField(actual),
    waiver,
    since,
    cause,
  ]);
}

/**
 * Status, type and code of an error answer stand for its cause. A wrong body is wrong whatever its status: the same code
 * writes them all.
 */
function errorBehind({ attempt, status }: FindingReport, exchange: ExchangeReport | undefined): readonly unknown[] {
  const answer = exchange?.attempts[attempt]?.answer;
  if (answer === undefined || answer.status < 400 || status !== undefined) return [];
  const error = memberOf(parseBody(answer.body), 'error');
  return [answer.status, memberOf(error, 'type'), memberOf(error, 'code')];
}

function parseBody({ text, bytes, shown }: { text: string; bytes: number; shown: number }): unknown {
  return shown < bytes ? undefined : parseJson(text);
}
