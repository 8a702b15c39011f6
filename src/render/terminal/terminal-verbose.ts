/** `--verbose`: every case with its verdict, its request and the answer, streams with their times. */
import type { CaseReport } from '../../report/report.ts';
import type { AttemptReport, ExchangeReport } from '../../report/exchange-report.ts';
import { LOOKS } from '../looks.ts';
import { clientFacts } from '../client-text.ts';
import { formatBodyEnd } from '../body-end-text.ts';
import { inert } from '../../text/inert.ts';
import { count, hang } from '../../text/layout.ts';
import type { Page, Section } from './page.ts';
import { ownVerdict } from '../own-verdict.ts';
import { pathUnder, formatRequest } from '../request-text.ts';

export function verboseSection(page: Page): Section {
  const { report, options, paint } = page;
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const root = pathUnder(report.target.baseUrl);
  const shown = new Set<string>();
  const lines = report.cases.flatMap((testCase) => {
    const exchange = testCase.exchange === undefined ? undefined : exchanges.get(testCase.exchange);
    const [first = '', ...rest] = hang(`${signOf(testCase)} ${testCase.id}  `, titleOf(testCase), options.width);
    const own =
      exchange === undefined || shown.has(exchange.id) ? [] : exchangeLines(exchange, testCase, root, options.width);
    if (exchange) shown.add(exchange.id);
    return [
      paint(LOOKS[ownVerdict(testCase).verdict].tone, first),
      ...rest,
      ...own,
      ...clientLines(testCase, options.width),
    ];
  });
  const others = report.exchanges.filter(({ id }) => !shown.has(id));
  if (others.length > 0) lines.push('', paint('strong', 'Requests of the run itself'));
  return [...lines, ...others.flatMap((exchange) => exchangeLines(exchange, undefined, root, options.width))];
}

/** A hyphen, which every terminal has. */
function signOf(testCase: CaseReport): string {
  const { verdict } = ownVerdict(testCase);
  return verdict === 'skipped' ? '-' : LOOKS[verdict].sign;
}

/** What a client said. */
function clientLines(testCase: CaseReport, width: number): readonly string[] {
  return clientFacts(testCase).flatMap(([label, value]) =>
    hang(`    ${label.padEnd(10)}`, inert(value.replaceAll('\n', ' '), 300), width),
  );
}

function titleOf(testCase: CaseReport): string {
  const { verdict, remark = verdict } = ownVerdict(testCase);
  return `${inert(testCase.title)} (${remark}${testCase.flaky ? ', flaky' : ''})`;
}

function exchangeLines(
  exchange: ExchangeReport,
  testCase: CaseReport | undefined,
  root: string,
  width: number,
): string[] {
  return [
    ...hang('    ', formatRequest(exchange, testCase, root), width),
    ...exchange.attempts.flatMap((attempt) => hang('      → ', formatOutcome(attempt), width)),
    ...exchange.attempts.flatMap((attempt) => timeline(attempt, width)),
  ];
}

function formatOutcome({ answer, failure, pause }: AttemptReport): string {
  const waited = pause > 0 ? ` (after a pause of ${Math.round(pause)} ms)` : '';
  if (answer) {
    const { body, status, endAt } = answer;
    const end = formatBodyEnd(body.end);
    const ended = end === undefined ? '' : `, ${end}`;
    return `${status} in ${Math.round(endAt)} ms, ${count(body.bytes, 'byte')}${ended}${waited}`;
  }
  return `no answer: ${failure ? `${failure.kind} (${inert(failure.code)})` : 'unknown'}${waited}`;
}

const MAX_TIMES = 12;

function timeline({ answer }: AttemptReport, width: number): string[] {
  if (!answer?.stream) return [];
  const { end, events, eventCount, reads } = answer.stream;
  const times = events.map(({ at }) => String(Math.round(at)));
  const shown = times.length > MAX_TIMES ? [...times.slice(0, MAX_TIMES - 1), '…', times.at(-1)] : times;
  const when = times.length === 0 ? '' : ` at ${shown.join(' ')} ms`;
  return hang(
    '        ',
    `${count(eventCount, 'event')} in ${count(reads.length, 'read')}${when}, ${end === 'aborted' ? 'not read further' : `ended: ${end}`}`,
    width,
  );
}
