/** How the parts of the page look, from the verdict at its top to the facts at its end. */
import type { Shade } from './view.ts';

const FILLED: readonly Shade[] = ['fail', 'warn', 'inconclusive', 'pass', 'observed'];

/** Squares and bars: what needs attention is filled, what is well is calm, what was not judged is hollow. */
const FILLS = FILLED.map((shade) => `.f-${shade}{fill:var(--${shade}-fill);background:var(--${shade}-fill)}`).join('');
const TONES = [...FILLED, 'skipped', 'none'].map((shade) => `.v-${shade}{--tone:var(--${shade})}`).join('');
const TINTS = (['fail', 'warn', 'inconclusive', 'pass'] as const)
  .map((shade) => `.verdict.v-${shade}{background:var(--${shade}-tint)}`)
  .join('');

const OVERVIEW = `
${TONES}${TINTS}
.verdict{display:flex;gap:1.1rem;align-items:flex-start;border:1px solid var(--line);border-left:6px solid var(--tone);border-radius:12px;padding:1.25rem 1.4rem}
.medal{flex:none;width:2.9rem;height:2.9rem;border-radius:50%;background:var(--tone);color:var(--on-fill);display:grid;place-items:center;font-size:1.5rem;font-weight:700;line-height:1}
.verdict>div{min-width:0}
h1{font-size:clamp(1.25rem,1rem + 1.5vw,1.75rem);line-height:1.25;letter-spacing:-.015em;font-weight:400;text-wrap:balance}
h1 strong{color:var(--tone);font-weight:750}
.about{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;margin-top:.5rem;color:var(--quiet);font-size:.9375rem}
.ending{margin-top:.6rem;font-weight:600;max-width:60rem;overflow-wrap:anywhere}
.notices{border:1px solid var(--line);border-radius:10px;padding:.7rem 1rem;background:var(--card);font-size:.9375rem}
#overview{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem 1.4rem}
.stripe{display:block;border-radius:7px;overflow:hidden}
.f-skipped,.f-none{fill:var(--line)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;margin:.8rem 0 1.1rem;font-size:.9375rem}
.legend a{color:inherit;text-decoration:none;display:inline-flex;align-items:center;gap:.4rem;padding:.2rem 0}
.legend a:hover{text-decoration:underline}
.cell{display:inline-grid;place-items:center;width:1.05rem;height:1.05rem;border-radius:4px;font:700 .7rem/1 var(--sans);flex:none}
${FILLS}
.cell.f-skipped,.cell.f-none{border:1.5px solid var(--none);color:var(--none);background:none}
.cell.f-none{border-style:dotted;color:transparent}
.cell.f-fail,.cell.f-inconclusive{color:var(--on-fill)}
.cell.f-warn{color:#1d1400}
.cell.f-pass{background:var(--pass-soft);color:var(--pass)}
.cell.f-observed{background:var(--observed-soft);color:var(--observed)}
.cell.off{opacity:.15}
.areas{columns:18rem;column-gap:1.75rem;margin-bottom:.6rem}
.areas li{display:grid;grid-template-columns:6rem 1fr;gap:.2rem .6rem;align-items:start;break-inside:avoid;padding:.28rem 0}
.areas a{color:inherit;text-decoration:none;font-size:.9375rem;line-height:1.2;padding:.05rem 0}
.areas a:hover{text-decoration:underline}
.cells{display:flex;flex-wrap:wrap;gap:3px}
`;

const FILTERS = `
.filters{display:grid;grid-template-columns:minmax(0,1fr);gap:.6rem;padding:.8rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:12px;z-index:2}
.filters fieldset{display:flex;flex-wrap:wrap;gap:.4rem}
.pick{display:inline-flex;align-items:center;gap:.4rem;border:1px solid var(--line);border-radius:999px;padding:.2rem .75rem;font-size:.9375rem;cursor:pointer;min-height:2rem}
.pick input{accent-color:var(--tone);margin:0;width:1rem;height:1rem}
.pick .sign{color:var(--tone);font-weight:700}
.pick:has(:checked){border-color:var(--tone);box-shadow:inset 0 0 0 1px var(--tone)}
.picks{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center}
.picks label{display:inline-flex;align-items:center;gap:.45rem;font-size:.9375rem;min-width:0}
.picks label>span{color:var(--quiet);flex:none}
.picks .text{flex:1 1 14rem}
.picks .text input{width:100%;min-width:0}
#matches{font-size:.9375rem;font-weight:600}
#matches:empty{display:none}
@media (min-width:70rem) and (min-height:40rem){.filters{position:sticky;top:.5rem;box-shadow:0 4px 16px rgb(0 0 0/.08)}
html{scroll-padding-top:9.5rem}section{scroll-margin-top:0}}
`;

const FINDINGS = `
.finding,.reason,.observation,.stream,.card,.case{background:var(--card);border:1px solid var(--line);border-radius:12px}
.finding{border-left:5px solid var(--tone);padding:1.1rem 1.4rem 1.2rem}
.finding+.finding,.reason+.reason,.stream+.stream{margin-top:1rem}
.finding header{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;margin-bottom:.8rem}
.finding h3{display:flex;gap:.5rem;align-items:center}
.tags{display:flex;flex-wrap:wrap;gap:.35rem}
.tag{display:inline-block;font-size:.8125rem;line-height:1.5;border:1px solid var(--line);border-radius:6px;padding:0 .45rem;color:var(--quiet);max-width:100%;vertical-align:middle}
.tag.loud{color:var(--text);border-color:var(--quiet);font-weight:600}
.badge{display:inline-flex;align-items:center;gap:.35rem;color:var(--tone);font-weight:650;font-size:.9375rem;white-space:nowrap}
.badge .sign{display:inline-grid;place-items:center;width:1rem}
.dot{flex:none;display:inline-grid;place-items:center;width:1.25rem;height:1.25rem;border-radius:50%;border:1.5px solid var(--tone);color:var(--tone);font:700 .8rem/1 var(--sans);vertical-align:text-bottom}
.v-fail>header .dot,.dot.v-fail{background:var(--fail);border-color:var(--fail);color:var(--on-fill)}
.facts{display:grid;gap:.35rem}
.facts>div{display:grid;grid-template-columns:7.5rem minmax(0,1fr);gap:.1rem .9rem}
.facts dt{color:var(--quiet);font-size:.9375rem}
.facts dd{min-width:0;overflow-wrap:anywhere}
.finding-facts>div:first-child dd{font-size:1.0625rem;font-weight:600}
.finding-facts strong{color:var(--tone)}
.command{display:flex;align-items:flex-start;gap:.5rem;background:var(--sunk);border-radius:8px;padding:.3rem .35rem .3rem .7rem;max-width:100%}
.command code{flex:1;min-width:0;padding:.2rem 0}
.command button{flex:none;min-height:1.75rem;padding:.05rem .6rem;font-size:.8125rem}
summary{cursor:pointer;color:var(--link);width:fit-content;padding:.1rem 0}
summary::marker{color:var(--quiet)}
.evidence{margin-top:1rem;border-top:1px solid var(--line);padding-top:.7rem}
.evidence>summary{font-weight:600}
.label{font-size:.8125rem;font-weight:650;color:var(--quiet);text-transform:uppercase;letter-spacing:.05em;margin-bottom:.2rem}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem;margin-top:.6rem}
@media (min-width:60rem){.sides.streamed{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}}
.side{min-width:0;border:1px solid var(--line);border-radius:10px;padding:.7rem .9rem .9rem}
.side>*+*{margin-top:.4rem}
.line{overflow-wrap:anywhere}
.line code{font-weight:650}
pre{background:var(--sunk);border-radius:8px;padding:.7rem .85rem;margin:0;max-height:30rem;overflow:auto;white-space:pre-wrap;line-height:1.5}
mark{color:inherit;border-radius:3px;padding:0 .15rem;margin:0 -.15rem;-webkit-box-decoration-break:clone;box-decoration-break:clone}
mark.wrong{background:var(--fail-tint);box-shadow:inset 0 -2px 0 var(--fail);font-weight:650}
.v-warn mark.wrong{background:var(--warn-tint);box-shadow:inset 0 -2px 0 var(--warn)}
mark.edit{background:var(--edit-tint);box-shadow:inset 0 -2px 0 var(--link)}
.gap{color:var(--quiet)}
.headers ul{padding:.2rem 0 .2rem .2rem}
.headers li{padding:.1rem 0}
.change{margin-top:1rem}
.change details{margin-top:.5rem}
.scroll{overflow-x:auto}
.rows{margin-top:.5rem;display:grid;gap:.3rem}
.ids{display:flex;flex-wrap:wrap;gap:.25rem .9rem;padding:.15rem 0}
.idle{margin-top:1rem}
.idle>summary{padding:.3rem 0}
.idle .reason{margin-top:1rem}
.reason{padding:.9rem 1.2rem;border-left:5px solid var(--tone)}
`;

const TABLES = `
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.45rem .9rem .45rem 0;font-weight:400;overflow-wrap:anywhere}
thead th{color:var(--quiet);font-size:.8125rem;border-bottom:1px solid var(--line);white-space:nowrap}
tbody tr+tr>*{border-top:1px solid var(--line)}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.numbers thead th:not(:first-child){text-align:right}
.numbers th .quiet{display:block;font-size:.8125rem}
.numbers td:not(.zero){color:inherit}
.numbers td.v-fail,.numbers td.v-warn,.numbers td.v-inconclusive{color:var(--tone);font-weight:650}
.zero{color:var(--quiet)}
.bar-cell{width:22%;min-width:3rem;vertical-align:middle;padding-right:0}
.bar{display:block}
.bar-all{fill:var(--sunk)}
.bar-part{fill:var(--observed)}
.coverage{background:var(--card);border:1px solid var(--line);border-radius:12px;border-collapse:separate;border-spacing:0;padding:.4rem 1.2rem}
.coverage th[scope=row]{width:56%}
.summary,.why{display:block}
.coverage .summary{margin-top:.1rem}
.why{color:var(--quiet);font-size:.875rem}
.level{display:block}
.coverage td .quiet{font-size:.875rem}
.events td,.events th{padding:.15rem .8rem .15rem 0}
.events td:last-child{width:100%}
.events .marked>*{background:var(--sunk)}
.events thead th{padding-bottom:.3rem}
.cases{display:grid;grid-template-columns:minmax(0,1fr);gap:.4rem}
.case{padding:.45rem 1rem;border-radius:8px;scroll-margin-top:1rem}
.case>summary{width:auto;color:inherit;overflow-wrap:anywhere}
.case>summary .title{color:var(--quiet);margin-left:.4rem}
.case[open]{padding-bottom:1rem}
.case[open]>*+*{margin-top:.7rem}
.observations{display:grid;grid-template-columns:minmax(0,1fr);gap:.6rem}
.observation{padding:.8rem 1.2rem}
.observation .facts{margin-top:.35rem}
.observation .facts>div{grid-template-columns:minmax(7.5rem,14rem) minmax(0,1fr)}
.cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}
.cards.wide{display:block;columns:27rem;column-gap:1rem}
.cards.wide .card{break-inside:avoid;margin-bottom:1rem}
.card{padding:1rem 1.2rem;min-width:0}
.card h3{margin-bottom:.5rem}
.hash{font-size:.8125rem}
.stream{padding:.9rem 1.2rem}
.timeline svg{display:block;overflow:visible}
.timeline text{font:.75rem var(--sans);fill:var(--quiet)}
.timeline figcaption{font-size:.875rem;color:var(--quiet)}
.axis{stroke:var(--line)}
.pause{fill:var(--warn-tint)}
.event{stroke-width:2;stroke:var(--link)}
.event.other{stroke:var(--quiet)}
.event.wrong{stroke:var(--fail);stroke-width:4}
.read{stroke:var(--observed);stroke-width:2;opacity:.75}
.headers-at{stroke:var(--quiet);stroke-dasharray:3 3}
.first{fill:var(--pass)}
.end{stroke:var(--text);stroke-width:2}
.end.wrong{stroke:var(--fail);stroke-width:3}
`;

const NARROW = `
@media (max-width:44rem){
main,.top,.contents,footer{padding-left:.9rem;padding-right:.9rem}
.verdict{padding:1rem;gap:.8rem}
.medal{width:2.2rem;height:2.2rem;font-size:1.15rem}
#overview,.finding{padding:1rem}
.facts>div,.observation .facts>div{grid-template-columns:minmax(0,1fr)}
.side{padding:.6rem .7rem .8rem}
.coverage{padding:.2rem .9rem}
.coverage thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.coverage,.coverage tbody{display:block}
.coverage tr{display:grid;grid-template-columns:1fr auto;gap:.1rem .8rem;padding:.7rem 0}
.coverage tr+tr{border-top:1px solid var(--line)}
.coverage tr>*{display:block;padding:0;border:0!important}
.coverage th[scope=row]{grid-column:1/-1;grid-row:2;width:auto}
.coverage td:nth-child(3){grid-row:1;grid-column:2;text-align:right}
.coverage td:nth-child(4){grid-column:1/-1}
.coverage .level{display:inline}
.case>summary .title{display:block;margin-left:1.7rem}
.bar-cell{display:none}
.change td,.change th{min-width:6rem}
}
`;

export const PARTS_STYLE = `${OVERVIEW}${FILTERS}${FINDINGS}${TABLES}${NARROW}`;
