/**
 * The report for a reader who may take any text for an instruction: without a single text of the target's. `--no-bodies`
 * keeps the ids of models and the requests that name them. Here they go too.
 */
import type { Ending } from '../../exchange/ending.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import { repeatUnshown } from '../../report/repeat/repeat-command.ts';
import type { CaseReport, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { withoutBodies } from '../../report/without-bodies.ts';
import { isStandardName } from '../../text/standard-names.ts';

const HIDDEN = '…';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function withoutTargetText(report: Report): Report {
  const bare = withoutBodies(report);
  const { model: _model, client, ...target } = bare.target;
  return {
    ...bare,
    // The version is what a command of the client printed.
    target: { ...target, ...(client && { client: { name: client.name, command: client.command } }) },
    ending: endingWithoutNames(bare.ending),
    cases: bare.cases.map((testCase) => caseWithoutRequest(testCase, report)),
    exchanges: bare.exchanges.map((exchange) => exchangeWithoutRequest(exchange, report)),
  };
}

function endingWithoutNames(ending: Ending): Ending {
  if (ending.kind === 'no-upstream-call') return { ...ending, model: HIDDEN };
  return ending.kind === 'client-failed-control' ? { ...ending, calls: ending.calls.map(callWithoutNames) } : ending;
}

/** `POST /chat/completions` */
function callWithoutNames(call: string): string {
  const [method = '', path = ''] = call.split(' ');
  return `${standardMethod(method)} ${standardPath(path)}`;
}

/** The command that sends a case again has no body. Unlike a request that is pasted, it also judges the answer. */
function caseWithoutRequest(testCase: CaseReport, report: Report): CaseReport {
  const { repeat: shown, ...rest } = testCase;
  if (shown === undefined || !traitsOf(report).isPlanned) return testCase;
  const repeat = repeatUnshown(report, testCase);
  return { ...rest, ...(repeat !== undefined && { repeat }) };
}

/** A client, or a relay at its upstream, chose the method and the path. */
function exchangeWithoutRequest(
  { body: _body, repeat: _repeat, ...rest }: ExchangeReport,
  report: Report,
): ExchangeReport {
  if (!traitsOf(report).isCaller && rest.side === undefined) return rest;
  return { ...rest, method: standardMethod(rest.method), path: standardPath(rest.path) };
}

function standardMethod(method: string): string {
  return METHODS.has(method) ? method : HIDDEN;
}

function standardPath(path: string): string {
  return isStandardName(path) ? path : HIDDEN;
}
