/** Colours, type and the frame of the page. Light and dark are two tables of the same names. */
import { PARTS_STYLE } from './style-parts.ts';
import { PRINT_STYLE } from './style-print.ts';

type Palette = Readonly<Record<(typeof NAMES)[number], string>>;

const NAMES = [
  'page',
  'card',
  'sunk',
  'line',
  'text',
  'quiet',
  'link',
  'focus',
  'fail',
  'warn',
  'inconclusive',
  'pass',
  'observed',
  'skipped',
  'none',
  'fail-tint',
  'warn-tint',
  'inconclusive-tint',
  'pass-tint',
  'edit-tint',
  'on-fill',
  'fail-fill',
  'warn-fill',
  'inconclusive-fill',
  'pass-fill',
  'observed-fill',
  'pass-soft',
  'observed-soft',
] as const;

/** Text colours keep a contrast of at least 4.5 to 1 against page, card, sunk and their own tint. */
const LIGHT: Palette = {
  page: '#f7f8fa',
  card: '#ffffff',
  sunk: '#f1f3f6',
  line: '#d9dee5',
  text: '#1a2029',
  quiet: '#566070',
  link: '#0a54b4',
  focus: '#0a54b4',
  fail: '#b3261e',
  warn: '#885300',
  inconclusive: '#6a3ea1',
  pass: '#1b6e43',
  observed: '#3f5f7d',
  skipped: '#5d6673',
  none: '#5d6673',
  'fail-tint': '#fdecea',
  'warn-tint': '#fdf3e0',
  'inconclusive-tint': '#f4edfb',
  'pass-tint': '#e8f5ed',
  'edit-tint': '#e3eefb',
  'on-fill': '#ffffff',
  'fail-fill': '#d33a2f',
  'warn-fill': '#e9a820',
  'inconclusive-fill': '#8a5cc4',
  'pass-fill': '#5fb488',
  'observed-fill': '#9db8d1',
  'pass-soft': '#d3ecdd',
  'observed-soft': '#dfe8f1',
};

const DARK: Palette = {
  page: '#0e1217',
  card: '#161b22',
  sunk: '#1d242d',
  line: '#313b47',
  text: '#e4e9ef',
  quiet: '#9ba8b6',
  link: '#7fb5ff',
  focus: '#7fb5ff',
  fail: '#ff8d80',
  warn: '#efb550',
  inconclusive: '#c5a5f3',
  pass: '#6fd39a',
  observed: '#93b8da',
  skipped: '#9ba8b6',
  none: '#9ba8b6',
  'fail-tint': '#3a1b1a',
  'warn-tint': '#33270f',
  'inconclusive-tint': '#2a1f3a',
  'pass-tint': '#14301f',
  'edit-tint': '#17304f',
  'on-fill': '#10141a',
  'fail-fill': '#f2695c',
  'warn-fill': '#e9ad3c',
  'inconclusive-fill': '#b48ce8',
  'pass-fill': '#3f9468',
  'observed-fill': '#4f708f',
  'pass-soft': '#1d4230',
  'observed-soft': '#243648',
};

function variables(palette: Palette): string {
  return NAMES.map((name) => `--${name}:${palette[name]};`).join('');
}

const FRAME = `
:root{${variables(LIGHT)}color-scheme:light;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables(DARK)}color-scheme:dark}}
@media screen{:root[data-theme=dark]{${variables(DARK)}color-scheme:dark}}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.55 var(--sans)}
h1,h2,h3,p,ul,dl,dd,figure,fieldset{margin:0;padding:0}
ul{list-style:none}
fieldset{border:0;min-width:0}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
code,pre,.said{unicode-bidi:isolate}
code,pre,p,li,dd,dt,h1,h2,h3,summary,span,strong{overflow-wrap:anywhere;min-width:0}
code,pre{font-family:var(--mono);font-size:.875em}
pre code{font-size:1em}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:4px}
h2:focus-visible,h3:focus-visible,main:focus-visible{outline-width:2px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.quiet,.note{color:var(--quiet)}
.note{font-size:.875rem}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--card);padding:.5rem 1rem;z-index:3}
.skip:focus{top:.5rem}
.top{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:1rem 1.25rem .25rem;max-width:84rem;margin:0 auto}
.name{font-weight:650;letter-spacing:-.01em}
.name .quiet{font-weight:400;margin-left:.35rem}
button,select,input[type=search]{font:inherit;font-size:.9375rem;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.35rem .7rem;min-height:2.25rem}
select{max-width:100%;min-width:0}
button{cursor:pointer}
button:hover{border-color:var(--quiet)}
.contents{max-width:84rem;margin:0 auto;padding:.25rem 1.25rem}
.contents ul{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;font-size:.9375rem}
.contents a{color:var(--quiet);text-decoration:none;display:inline-block;padding:.25rem 0}
.contents a:hover{color:var(--link);text-decoration:underline}
main{display:block;max-width:84rem;margin:0 auto;padding:.75rem 1.25rem 3rem;min-width:0;outline-offset:-2px}
main>*+*{margin-top:1.5rem}
section{scroll-margin-top:1rem}
h2{font-size:1.375rem;line-height:1.3;letter-spacing:-.01em;font-weight:650}
h2 .quiet{font-weight:400}
h3{font-size:1.0625rem;line-height:1.4;font-weight:600}
.count{color:var(--quiet);font-weight:400;font-size:1rem;margin-left:.3rem;font-variant-numeric:tabular-nums}
.lead{color:var(--quiet);max-width:46rem;margin:.15rem 0 .9rem}
section>h2+:not(.lead){margin-top:.9rem}
.nothing{color:var(--quiet);font-style:italic}
section.empty>:not(h2):not(.nothing){display:none}
footer{max-width:84rem;margin:0 auto;padding:0 1.25rem 2rem;color:var(--quiet);font-size:.875rem}
@media (min-width:70rem){
body{display:grid;grid-template-columns:13rem minmax(0,1fr);max-width:88rem;margin:0 auto}
.top,footer{grid-column:1/-1;width:100%}
.contents{position:sticky;top:0;align-self:start;padding:1rem 0 1rem 1.25rem;width:100%}
.contents ul{flex-direction:column;gap:.15rem}
}
`;

export const STYLE = `${FRAME}${PARTS_STYLE}${PRINT_STYLE}`;
