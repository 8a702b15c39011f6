/** A comparison as one self-contained page: no script, no network, readable on paper. */
import type { ComparedRun, Comparison } from '../../report/comparison/comparison.ts';
import { inert } from '../../text/inert.ts';
import { inlineAssets } from '../html/assets.ts';
import { html, Markup, NOTHING } from '../html/markup.ts';
import {
  factsOf,
  type FoldedChange,
  formatResult,
  formatScope,
  formatTitle,
  formatWaiveAll,
  nameMember,
  sectionsOf,
} from './comparison-text.ts';

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
          ${sectionsOf(comparison).map(
            ({ title, changes, entries }) =>
              html`<section>
                <h2>${title} (${changes})</h2>
                ${entries.map(article)}
              </section>`,
          )}
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

function article(folded: FoldedChange): Markup {
  const { change, others } = folded;
  return html`<article class="${change.kind}">
    <h3>${inert(formatTitle(folded), 600)}</h3>
    <dl>
      ${factsOf(folded).map(
        ([name, text]) =>
          html`<dt>${name}</dt>
            <dd>${text}</dd>`,
      )}
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
