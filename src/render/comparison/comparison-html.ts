/** A comparison as one page that needs nothing else: no script, no network, readable on paper. */
import { createHash } from 'node:crypto';
import {
  type Change,
  CHANGE_KINDS,
  type ChangeKind,
  type ComparedRun,
  type Comparison,
} from '../../report/comparison/comparison.ts';
import {
  comparedInWords,
  excuseInWords,
  foldChanges,
  type FoldedChange,
  KIND_TITLES,
  memberName,
  remarkOn,
  resultLine,
  sideInWords,
  titleOf,
  waiveAll,
} from './comparison-words.ts';
import { html, Markup, NOTHING } from '../html/markup.ts';
import { inert } from '../../text/inert.ts';

const STYLE = `
:root{color-scheme:light dark;--page:#f7f8fa;--card:#fff;--line:#d9dee5;--text:#1a2029;--quiet:#566070;--breaking:#b3261e;--warning:#885300;--additive:#1b6e43;--drift:#6a3ea1}
@media (prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2028;--line:#36404d;--text:#e6eaf0;--quiet:#a5b0be;--breaking:#ff9a91;--warning:#f0b35a;--additive:#7fd6a5;--drift:#c9a8f5}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem 3rem;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0 0 .5rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0 0 .5rem;overflow-wrap:anywhere}
article{background:var(--card);border:1px solid var(--line);border-left:.3rem solid;border-radius:.4rem;padding:.8rem 1rem;margin:0 0 .8rem;break-inside:avoid}
.breaking{border-left-color:var(--breaking)}.warning{border-left-color:var(--warning)}.additive{border-left-color:var(--additive)}.drift{border-left-color:var(--drift)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
code{font:.9em ui-monospace,monospace}
.quiet,footer{color:var(--quiet)}
footer{margin-top:2rem;font-size:.9rem}
@media (max-width:34rem){dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}}
`;

/** Nothing may be loaded, sent or run; the one style is known by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const DOCTYPE = new Markup('<!doctype html>');
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

export function comparisonHtml(comparison: Comparison): string {
  const { old, new: now, notices, obstacles, tool } = comparison;
  const remarks = [...notices, ...obstacles];
  return html`${DOCTYPE}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${resultLine(comparison)}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${resultLine(comparison)}</h1>
          <dl>${runFacts('Old', old)} ${runFacts('New', now)}</dl>
          <p class="quiet">${comparedInWords(comparison)}.</p>
          ${
            remarks.length === 0
              ? NOTHING
              : html`<ul>
                  ${remarks.map((remark) => html`<li>${inert(remark, 500)}</li>`)}
                </ul>`
          }
          ${CHANGE_KINDS.map((kind) => section(comparison, kind))}
        </main>
        <footer>Made by wirecheck ${inert(tool.version, 40)}. Any clause: <code>wirecheck explain CLAUSE</code></footer>
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
  const remark = remarkOn(change);
  const excuse = excuseInWords(change);
  return html`<article class="${kind}">
    <h3>${inert(titleOf(folded), 600)}</h3>
    <dl>
      ${fact('Before', evidence(change, old))} ${fact('Now', evidence(change, now))}
      ${clause === undefined ? NOTHING : fact('Clause', clause)}
      ${excuse === undefined ? NOTHING : fact('Excused', inert(excuse, 400))}
      ${remark === undefined ? NOTHING : fact('Note', remark)}
      <dt>${others.length === 0 ? 'Fingerprint' : 'Fingerprints'}</dt>
      ${
        others.length === 0
          ? html`<dd><code>${change.fingerprint}</code></dd>`
          : html`<dd>
              ${waiveAll(folded)}
              <ul>
                ${[change, ...others].map((one) => html`<li><code>${one.fingerprint}</code> ${inert(memberName(one))}</li>`)}
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
  const shown = inert(sideInWords(change, side));
  return side.exchanges.length === 0 ? shown : `${shown} – ${inert(side.exchanges.join(', '), 300)}`;
}
