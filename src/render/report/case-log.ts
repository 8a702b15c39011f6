/** `--verbose`: every case with its verdict, its request and the answer, streams with their times. */
import type { AttemptReport, ExchangeReport } from '../../report/exchange-report.ts';
import type { CaseReport, Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { formatAttemptTime, formatBodyEnd, formatRequest, pathUnder } from '../request-text.ts';
import { clientFacts } from '../client-text.ts';
import type { Line, Part } from '../document/document.ts';
import { LOOKS, ownVerdict } from '../looks.ts';

export function caseLog(report: Report): readonly Part[] {
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const root = pathUnder(report.target.baseUrl);
  const shown = new Set<string>();
  const lines = report.cases.flatMap((testCase) => {
    const exchange = exchanges.get(testCase.exchange ?? '');
    const isNew = exchange !== undefined && !shown.has(exchange.id);
    if (exchange) shown.add(exchange.id);
    return [caseLine(testCase), ...(isNew ? exchangeLines(exchange, testCase, root) : []), ...clientLines(testCase)];
  });
  const others = report.exchanges
    .filter(({ id }) => !shown.has(id))
    .flatMap((exchange) => exchangeLines(exchange, undefined, root));
  return [
    [{ kind: 'lines', lines }],
    others.length === 0
      ? []
      : [
          { kind: 'heading', level: 3, text: 'Requests of the run itself' },
          { kind: 'lines', lines: others },
        ],
  ];
}

function caseLine(testCase: CaseReport): Line {
  const { verdict, remark = verdict } = ownVerdict(testCase);
  // A hyphen, which every terminal has.
  const sign = verdict === 'skipped' ? '-' : LOOKS[verdict].sign;
  return {
    lead: `${sign} ${inert(testCase.id)}  `,
    text: `${inert(testCase.title)} (${remark}${testCase.flaky ? ', flaky' : ''})`,
    tone: LOOKS[verdict].tone,
  };
}

/** What a client said. */
function clientLines(testCase: CaseReport): readonly Line[] {
  return clientFacts(testCase).map(([label, value]) => ({
    lead: `    ${label.padEnd(10)}`,
    text: inert(value.replaceAll('\n', ' '), 300),
  }));
}

function exchangeLines(exchange: ExchangeReport, testCase: CaseReport | undefined, root: string): readonly Line[] {
  return [
    { lead: '    ', text: formatRequest(exchange, testCase, root) },
    ...exchange.attempts.map((attempt) => ({ lead: '      → ', text: formatOutcome(attempt) })),
    ...exchange.attempts.flatMap(streamLines),
  ];
}

/** `200 in 35 ms, 120 bytes, cut` */
function formatOutcome(attempt: AttemptReport): string {
  const { answer, failure } = attempt;
  const end = answer && formatBodyEnd(answer.body.end);
  const more = answer
    ? [count(answer.body.bytes, 'byte'), ...(end === undefined ? [] : [end])]
    : [inert(failure?.code ?? '')];
  return [formatAttemptTime(attempt), ...more.filter((part) => part !== '')].join(', ');
}

const MAX_TIMES = 12;

function streamLines({ answer }: AttemptReport): readonly Line[] {
  if (!answer?.stream) return [];
  const { end, events, eventCount, reads } = answer.stream;
  const times = events.map(({ at }) => String(Math.round(at)));
  const shown = times.length > MAX_TIMES ? [...times.slice(0, MAX_TIMES - 1), '…', times.at(-1)] : times;
  const when = times.length === 0 ? '' : ` at ${shown.join(' ')} ms`;
  const ended = end === 'aborted' ? 'not read further' : `ended: ${end}`;
  return [
    { lead: '        ', text: `${count(eventCount, 'event')} in ${count(reads.length, 'read')}${when}, ${ended}` },
  ];
}
