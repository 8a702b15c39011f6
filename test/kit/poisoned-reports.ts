/** Reports in which everything that a target could have said, and much that it could not, tries to break out of the format. */
import type { Report } from '../../src/report/report.ts';
import { OBSERVATION_NAMES, OBSERVATION_NAMES_OF, OBSERVED_WORDS } from '../../src/verdict/observation.ts';

export const POISONS: Readonly<Record<string, string>> = {
  'escape sequences': '\u001b[31m\u009b2J\u0007\u0000',
  'bidi overrides': '\u202eedoc\u2066\u200b\ufeff',
  'what XML cannot write': '\u0001\ufffe\uffff\ud800\udc00\ud800',
  'line ends': 'a\r\nb\u2028c\u0085d',
  'the end of CDATA': ']]></failure></testcase><testcase name="x"/><![CDATA[',
  'markup and entities': "<script>alert(1)</script><!-- \" onload='x' &lt;&#10;&bogus; -->",
  'the end of a fold': '</summary></details><img src=x onerror=alert(1)>',
  'a table': '| a | b |\n|---|---|\n| c | d |',
  'links and images':
    '[click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example> www.evil.example',
  'mentions and references': '@octocat #1 GH-1 octo/repo#1 octo@evil.example 0a1b2c3d4e5f ',
  headings: '\n# big\n===\n- - * 1. > quote\n```\ncode\n~~~',
  'odd backticks': '` `` ``` x ```` `',
  'only backticks': '``',
  emphasis: '**bold** _it_ ~~no~~ \\ \\` :tada: $x$ \\(y\\)',
  'workflow commands': '\n::error file=a,line=1::boom\n::stop-commands::x\r\n::add-mask::e',
  'a command at once': '::error::boom ::warning::boom '.repeat(20),
  'escaped workflow commands': '%0A::error::boom%0D%0A%25',
  'commands within a line': '##[add-mask]x ##[error]y ##vso[task.setvariable variable=a]b',
  'properties of a command': 'a,line=9,title=b::c:d',
  expressions: '${{ secrets.TOKEN }} {0} {{1}} $(id) `id`',
  blanks: ' \u00a0\u3000 ',
  'one very long word': 'x'.repeat(100_000),
};

/** What a report may only have from a short list of words, or what is a time. */
const CLOSED = new Set([
  'format',
  'kind',
  'level',
  'levelWas',
  'scope',
  'verdict',
  'mode',
  'endpoint',
  'key',
  'use',
  'form',
  'place',
  'end',
  'setting',
  'limit',
  'startedAt',
  'endedAt',
  'excused',
  'since',
  'state',
  'today',
  'of',
  'because',
  'gap',
  'failure',
  'unit',
  'condition',
  'keyword',
  'settings',
]);
const CLOSED_NAMES: readonly string[] = [
  ...['wirecheck', 'conforms', 'conforms-in-part', 'does-not-conform', 'not-judged'],
  ...OBSERVATION_NAMES,
  ...OBSERVATION_NAMES_OF,
];

/** Observed words are closed, texts and quotes are not. The thing that was observed is free, unlike that of a reason. */
function isClosed(key: string, value: unknown, holder: object): boolean {
  if (key === 'name') return CLOSED_NAMES.includes(String(value));
  if (key === 'value') return [value].flat().every((each) => OBSERVED_WORDS.some((word) => word === each));
  return CLOSED.has(key) && !(key === 'of' && 'name' in holder && !('kind' in holder));
}

/** Equal texts stay equal, so what refers to something still does. */
export function poisoned(report: Report, poison: string): Report {
  const taint = (value: unknown): unknown => {
    if (typeof value === 'string') return `${poison}${value}`;
    if (Array.isArray(value)) return value.map(taint);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        const keeps = isClosed(key, each, value);
        return [key, keeps && (typeof each === 'string' || Array.isArray(each)) ? each : taint(each)];
      }),
    );
  };
  return taint(report) as Report;
}
