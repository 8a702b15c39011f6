/** Broken clauses: each in one line on the first screen, and an entry per cause with its evidence. */
import { parseJson, typeOf, valueAt } from '../../json.ts';
import { groupBy } from '../../report/counts.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import type { CaseReport, ClauseReport, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { factRows } from '../document/write-html.ts';
import { findingFacts, formatFinding, requirementOf } from '../finding-text.ts';
import type { Entry } from '../fold.ts';
import { formatPart } from '../profile-text.ts';
import { findBothEnds, formatAttemptTime } from '../request-text.ts';
import { titleOfCases } from '../run-text.ts';
import { countFindings, countOf, formatFurther } from '../seen-text.ts';
import { type Evidence, renderBothEnds, renderClient, renderEvidence } from './evidence.ts';
import { renderDifference } from './body-text.ts';
import { LINE_END, type Markup, NOTHING, html, join, when } from './markup.ts';
import {
  linkCase,
  linkClause,
  listCases,
  renderFacts,
  renderFold,
  renderId,
  renderLink,
  renderNote,
  renderShellCommand,
  renderSign,
  renderTable,
  renderTags,
  type SectionParts,
  tagClause,
} from './parts.ts';
import { ENTRY_GROUPS, type Group, type PageEntry, type View } from './view.ts';

/** Entries whose evidence is unfolded, the first of the page. */
const OPEN = 4;
/** More cases than this are folded. */
const FEW = 6;

const GROUPS: Readonly<Record<Group, { readonly title: string; readonly lead: string }>> = {
  failures: { title: 'Failures', lead: 'One entry per cause.' },
  warnings: { title: 'Warnings', lead: 'Broken should clauses do not fail the run unless it is strict.' },
  known: {
    title: 'In the baseline',
    lead: 'Also broken in the baseline. Only findings that are not in the baseline count.',
  },
  waived: { title: 'Waived', lead: 'Broken, and accepted for now by a waiver.' },
};

/** A section for each group. */
export function findings(view: View): readonly SectionParts[] {
  return ENTRY_GROUPS.map((id) => {
    const entries = view.entries.filter(({ group }) => group === id);
    const { title, lead } = GROUPS[id];
    return {
      id,
      title,
      items: entries.length,
      lead: `${countFindings(entries, traitsOf(view.report).caseWord)}. ${lead}`,
      // What does not count is read on demand.
      body: entries.map((entry) => renderArticle(view, entry, !entry.excused && view.entries.indexOf(entry) < OPEN)),
    };
  }).filter(({ items }) => items > 0);
}

/** Facts that the evidence of an entry draws, and the command that is left out on paper. */
const IN_DRAWINGS = ['sent', 'drawn', 'client', 'upstream', 'explain'] as const;

function renderArticle(view: View, entry: PageEntry, isOpen: boolean): Markup {
  const { verdict, expectation, finding, anchor: id } = entry;
  const words = formatFinding(view.report, entry);
  const clause = view.clause(expectation.clause);
  const exchange = finding && view.exchange(finding.exchange);
  const explain = renderShellCommand(words.explain, 'the command that explains the clause');
  const rows = [
    ...factRows(findingFacts(words, formatFurther(entry), IN_DRAWINGS)),
    ['Level', clause?.why === undefined ? undefined : `${expectation.level}. ${inert(clause.why, 400)}`],
    ['Explain', html`<div class="explain">${explain}</div>`],
  ] as const;
  const tags = tagClause(verdict, expectation.clause, expectation.level);
  return html`<article
    id="${id}"
    class="finding v-${verdict}"
    tabindex="-1"
    aria-labelledby="${id}-title"
    ${renderTags(tags)}
  >
    <header>
      <h3 id="${id}-title">${renderSign(verdict)} ${linkClause(view, expectation.clause)}</h3>
      <p class="tags">
        <span class="tag">${expectation.level}</span>
        <span class="tag">${formatPart(view.report, clause, expectation.kind)}</span>
        ${when(formatSpread(view.report, entry), (words) => html`<span class="tag loud">${words}</span>`)}
      </p>
      ${renderLink(id)}
    </header>
    ${renderFacts([...rows, [titleOfCases(view.report), listCases(view, entry.cases, FEW)]], 'facts finding-facts')}
    ${renderDifference(view.report, finding, exchange)} ${when(clause?.explanation, renderWhy)}
    ${renderClient(entry.case, exchange, 'full')} ${when(exchange, (sent) => foldEvidence(view, entry, sent, isOpen))}
  </article>`;
}

function foldEvidence(view: View, entry: Entry, exchange: ExchangeReport, isOpen: boolean): Markup {
  const ends = findBothEnds(view.report, entry.case, exchange.id);
  const sender = entry.case.exchange === exchange.id ? entry.case : view.sender(exchange.id);
  const evidence = ends
    ? renderBothEnds(view, ends, entry.finding)
    : html`${renderEvidence(view, { exchange, sender, finding: entry.finding, detail: 'full' })}
      ${renderEdits(view, sender, 'full')}`;
  return renderFold(ends ? 'Both ends' : 'Request and answer', evidence, { kind: 'evidence', isOpen });
}

function formatSpread(report: Report, entry: Entry): string | undefined {
  const { answers, seen, unit, places, cases, intermittent, share } = entry;
  const { caseWord } = traitsOf(report);
  const several = cases.length > 1 ? [count(cases.length, caseWord)] : [];
  if (intermittent || share) return [...several, formatFurther(entry)].join(', ');
  const parts = [
    ...several,
    ...(seen > 1 && unit !== caseWord ? [countOf(seen, unit)] : []),
    ...(answers <= 1 && places > 1 ? [count(places, 'place')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** More lines than this would push the map of all clauses off the screen. */
const MAX_LINES = 12;

/** Of clauses that do not count. */
const REMARKS: Partial<Record<Group, string>> = { known: 'in the baseline', waived: 'waived' };

/** For a reader who has one minute. */
export function renderBroken(view: View): Markup {
  const byClause = [...groupBy(view.entries, ({ expectation }) => expectation.clause).values()];
  const lines = byClause.map((entries) => renderLine(view, entries));
  if (lines.length === 0) return NOTHING;
  const rest = lines.slice(MAX_LINES);
  return html`<section id="broken" aria-labelledby="broken-title">
    <h2 id="broken-title" tabindex="-1">
      ${count(lines.length, 'broken clause')}<span class="quiet">: ${formatLevels(byClause)}</span>
    </h2>
    <ul class="lines">
      ${lines.slice(0, MAX_LINES)}
    </ul>
    ${
      rest.length === 0
        ? NOTHING
        : renderFold(
            count(rest.length, 'more broken clause'),
            html`<ul class="lines">
              ${rest}
            </ul>`,
          )
    }
  </section>`;
}

/** `2 must, 3 should`: the verdict counts must clauses only. */
function formatLevels(byClause: readonly (readonly PageEntry[])[]): string {
  const levels = groupBy(byClause, ([first]) => first?.expectation.level ?? '');
  return ['must', 'should']
    .map((level) => [levels.get(level)?.length ?? 0, level] as const)
    .filter(([number]) => number > 0)
    .map((words) => words.join(' '))
    .join(', ');
}

/** `entries`: the causes of one clause, those that count first. */
function renderLine({ report }: View, entries: readonly PageEntry[]): Markup {
  const [first] = entries;
  if (!first) return NOTHING;
  const { expectation, verdict, anchor, group } = first;
  const cases = new Set(entries.flatMap((entry) => entry.cases)).size;
  return html`<li>
    ${renderSign(verdict)} <a href="#${anchor}">${renderId(expectation.clause)}</a>
    <span class="required">${requirementOf(report, expectation)}</span>
    <span class="quiet">${count(cases, traitsOf(report).caseWord)}</span>
    ${when(REMARKS[group], (words) => html`<span class="tag">${words}</span>`)}
  </li>`;
}

const MAX_READING_LENGTH = 1_500;
const MAX_EXAMPLE_LINES = 30;
const MAX_LINE_LENGTH = 400;

function renderWhy({ reading, passes, fails }: NonNullable<ClauseReport['explanation']>): Markup {
  return html`<details class="reading">
    <summary>How it is judged</summary>
    <p>${inert(reading, MAX_READING_LENGTH)}</p>
    <div class="sides">
      ${when(passes, (text) => renderExample('pass', 'Passes', text))}
      ${when(fails, (text) => renderExample('fail', 'Fails', text))}
    </div>
  </details>`;
}

function renderExample(shade: 'pass' | 'fail', title: string, text: string): Markup {
  const lines = text.trimEnd().split('\n').slice(0, MAX_EXAMPLE_LINES);
  return html`<div class="side v-${shade}">
    <p class="label">${title}</p>
    <pre><code>${join(
      lines.map((line) => inert(line, MAX_LINE_LENGTH)),
      LINE_END,
    )}</code></pre>
  </div>`;
}

type Edit = CaseReport['edits'][number];
type Of<Kind extends Edit['kind']> = Extract<Edit, { kind: Kind }>;

interface Change {
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

const MAX_LENGTH = 160;
const ABSENT = '(absent)';

/** `sent` is the request on the wire: placeholders of an edit are filled in there. */
type Describe<Kind extends Edit['kind']> = (
  edit: Of<Kind>,
  control: ExchangeReport | undefined,
  sent: ExchangeReport | undefined,
) => Change;

const CHANGE: { readonly [Kind in Edit['kind']]: Describe<Kind> } = {
  set: ({ pointer }, control, sent) => inBody(pointer, control, bodyValue(sent, pointer)),
  add: ({ pointer }, control, sent) => inBody(pointer, control, bodyValue(sent, pointer)),
  remove: ({ pointer }, control) => inBody(pointer, control, ABSENT),
  rawNumber: ({ pointer, text }, control) => inBody(pointer, control, text),
  raw: ({ text }, control) => ({
    place: 'body',
    before: control?.body ?? ABSENT,
    after: text === '' ? ABSENT : text,
  }),
  spelling: ({ spellings }) => ({ place: 'spelling', before: 'usual', after: spellings.join(', ') }),
  header: ({ name, value }, control) => ({
    place: `header ${name}`,
    before: control?.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? ABSENT,
    after: value ?? ABSENT,
  }),
  key: ({ use }, control) => ({ place: 'key', before: control?.key ?? 'full', after: use }),
  method: ({ method }, control) => ({ place: 'method', before: control?.method ?? '', after: method }),
  path: ({ path }, control) => ({ place: 'path', before: control?.path ?? '', after: path }),
  query: ({ query }) => ({ place: 'query', before: ABSENT, after: query }),
};

function inBody(pointer: string, control: ExchangeReport | undefined, after: string): Change {
  return { place: pointer, before: bodyValue(control, pointer), after };
}

function bodyValue(exchange: ExchangeReport | undefined, pointer: string): string {
  const value = valueAt(parseJson(exchange?.body), pointer);
  return typeOf(value) === 'absent' ? ABSENT : JSON.stringify(value);
}

/** Empty for a request without edits. */
export function renderEdits(view: View, sender: CaseReport | undefined, detail: Evidence['detail']): Markup {
  if (!sender || sender.edits.length === 0) return NOTHING;
  const name = sender.control ?? sender.base;
  const control = name === undefined ? undefined : findControl(view, name);
  const sent = view.exchange(sender.exchange ?? '');
  const rows = sender.edits.map((edit) => {
    // The compiler cannot see that the table is keyed by the kind of the edit.
    const describe = CHANGE[edit.kind] as (edit: Edit, ...exchanges: (ExchangeReport | undefined)[]) => Change;
    return describe(edit, control, sent);
  });
  return html`<div class="change">
    <p class="label">${control ? 'Edit and control request' : 'Edit'}</p>
    ${renderTable({
      name: 'Edit',
      kind: 'edits',
      heads: ['field', ...(control ? ['control'] : []), 'this request'],
      rows: rows.map(({ place, before, after }) => [
        renderCode(place),
        ...(control ? [renderCode(before)] : []),
        html`<mark class="edit">${renderCode(after)}</mark>`,
      ]),
    })}
    ${when(control, (exchange) => renderControl(view, exchange, detail))}
  </div>`;
}

/** A control is a base request, whose exchange has the same name, or another case. */
function findControl({ report, exchange }: View, name: string): ExchangeReport | undefined {
  return exchange(name) ?? exchange(report.cases.find(({ id }) => id === name)?.exchange ?? '');
}

/** A link where details are brief: most edits of a run share the same control. */
function renderControl(view: View, exchange: ExchangeReport, detail: Evidence['detail']): Markup {
  const last = exchange.attempts.at(-1);
  const outcome = last ? formatAttemptTime(last) : 'not sent';
  const sender = view.sender(exchange.id);
  if (detail === 'brief') {
    return renderNote(html`Control request ${sender ? linkCase(view, sender.id) : renderId(exchange.id)}: ${outcome}.`);
  }
  const evidence = renderEvidence(view, { exchange, detail: 'brief' });
  return renderFold(html`Control request ${renderId(exchange.id)}: ${outcome}`, evidence);
}

function renderCode(text: string): Markup {
  return html`<code>${inert(text, MAX_LENGTH)}</code>`;
}
