/** The facts of a run, one line each: cost, time, tolerance, flaky answers, what was drawn, recovery, and clauses not tested. */
import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { formatDay } from '../../text/duration.ts';
import { inert } from '../../text/inert.ts';
import { count, groupDigits, listFirst } from '../../text/layout.ts';
import { formatObservations } from '../../verdict/observation.ts';
import { type Fact, type Part, type MarkedText, asCode, fact, joinTexts } from '../document/document.ts';
import { otherContractOfBaseline } from '../excused.ts';
import {
  formatDrawn,
  formatDrawnRequests,
  formatPairs,
  formatSilent,
  formatUnsure,
  formatUntested,
} from '../explore-text.ts';
import type { RenderOptions } from '../format.ts';
import { formatBudget, formatDuring, formatRampEnd, formatRecovery } from '../load-facts.ts';
import { lookOf } from '../looks.ts';
import { countClauses, groupUnjudged } from '../not-judged.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { flakyCases, formatRequest, pathUnder } from '../request-text.ts';
import {
  formatCounts,
  formatProduct,
  formatRequests,
  formatRetries,
  formatTarget,
  formatTimeSpent,
  listRunFlags,
  noteLines,
  range,
  seconds,
  splitAdvice,
} from '../run-text.ts';
import { listObserved } from '../seen-text.ts';
import { verdictLine } from '../verdict-line.ts';

const MAX_CASES = 3;
const MAX_REMEDIES = 5;

/** What a reader has to know before anything else, by name: a format picks from them. */
export function headParts(
  report: Report,
): Readonly<
  Record<
    'tool' | 'target' | 'product' | 'model' | 'day' | 'flags' | 'counts' | 'requests' | 'edition',
    readonly MarkedText[]
  >
> {
  const { target, tool, cost, edition, provenance } = report;
  const product = formatProduct(report);
  // The cost of a foreign recording is unknown, and the scripted upstream of a relay calls no model.
  const isCharged = cost.most.requests > 0 && traitsOf(report).isPlanned;
  const charged = isCharged ? `, ${count(cost.used.completions, 'completion')} charged` : '';
  return {
    tool: [['wirecheck ', asCode(inert(tool.version))]],
    target: [asCode(inert(formatTarget(report)))],
    product: product === undefined ? [] : [inert(product, 600)],
    model: target.model === undefined ? [] : [['model ', asCode(inert(target.model, 60))]],
    day: [inert(formatDay(provenance.startedAt))],
    flags: listRunFlags(report),
    counts: [formatCounts(report)],
    requests: [`${count(cost.used.requests, 'request')}${charged}`],
    edition: edition === undefined ? [] : [['edition ', asCode(inert(edition, 40))]],
  };
}

/** The facts of a run as a terminal shows them. `isBrief`: it ended before anything could be judged. */
export function runFacts(report: Report, options: RenderOptions, isBrief: boolean): readonly Fact[] {
  const isVerbose = options.detail === 'verbose';
  return [
    ...(isVerbose ? editionFact(report) : []),
    ...profileFacts(report),
    ...baselineFact(report),
    ...exploreFacts(report),
    ...costFact(report, isVerbose),
    ...timeFacts(report, isVerbose),
    ...(isBrief ? [] : toleranceFact(report, isVerbose)),
    ...retriesFact(report),
    ...flakyFact(report, isVerbose),
    ...(isBrief || isVerbose ? [] : observedFact(report, options)),
    ...(isBrief ? [] : notTestedFact(report)),
  ];
}

/** What it was judged by; with `--verbose` only, since it matters to those who compare reports. */
function editionFact({ edition, editionDigest = '' }: Report): readonly Fact[] {
  return edition === undefined ? [] : fact('Edition', `${inert(edition, 40)} ${inert(editionDigest)}`.trimEnd());
}

/** The contract, where it is not v1 as it is: each change with its reason. */
export function profileFacts({ profile }: Report): readonly Fact[] {
  if (!profile) return [];
  return [
    ...fact('Contract', inert(formatProfile(profile), 300)),
    ...listChanges(profile).flatMap(({ what, why }) => fact('', `${inert(what, 600)}. ${inert(why, 600)}`)),
  ];
}

/** Findings by another contract may be new or gone for that reason alone. */
function baselineFact(report: Report): readonly Fact[] {
  const words = otherContractOfBaseline(report);
  return words === undefined ? [] : fact('Baseline', `${inert(report.baseline?.file ?? '', 300)}. ${words}`);
}

/** What was drawn in an exploration. */
export function exploreFacts(report: Report): readonly Fact[] {
  const { explore, provenance } = report;
  if (!explore) return [];
  return [
    ...fact('Explored', `${formatDrawn(explore)}; seed ${provenance.seed}`),
    ...fact('Pairs', formatPairs(explore)),
    ...formatSilent(report).flatMap(({ finding, text, difference, repeat }) => {
      const { before, request } = formatDrawnRequests(report, finding);
      return [
        ...fact('Unanswered', text),
        ...fact('Before it', before && asCode(before)),
        ...fact('Request', request && asCode(request)),
        ...fact('Difference', difference && asCode(difference)),
        ...fact('Repeat', asCode(repeat), { isCommand: true }),
      ];
    }),
    ...fact('Not sure', formatUnsure(explore)),
  ];
}

/** How a run under load ended: its ramp, recovery, command and budgets. */
export function loadFacts({ load, ending }: Report): readonly Fact[] {
  if (!load) return [];
  return [
    ...fact('Ramp', formatRampEnd(load, ending)),
    ...fact('Recovery', formatRecovery(load.recovery)),
    ...fact('Command', load.during && formatDuring(load.during)),
    ...load.budgets.flatMap((budget) => fact('Budget', formatBudget(budget))),
  ];
}

export function costFact(report: Report, hasPlan: boolean): readonly Fact[] {
  const { used, least, most } = report.cost;
  const unpaid = traitsOf(report).cost?.(formatRequests(report));
  if (unpaid) return fact(unpaid.label, unpaid.text);
  // A foreign recording: nothing was planned, and its cost is unknown.
  if (most.requests === 0) return fact('Recorded', count(used.requests, 'request'));
  const part = (name: 'requests' | 'completions' | 'tokens', noun: string, more = '') =>
    `${count(used[name], noun)}${more}${hasPlan ? ` (planned ${range(least[name], most[name])})` : ''}`;
  const parts = [
    part('requests', 'request'),
    part('completions', 'completion', ` charged${leftEarly(report)}`),
    // Those of a stream without usage are estimated.
    `${used.tokens > 0 ? 'about ' : ''}${part('tokens', 'token')}`,
  ];
  return fact('Cost', `${parts.join(', ')}${besides(report)}${overrun(report)}`);
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

/** Split between target and checker if known; on demand with the slowest requests. */
function timeFacts(report: Report, hasSlowest: boolean): readonly Fact[] {
  const { time, provenance } = report;
  if (!time) return fact('Time', seconds(Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt)));
  const slowest = hasSlowest ? time.slowest : [];
  return [
    ...fact('Time', formatTimeSpent(time)),
    ...slowest.flatMap(({ exchange, time: took }, place) =>
      fact(place === 0 ? 'Slowest' : '', `${Math.round(took)} ms  ${formatExchange(report, exchange)}`),
    ),
  ];
}

function formatExchange(report: Report, id: string): string {
  const exchange = report.exchanges.find((candidate) => candidate.id === id);
  const sender = report.cases.find((testCase) => testCase.exchange === id);
  return exchange ? formatRequest(exchange, sender, pathUnder(report.target.baseUrl)) : inert(id);
}

/** Unknown fields in both directions: ignored in requests, added to answers. Of a gateway's front only. */
export function toleranceFact(report: Report, hasNames: boolean): readonly Fact[] {
  if (!traitsOf(report).isPlanned) return [];
  const { unknownRequestFields: sent, unknownAnswerFields: extra } = report.tolerance;
  const requests =
    sent.asked === 0
      ? `unknown request fields were ${formatUntested(report)}`
      : `${sent.ignored} of ${sent.asked} cases with unknown request fields answered`;
  if (!extra) return fact('Tolerance', `${requests}; extra fields in answers were not looked for`);
  const fields = formatObservations(extra).map((field) => inert(field, 80));
  const list = hasNames && extra.length > 0 ? `: ${fields.join(', ')}` : '';
  const answers = extra.length === 0 ? 'no extra fields' : count(extra.length, 'extra field');
  return fact('Tolerance', `${requests}; ${answers} in answers${list}`);
}

function flakyFact(report: Report, hasAll: boolean): readonly Fact[] {
  const { heading, cases } = flakyCases(report);
  if (cases.length === 0) return [];
  const items = cases.map(({ id, answers }) => (answers === undefined ? id : `${id} (${answers})`));
  return fact('Flaky', `${heading}: ${listFirst(items, hasAll ? Infinity : MAX_CASES)}`);
}

/** Only if something was retried: the share says more about the target than any single retry. */
function retriesFact(report: Report): readonly Fact[] {
  return fact('Retries', formatRetries(report));
}

function observedFact(report: Report, { page }: Pick<RenderOptions, 'page'>): readonly Fact[] {
  const all = listObserved(report);
  if (all.length === 0) return [];
  const lowered = all.filter(({ isLowered }) => isLowered).length;
  const open = all.length - lowered;
  const words = [
    ...(open === 0 ? [] : [`${count(open, 'thing')} the contract leaves open`]),
    ...(lowered === 0 ? [] : [`${count(lowered, 'clause')} at the level observe`]),
  ];
  return fact('Observed', `${words.join(', ')}; ${page === undefined ? '--verbose lists them' : `see ${page}`}`);
}

/** `Not tested: 4 clauses (pass --openapi; set WIRECHECK_RESTRICTED_KEY)` */
function notTestedFact(report: Report): readonly Fact[] {
  const all = groupUnjudged(report, 'skipped');
  if (all.length === 0) return [];
  const remedies = all.map(({ remedy, reason }) => remedy ?? reason);
  // A reason is more useful than "1 more reason", and hardly longer.
  const shown = remedies.length === MAX_REMEDIES + 1 ? remedies : remedies.slice(0, MAX_REMEDIES);
  const more = remedies.length - shown.length;
  const list = [...shown, ...(more > 0 ? [count(more, 'more reason')] : [])].join('; ');
  return fact('Not tested', `${countClauses(all)} (${list})`);
}

export function noticeFacts({ notices }: Report, most = Infinity, length = 600): readonly Fact[] {
  return notices.slice(0, most).flatMap((notice) => fact('Note', inert(formatNotice(notice), length)));
}

/** The title, the verdict, and a line on the run. */
export function headingPart(report: Report, names: readonly (keyof ReturnType<typeof headParts>)[]): Part {
  const head = headParts(report);
  return [
    ...(report.title === undefined ? [] : [{ kind: 'heading', level: 1, text: inert(report.title, 600) } as const]),
    { kind: 'heading', level: 2, text: verdictLine(report), mark: lookOf(report).mark },
    {
      kind: 'paragraph',
      text: joinTexts(
        names.flatMap((name) => head[name]),
        ' · ',
      ),
    },
  ];
}

export function endingPart(report: Report): Part {
  const sentence = adviseOnEnding(report);
  if (sentence === undefined) return [];
  const { words, command } = splitAdvice(sentence);
  return [{ kind: 'paragraph', text: words, command, tone: 'strong' }];
}

export function notePart(report: Report): Part {
  const lines = noteLines(report);
  return lines.length === 0 ? [] : [{ kind: 'note', lines }];
}
