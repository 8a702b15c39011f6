/** The facts of a run, one line each: cost, time, tolerance, flaky answers, observations, and clauses not tested. */
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count, groupDigits, hang, listFirst } from '../../text/layout.ts';
import { formatObservations } from '../../verdict/observation.ts';
import { flakyCases } from '../flaky-text.ts';
import { countNotTested, notTestedByRemedy } from '../not-tested.ts';
import { otherContractOfBaseline } from '../excused.ts';
import { formatUntested } from '../explore-text.ts';
import { listObserved } from '../observed.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { formatRequest, pathUnder } from '../request-text.ts';
import { formatRequests, formatRetries, formatTimeSpent, range, seconds } from '../totals.ts';
import type { Page, Section } from './page.ts';

const LABEL = 12;
const MAX_CASES = 3;
const MAX_REMEDIES = 5;

/** Without a label, it goes on with the line before. */
export function factLine({ options }: Page, label: string, text: string): Section {
  return hang((label === '' ? '' : `${label}:`).padEnd(LABEL), text, options.width);
}

/** On one line, so that it can be copied. */
export function commandLine(label: string, command: string): Section {
  return [`${label}:`.padEnd(LABEL) + command];
}

export function costLine(page: Page): Section {
  const { report, options } = page;
  const { used, least, most } = report.cost;
  const unpaid = traitsOf(report).cost?.(formatRequests(report));
  if (unpaid) return factLine(page, unpaid.label, unpaid.text);
  // A foreign recording: nothing was planned, and its cost is unknown.
  if (most.requests === 0) return factLine(page, 'Recorded', count(used.requests, 'request'));
  const hasPlan = options.detail === 'verbose';
  const part = (name: 'requests' | 'completions' | 'tokens', noun: string, more = '') =>
    `${count(used[name], noun)}${more}${hasPlan ? ` (planned ${range(least[name], most[name])})` : ''}`;
  // Those of a stream without usage are estimated.
  const tokens = `${used.tokens > 0 ? 'about ' : ''}${part('tokens', 'token')}`;
  const parts = [
    part('requests', 'request'),
    part('completions', 'completion', ` charged${leftEarly(report)}`),
    tokens,
  ];
  return factLine(page, 'Cost', `${parts.join(', ')}${besides(report)}${overrun(report)}`);
}

/** Under load, clients leave on purpose. The target may charge them though nothing of the completion came. */
function leftEarly({ load }: Report): string {
  const left = (load?.stages ?? [])
    .flatMap(({ kinds }) => kinds)
    .filter(({ kind }) => kind === 'plain' || kind === 'stream')
    .reduce((sum, { outcomes }) => sum + outcomes.left, 0);
  return left === 0 ? '' : ` (up to ${groupDigits(left)} more if those that clients left are)`;
}

/** They are sent before the run, and no budget limits them. */
function besides({ provenance: { settings } }: Report): string {
  return settings['waitFor'] === undefined ? '' : ', besides requests of --wait-for';
}

/** The plan cannot count replies that nothing or only time limits. */
function overrun({ cost: { used, most } }: Report): string {
  if (used.tokens <= most.tokens) return '';
  return `; the plan was at most ${groupDigits(most.tokens)}, not counting replies to requests without a valid max_tokens`;
}

/** What it was judged by; with `--verbose` only, since it matters to those who compare reports. */
export function editionLine(page: Page): Section {
  const { edition, editionDigest = '' } = page.report;
  if (edition === undefined || page.options.detail !== 'verbose') return [];
  return factLine(page, 'Edition', `${inert(edition, 40)} ${inert(editionDigest)}`.trimEnd());
}

/** Split between target and checker if known; with `--verbose`, also the slowest requests. */
export function timeLines(page: Page): Section {
  const { report, options } = page;
  const { time, provenance } = report;
  if (!time) {
    return factLine(page, 'Time', seconds(Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt)));
  }
  const slowest = options.detail === 'verbose' ? time.slowest : [];
  return [
    ...factLine(page, 'Time', formatTimeSpent(time)),
    ...slowest.flatMap(({ exchange, time: took }, place) =>
      hang(
        (place === 0 ? 'Slowest:' : '').padEnd(LABEL),
        `${Math.round(took)} ms  ${formatExchange(report, exchange)}`,
        options.width,
      ),
    ),
  ];
}

function formatExchange(report: Report, id: string): string {
  const exchange = report.exchanges.find((candidate) => candidate.id === id);
  const sender = report.cases.find((testCase) => testCase.exchange === id);
  return exchange ? formatRequest(exchange, sender, pathUnder(report.target.baseUrl)) : inert(id);
}

/** Unknown fields in both directions: ignored in requests, added to answers. Of a gateway's front only. */
export function toleranceLine(page: Page): Section {
  const { report, options } = page;
  if (!traitsOf(report).isPlanned) return [];
  const { unknownRequestFields: sent, unknownAnswerFields: extra } = report.tolerance;
  const requests =
    sent.asked === 0
      ? `unknown request fields were ${formatUntested(report)}`
      : `${sent.ignored} of ${sent.asked} cases with unknown request fields answered`;
  if (!extra) return factLine(page, 'Tolerance', `${requests}; extra fields in answers were not looked for`);
  const fields = formatObservations(extra).map((field) => inert(field, 80));
  const list = options.detail === 'verbose' && extra.length > 0 ? `: ${fields.join(', ')}` : '';
  const answers = extra.length === 0 ? 'no extra fields' : count(extra.length, 'extra field');
  return factLine(page, 'Tolerance', `${requests}; ${answers} in answers${list}`);
}

/** The contract, where it is not v1 as it is: each change with its reason. */
export function profileLines(page: Page): Section {
  const { profile } = page.report;
  if (!profile) return [];
  return [
    ...factLine(page, 'Contract', inert(formatProfile(profile), 300)),
    ...listChanges(profile).flatMap(({ what, why }) =>
      hang(' '.repeat(LABEL), `${inert(what, 600)}. ${inert(why, 600)}`, page.options.width),
    ),
  ];
}

/** Findings by another contract may be new or gone for that reason alone. */
export function baselineLine(page: Page): Section {
  const words = otherContractOfBaseline(page.report);
  const file = page.report.baseline?.file ?? '';
  return words === undefined ? [] : factLine(page, 'Baseline', `${inert(file, 300)}. ${words}`);
}

/** Only if something was retried: the share says more about the target than any single retry. */
export function retriesLine(page: Page): Section {
  const text = formatRetries(page.report);
  return text === undefined ? [] : factLine(page, 'Retries', text);
}

export function flakyLine(page: Page): Section {
  const { heading, cases } = flakyCases(page.report);
  if (cases.length === 0) return [];
  const items = cases.map(({ id, answers }) => (answers === undefined ? id : `${id} (${answers})`));
  const most = page.options.detail === 'verbose' ? Infinity : MAX_CASES;
  return factLine(page, 'Flaky', `${heading}: ${listFirst(items, most)}`);
}

export function observationLine(page: Page): Section {
  const { report, options } = page;
  const all = listObserved(report);
  if (all.length === 0 || options.detail === 'verbose') return [];
  const where = options.page === undefined ? '--verbose lists them' : `see ${options.page}`;
  const lowered = all.filter(({ isLowered }) => isLowered).length;
  const open = all.length - lowered;
  const words = [
    ...(open === 0 ? [] : [`${count(open, 'thing')} the contract leaves open`]),
    ...(lowered === 0 ? [] : [`${count(lowered, 'clause')} at the level observe`]),
  ];
  return factLine(page, 'Observed', `${words.join(', ')}; ${where}`);
}

/** `Not tested: 4 clauses (pass --openapi; set WIRECHECK_RESTRICTED_KEY)` */
export function notTestedLine(page: Page): Section {
  const all = notTestedByRemedy(page.report);
  if (all.length === 0) return [];
  const remedies = all.map(({ remedy }) => remedy);
  // A reason is more useful than "1 more reason", and hardly longer.
  const shown = remedies.length === MAX_REMEDIES + 1 ? remedies : remedies.slice(0, MAX_REMEDIES);
  const more = remedies.length - shown.length;
  const list = [...shown, ...(more > 0 ? [count(more, 'more reason')] : [])].join('; ');
  return factLine(page, 'Not tested', `${countNotTested(all)} (${list})`);
}
