/** The contract as a page of its own sentences, each with the verdict on the clauses that come from it. */
import type { Sentence } from '../../contract/contract.ts';
import { count, inert } from '../../text/layout.ts';
import { renderText } from '../document/write-html.ts';
import { type Shade, SHADES } from '../looks.ts';
import { quoteSentence, spansOfWords } from '../profile-text.ts';
import { html, type Markup } from './markup.ts';
import { renderSquare } from './overview.ts';
import { formatShades, renderSign, renderTags, type SectionParts } from './parts.ts';
import { findArea, type View } from './view.ts';

/** A tick needs every clause of the sentence to be judged and to pass. */
const LAST: readonly Shade[] = ['observed', 'pass'];
const WORST_FIRST = [...SHADES.filter((each) => !LAST.includes(each)), ...LAST];

export function contract(view: View): SectionParts | undefined {
  const { contract: parts = [], clauses, profile } = view.report;
  const sentences = parts.flatMap(({ sentences: own, ...place }) => own.map((each) => ({ ...place, ...each })));
  if (sentences.length === 0) return undefined;
  const told = new Set(sentences.flatMap((sentence) => sentence.clauses));
  const others = count(clauses.filter((_, at) => !told.has(at)).length, 'more clause');
  return {
    id: 'contract',
    title: 'Contract',
    items: sentences.length,
    lead: `The sentences of v1 by part, each with the verdicts on the clauses that come from it.${profile ? ' The run has changed it: see Profile.' : ''} Coverage has ${others}.`,
    body: html`<ul class="sentences">
      ${sentences.map((sentence) => renderSentence(view, sentence))}
    </ul>`,
  };
}

function renderSentence(view: View, sentence: Sentence & { readonly clauses: readonly number[] }): Markup {
  const { part, table = '' } = sentence;
  const own = sentence.clauses.flatMap((at) => view.report.clauses[at] ?? []);
  const shades = own.map(view.shadeOf);
  const shade = WORST_FIRST.find((each) => shades.includes(each)) ?? 'none';
  const tags = { shade, areas: own.map(({ id }) => findArea(id)), levels: own.map(({ level }) => level) };
  return html`<li ${renderTags(tags)}>
    ${renderSign(shade)}
    <span class="quiet">${inert(`${part} ${table.replace(/ \(.*/, '')}`, 120)}</span>
    <span>${renderText(spansOfWords(quoteSentence(sentence).words))}</span>
    <span class="cells">
      ${own.map((clause) => renderSquare(view, clause))}<span class="unseen">${formatShades(shades)}</span>
    </span>
  </li>`;
}
