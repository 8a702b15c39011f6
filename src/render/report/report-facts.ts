/** The facts of a run, one line each: cost, time, tolerance, flaky answers, what was drawn, recovery, and clauses not tested. */
import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { formatDay } from '../../text/duration.ts';
import { inert } from '../../text/inert.ts';
import { count, listFirst } from '../../text/layout.ts';
import { formatObservations } from '../../verdict/observation.ts';
import { type Fact, type Part, type MarkedText, asCode, fact, joinTexts } from '../document/document.ts';
import { otherContractOfBaseline } from '../excused.ts';
import { exploreFacts, formatUntested } from '../explore-text.ts';
import type { RenderOptions } from '../format.ts';
import { lookOf } from '../looks.ts';
import { countClauses, groupUnjudged } from '../not-judged.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { flakyCases } from '../request-text.ts';
import {
  costFact,
  formatCounts,
  formatProduct,
  formatTarget,
  listRunFlags,
  noteLines,
  retriesFact,
  splitAdvice,
  timeFacts,
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
