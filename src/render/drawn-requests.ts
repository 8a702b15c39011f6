/** Drawn requests as text: what was sent, and of a sequence all requests up to the one that fails. */
import { drawnPathOf } from '../exchange/identity.ts';
import type { ExchangeReport } from '../report/exchange-report.ts';
import type { ExploredFinding } from '../report/explore-report.ts';
import { requestsOfFinding } from '../report/explored-requests.ts';
import type { Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';
import { pathUnder } from './request-text.ts';
import { visibleJson } from './visible-text.ts';

/** Characters of a body. */
const MOST_SHOWN = 400;
const MOST_BEFORE = 160;

/** The finding whose smallest request this is. What is wrong with a call at the upstream was drawn at the front. */
export function exploredAt(report: Report, exchange: string | undefined): ExploredFinding | undefined {
  const front = frontOf(report, exchange);
  return report.explore?.findings.find((finding) => finding.exchange === front);
}

function frontOf({ exchanges }: Report, exchange: string | undefined): string | undefined {
  return exchanges.find(({ id }) => id === exchange)?.cause ?? exchange;
}

/** What a control of an exploration sent: what already shows there is not shrunk. Undefined for any other request. */
export function formatControl(report: Report, exchange: string | undefined): ControlTexts | undefined {
  const front = frontOf(report, exchange);
  const sent = report.exchanges.find(({ id }) => id === front);
  if (!report.explore || !sent?.body || drawnPathOf(sent) !== undefined) return undefined;
  const { request } = formatDrawnRequests(report, { exchange: sent.id });
  return { request, drawn: 'not drawn: a control shows it, and so nothing was shrunk' };
}

interface ControlTexts {
  readonly request: string | undefined;
  readonly drawn: string;
}

interface DrawnTexts {
  /** The requests before it on its connection. */
  readonly before: string | undefined;
  readonly request: string | undefined;
}

export function formatDrawnRequests(report: Report, finding: Pick<ExploredFinding, 'exchange'>): DrawnTexts {
  const requests = requestsOfFinding(report.exchanges, finding);
  const failing = requests.at(-1);
  const before = requests.slice(0, -1);
  const root = pathUnder(report.target.baseUrl);
  const place = before.length === 0 ? '' : `request ${requests.length} of ${requests.length}, which fails: `;
  return {
    before: before.length === 0 ? undefined : before.map(formatEarlier).join('; '),
    request: failing && `${place}${inert(failing.method)} ${root}${inert(failing.path)}${formatBody(failing)}`,
  };
}

/** `request 1, body {"model":…}, answered with 200`. */
function formatEarlier(exchange: ExchangeReport, index: number): string {
  const { answer } = exchange.attempts.at(-1) ?? {};
  const outcome = answer ? `answered with ${answer.status}` : 'not answered';
  return `request ${index + 1}${formatBody(exchange, MOST_BEFORE)}, ${outcome}`;
}

/** Without bodies, nobody knows whether it had one. */
function formatBody({ body }: ExchangeReport, most = MOST_SHOWN): string {
  if (body === undefined) return '';
  return body === '' ? ', without a body' : `, body ${inert(visibleJson(body), most)}`;
}
