/** A comparison as one self-contained page: no script, no network, readable on paper. */
import {
  type Change,
  CHANGE_KINDS,
  type ChangeKind,
  type ComparedRun,
  type Comparison,
} from '../../report/comparison/comparison.ts';
import {
  formatScope,
  formatWaiver,
  foldChanges,
  type FoldedChange,
  KIND_TITLES,
  nameMember,
  formatRemark,
  formatResult,
  formatSide,
  formatTitle,
  formatWaiveAll,
} from './comparison-text.ts';
import { inlineAssets } from '../html/assets.ts';
import { html, Markup, NOTHING } from '../html/markup.ts';
import { inert } from '../../text/inert.ts';

const DOCTYPE = new Markup('<!doctype html>');

export function comparisonHtml(comparison: Comparison): string {
  const { old, new: now, notices, obstacles, tool } = comparison;
  const style = inlineAssets('style', ['palette.css', 'comparison.css']);
  const policy = `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'`;
  const remarks = [...notices, ...obstacles];
  return html`${DOCTYPE}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${formatResult(comparison)}</title>
        ${style.element}
      </head>
      <body>
        <main>
          <h1>${formatResult(comparison)}</h1>
          <dl>${runFacts('Old', old)} ${runFacts('New', now)}</dl>
          <p class="quiet">${formatScope(comparison)}</p>
          ${
            remarks.length === 0
              ? NOTHING
              : html`<ul>
                  ${remarks.map((remark) => html`<li>${inert(remark, 500)}</li>`)}
                </ul>`
          }
          ${CHANGE_KINDS.map((kind) => section(comparison, kind))}
        </main>
        <footer>
          Made by wirecheck ${inert(tool.version, 40)}. To read about a clause, run
          <code>wirecheck explain CLAUSE</code>.
        </footer>
      </body>
    </html>`.text;
}

function runFacts(name: string, { source, baseUrl, model, startedAt }: ComparedRun): Markup {
  const facts = [source, baseUrl, ...(model === undefined ? [] : [`model ${model}`]), startedAt];
  return html`<dt>${name}</dt>
    <dd>${facts.map((fact) => inert(fact)).join(', ')}</dd>`;
}

function section({ changes }: Comparison, kind: ChangeKind): Markup {
  const own = changes.filter((change) => change.kind === kind);
  const folded = foldChanges(own);
  if (folded.length === 0) return NOTHING;
  return html`<section>
    <h2>${KIND_TITLES[kind]} (${own.length})</h2>
    ${folded.map(article)}
  </section>`;
}

function article(folded: FoldedChange): Markup {
  const { change, others } = folded;
  const { kind, clause, old, new: now } = change;
  const remark = formatRemark(change);
  const excuse = formatWaiver(change);
  return html`<article class="${kind}">
    <h3>${inert(formatTitle(folded), 600)}</h3>
    <dl>
      ${fact('Before', evidence(change, old))} ${fact('Now', evidence(change, now))}
      ${clause === undefined ? NOTHING : fact('Clause', clause)}
      ${excuse === undefined ? NOTHING : fact('Waiver', inert(excuse, 400))}
      ${remark === undefined ? NOTHING : fact('Note', remark)}
      <dt>${others.length === 0 ? 'Fingerprint' : 'Fingerprints'}</dt>
      ${
        others.length === 0
          ? html`<dd><code>${change.fingerprint}</code></dd>`
          : html`<dd>
              ${formatWaiveAll(folded)}:
              <ul>
                ${[change, ...others].map((one) => html`<li><code>${one.fingerprint}</code> ${inert(nameMember(one))}</li>`)}
              </ul>
            </dd>`
      }
    </dl>
  </article>`;
}

function fact(name: string, value: string): Markup {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function evidence(change: Change, side: Change['old']): string {
  const shown = inert(formatSide(change, side));
  return side.exchanges.length === 0 ? shown : `${shown} (${inert(side.exchanges.join(', '), 300)})`;
}
