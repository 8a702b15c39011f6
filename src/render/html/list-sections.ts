/**
 * Sections that are lists, facts and tables. On clauses: all of them with their verdicts, those that were not judged by reason,
 * what was observed, tolerance. On the run: its profile, waivers and baseline, provenance, settings, cost and times.
 */
import type { ClauseReport, Sureness } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { rarestSeen } from '../../report/counts.ts';
import { count, groupDigits, inert } from '../../text/layout.ts';
import { renderFactList, writeHtml } from '../document/write-html.ts';
import { LOOKS, type Shade, wordWithReason } from '../looks.ts';
import {
  countClauses,
  countUnjudged,
  groupUnjudged,
  listObserved,
  type ObservedClause,
  type UnjudgedGroup,
} from '../unjudged.ts';
import { formatPart, READINGS } from '../profile-text.ts';
import { areaTable, profileFacts, provenanceFacts, settingsPart, titleOfCases, toleranceFact } from '../run-text.ts';
import { html, join, type Markup } from './markup.ts';
import {
  foldByArea,
  keepWhole,
  linkCase,
  linkClause,
  listCases,
  renderBadge,
  renderBox,
  renderCard,
  renderFacts,
  renderFold,
  renderId,
  renderItems,
  renderLink,
  renderTags,
  type SectionParts,
  tagClause,
} from './parts.ts';
import { findArea, type View } from './view.ts';
import type { WaiverReport } from '../../report/excuses/excuse-report.ts';
import { countOlder, coverCauses, formatCovered, listOlder, otherContractOfBaseline } from '../excused.ts';

/** Every clause in the order of the contract. Findings link to its row. */
export function coverage(view: View): SectionParts {
  const { clauses } = view.report;
  return {
    id: 'coverage',
    title: 'Coverage',
    items: clauses.length,
    lead: 'Every clause by area, in the order of the contract. Its verdict is the worst verdict among its cases.',
    body: foldByArea(clauses, {
      noun: 'clause',
      areaOf: ({ id }) => findArea(id),
      shadeOf: view.shadeOf,
      render: (own, area) => renderCoverage(view, own, area),
    }),
  };
}

/** Explicit roles: the narrow layout overrides the table's display, which hides its structure from screen readers. */
function renderCoverage(view: View, clauses: readonly ClauseReport[], area: string): Markup {
  const heads = ['Verdict', 'Clause', 'Level', titleOfCases(view.report)];
  return html`<table class="coverage" role="table" aria-label="Clauses of ${area}">
    <thead role="rowgroup">
      <tr role="row">
        ${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${clauses.map((clause) => renderRow(view, clause))}
    </tbody>
  </table>`;
}

function renderRow(view: View, clause: ClauseReport): Markup {
  const { id, level, levelWas, why, summary } = clause;
  const verdict = view.shadeOf(clause);
  const anchor = view.clauseAnchor(id) ?? '';
  const entry = view.entries.find(({ expectation }) => expectation.clause === id);
  // How the contract was read to arrive at the clause.
  const reading = clause.part === '-' ? '' : `${READINGS[clause.kind]}, `;
  return html`<tr role="row" id="${anchor}" tabindex="-1" ${renderTags(tagClause(verdict, id, level))}>
    <td role="cell">${renderBadge(verdict)}</td>
    <th role="rowheader" scope="row">
      ${entry ? html`<a href="#${entry.anchor}">${renderId(id)}</a>` : renderId(id)}
      ${renderLink(entry?.anchor ?? anchor)}
      <span class="summary">${inert(summary, 400)}</span>
      ${why !== undefined && html`<span class="why">${inert(why, 400)}</span>`}
    </th>
    <td role="cell">
      <span class="level">${level === 'none' ? 'not judged' : level}</span>
      <span class="quiet">${reading}${formatPart(view.report, clause, clause.kind)}</span>
      ${levelWas !== undefined && html`<span class="tag loud">changed from ${levelWas}</span>`}
      ${clause.sureness && html`<span class="quiet sureness">${formatSureness(clause.sureness)}</span>`}
    </td>
    <td role="cell">${renderClauseCases(view, clause)}</td>
  </tr>`;
}

/** How many answers the verdict rests on, and how rare a fault they would have shown. */
function formatSureness({ answers, edits, fewest }: Sureness): string {
  const counted = edits === 1 ? count(answers, 'answer') : `${count(answers, 'answer')}, at least ${fewest} of a kind`;
  const oneIn = rarestSeen(fewest);
  return `${counted}: ${oneIn === 1 ? 'would have seen a constant fault' : `would have seen a fault in 1 of ${oneIn}`}`;
}

const SCOPES: Record<ClauseReport['scope'], string> = {
  run: wordWithReason('none'),
  'extra-key': 'needs an extra key',
  patience: 'needs --patient',
  counts: 'needs --counts',
  models: 'needs a second --upstream-model',
  fallback: 'needs --fallback-port',
  budget: 'needs --budget',
  comparison: 'needs a comparison of two runs',
  description: 'needs the OpenAPI description',
};

function renderClauseCases(view: View, { cases: ids, scope, kind }: ClauseReport): Markup {
  if (ids.length === 0)
    return html`<span class="quiet">${kind === 'outside' ? LOOKS.outside.meaning : SCOPES[scope]}</span>`;
  const [first] = ids;
  return ids.length === 1 && first !== undefined ? linkCase(view, first) : listCases(view, ids, 1);
}

/** More lines than this are folded. */
const FEW = 3;

/** What was not judged, counted in clauses as in the overview, by reason. */
export function leftOut(view: View): SectionParts | undefined {
  const groups = groupUnjudged(view.report);
  const [beside, byClause] = [true, false].map((isBeside) =>
    groups.filter(({ clauses }) => (clauses.length === 0) === isBeside),
  );
  if (groups.length === 0) return undefined;
  return {
    id: 'unjudged',
    title: 'Not judged',
    items: countClauses(groups),
    lead: `${countUnjudged(view.report)}. The list names settings and keys that would help.`,
    body: html`${byClause?.map((group) => renderReason(view, group))} ${renderBeside(view, beside ?? [])}`,
  };
}

function renderReason(view: View, { shade, reason, clauses }: UnjudgedGroup): Markup {
  const list = html`<ul class="rows">
    ${clauses.map((each) => renderClauseRow(view, shade, each))}
  </ul>`;
  const number = count(clauses.length, 'clause');
  return html`<div class="reason v-${shade}" data-group>
    <p class="said">${keepWhole(capitalize(reason))} <span class="quiet on-paper">(${number})</span></p>
    ${clauses.length <= FEW ? list : renderFold(number, list)}
  </div>`;
}

function renderClauseRow(
  view: View,
  shade: Shade,
  { clause, cases, others, decidedBy, why }: UnjudgedGroup['clauses'][number],
): Markup {
  const noun = traitsOf(view.report).caseWord;
  const shown = cases.slice(0, FEW).map((id) => linkCase(view, id));
  const more = cases.length > FEW && ` and ${count(cases.length - FEW, `more ${noun}`)}`;
  const words = [
    ...(why === undefined ? [] : [`(${why})`]),
    ...(decidedBy > 0 ? [`(decided by ${count(decidedBy, `other ${noun}`)})`] : []),
    ...(others.length > 0 ? [`(or ${others.join(', or ')})`] : []),
  ];
  return html`<li ${renderTags(tagClause(shade, clause.id, clause.level))}>
    ${linkClause(view, clause.id)} ${clause.level !== 'none' && html`<span class="tag">${clause.level}</span>`}
    ${cases.length > 0 && html`<span class="quiet">in</span> ${join(shown, html`, `)}${more}`}
    ${words.map((each) => html`<span class="quiet">${each}</span> `)}
  </li>`;
}

/** Nothing is lost by these, so they come last and folded. */
function renderBeside(view: View, groups: readonly UnjudgedGroup[]): Markup | undefined {
  if (groups.length === 0) return undefined;
  const number = new Set(groups.flatMap(({ cases }) => cases)).size;
  const noun = traitsOf(view.report).caseWord;
  const listed = groups.map(
    ({ shade, reason, cases }) =>
      html`<div class="reason v-${shade}">
        <p class="said">${keepWhole(capitalize(reason))}</p>
        ${listCases(view, cases, Infinity)}
      </div>`,
  );
  const title = `${count(number, noun)} whose clauses other ${noun}s judged`;
  return renderFold(title, listed, { kind: 'idle on-screen' });
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** More values than these are read on demand. */
const MAX_OPEN = 12;
const MAX_VALUES = 40;

export function observations(view: View): SectionParts | undefined {
  const all = listObserved(view.report);
  if (all.length === 0) return undefined;
  const lowered = all.some(({ isLowered }) => isLowered) ? ', or their level is observe' : '';
  return {
    id: 'observations',
    title: 'Recorded',
    items: all.length,
    lead: `The contract leaves these open${lowered}, so they are recorded, not judged. Runs can be compared by them.`,
    body: foldByArea(all, {
      noun: 'clause',
      areaOf: ({ clause }) => findArea(clause),
      isOpen: all.flatMap(({ facts }) => facts).length <= MAX_OPEN,
      render: (own) => html`<div class="observations">${own.map((each) => renderObservation(view, each))}</div>`,
    }),
  };
}

function renderObservation(view: View, { clause, facts }: ObservedClause): Markup {
  const { summary, level = 'observe' } = view.clause(clause) ?? {};
  return html`<div class="observation" ${renderTags(tagClause('observed', clause, level))}>
    <p>
      ${linkClause(view, clause)} ${summary !== undefined && html`<span class="quiet">${inert(summary, 300)}</span>`}
    </p>
    ${renderFacts(facts.map(([name, values]) => [inert(name, 100), renderValues(values)]))}
  </div>`;
}

function renderValues(distinct: readonly string[]): Markup {
  if (distinct.length === 0) return html`<span class="quiet">none</span>`;
  const shown = distinct.slice(0, MAX_VALUES).map((value) => html`<code>${inert(value, 400)}</code>`);
  const more = distinct.length - shown.length;
  return html`${join(shown, html`, `)}${more > 0 && ` and ${groupDigits(more)} more`}`;
}

/** Only reports on a gateway's front have this section. */
export function tolerance({ report }: View): SectionParts | undefined {
  const facts = toleranceFact(report, true);
  if (facts.length === 0) return undefined;
  const lead = 'Unknown fields in requests, and fields beyond the contract in answers, which the contract allows.';
  return { id: 'tolerance', title: 'Tolerance', lead, body: renderFactList(facts) };
}

export function runDetails({ report }: View): SectionParts {
  return {
    id: 'run',
    title: 'Run details',
    body: html`<div class="cards wide">
      ${renderCard('Provenance', renderFactList(provenanceFacts(report)))}
      ${renderCard('Settings', writeHtml(settingsPart(report)))}
      ${renderCard(`${titleOfCases(report)} by suite`, writeHtml(areaTable(report)))}
    </div>`,
  };
}

export function profile({ report }: View): SectionParts | undefined {
  const { profile } = report;
  return (
    profile && {
      id: 'profile',
      title: 'Profile',
      ...(profile.about !== undefined && { lead: inert(profile.about, 600) }),
      body: html`${renderFactList(profileFacts(report))}
        <p class="quiet">Digest <code class="hash">${inert(profile.digest, 64)}</code></p>`,
    }
  );
}

const WAIVER_STATES: Record<WaiverReport['state'], string> = {
  'in-use': 'in use',
  unused: 'unused: everything it names passed',
  undecided: 'undecided: not everything it names was judged',
  expired: 'expired',
  pending: 'pending: its date has not come yet',
};

export function waivers(view: View): SectionParts | undefined {
  const { waivers: given } = view.report;
  return (
    given && {
      id: 'waivers',
      title: 'Waivers',
      count: given.entries.length,
      lead: html`From <code>${inert(given.file)}</code>, as of ${inert(given.today, 20)}. Waived findings do not count,
        and stay visible.`,
      body:
        given.entries.length === 0
          ? html`<p class="quiet">The file has no waivers.</p>`
          : html`<div class="cards">${given.entries.map((entry, at) => renderWaiver(view, entry, at + 1))}</div>`,
    }
  );
}

function renderWaiver({ report, entries }: View, entry: WaiverReport, number: number): Markup {
  const names = [entry.case, entry.clause, entry.fingerprint].filter((name) => name !== undefined);
  const until = entry.until === undefined ? undefined : `until ${inert(entry.until, 20)}`;
  const announced = entry.announced && `announced for ${inert(entry.announced.date, 20)}`;
  // Shown as text: no link leads out of the page.
  const link = entry.link ?? entry.announced?.link;
  const state = [
    ...[WAIVER_STATES[entry.state], formatCovered(coverCauses(entry, entries), traitsOf(report).caseWord)],
    ...[until, announced, entry.owner && inert(entry.owner, 80)],
  ];
  return renderBox(
    'card',
    `Waiver ${number}, line ${entry.line}`,
    html`<p>${names.map((name) => html`<code>${inert(name)}</code> `)}</p>
      <p>${inert(entry.reason, 400)}</p>
      <p class="quiet">${state.filter((word) => word !== undefined).join(' · ')}</p>
      ${link !== undefined && html`<p><code>${inert(link)}</code></p>`}`,
  );
}

export function baseline(view: View): SectionParts | undefined {
  const { baseline: given } = view.report;
  const other = otherContractOfBaseline(view.report);
  return (
    given && {
      id: 'baseline',
      title: 'Baseline',
      lead: html`<code>${inert(given.file)}</code>, run at ${inert(given.startedAt, 40)} against
        <code>${inert(given.baseUrl)}</code>. ${other !== undefined && `${other} `}Only findings that are not in the
        baseline count.`,
      body: html`<div class="cards">
        ${listOlder(view.report).map(({ title, findings }) => {
          const rows = new Map(findings.map((each) => [`${each.case} ${each.clause}`, each]));
          const items = [...rows.values()].map(
            (each) =>
              html`${linkCase(view, each.case)} <span class="quiet">for</span> ${linkClause(view, each.clause)}`,
          );
          return renderBox('card', `${title}: ${countOlder(view.report, findings)}`, renderItems('rows', items));
        })}
      </div>`,
    }
  );
}
