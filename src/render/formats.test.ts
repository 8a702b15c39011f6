import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Report } from '../report/report.ts';
import { CAUSES_IN, COUNTS_IN, FINDINGS_IN } from '../../test/kit/counts.ts';
import { excused, failing } from '../../test/kit/excused-reports.ts';
import { render } from './index.ts';
import { addCauses } from './json.ts';
import type { FormatName } from '../settings/format-names.ts';
import { junitProblems } from '../../test/kit/junit-schema.ts';
import { markupOf, outsideCode } from '../../test/kit/markdown-reading.ts';
import { POISONS, poisoned } from '../../test/kit/poisoned-reports.ts';
import { commandsIn } from '../../test/kit/github-runner.ts';
import { broken, conforming } from '../../test/kit/sample-reports.ts';
import { SARIF_SCHEMA } from '../../test/kit/sarif-schema.ts';
import { parseXml, skeletonOf } from '../../test/kit/xml.ts';

const notJudged = () =>
  broken({
    outcome: { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 2 },
    ending: { kind: 'unreachable', failure: { kind: 'tls', code: 'CERT', detail: 'a certificate' } },
    notices: [{ kind: 'recorded', sentence: 'The certificate is not checked.' }],
  });

const SAMPLES: readonly (readonly [string, Report])[] = [
  ['conforms', conforming()],
  ['does not conform', broken()],
  ['does not conform, strictly', broken({ strict: true })],
  ['is not judged', notJudged()],
  ['has failures that do not count', excused()],
];

describe('a run that did not verify the certificate', () => {
  const { provenance } = conforming();
  const insecure = conforming({ provenance: { ...provenance, settings: { 'tls.insecure': true } } });

  it.each(['terminal', 'html', 'junit', 'markdown', 'sarif', 'github'] as const)('says so in %s', (name) => {
    expect(render(insecure, name).replaceAll('`', '')).toContain('certificate not verified (--insecure)');
    expect(render(conforming(), name)).not.toContain('--insecure');
  });

  it('says so at the top of the page and of the Markdown', () => {
    expect(/class="about">(.*?)<\/p>/s.exec(render(insecure, 'html'))?.[1]).toContain('certificate not verified');
    expect(render(insecure, 'markdown').split('\n\n')[1]).toContain('certificate not verified');
    expect(render(insecure, 'terminal').split('\n')[0]).toContain('certificate not verified');
  });
});

describe('the words for the reader', () => {
  const told = conforming({ title: 'Audit of <b>Sea</b> | Q3', note: 'For Ada.\n\nSee *all* <i>of</i> it.' });

  it('are at the top of the Markdown, as plain text', () => {
    const [title, verdict, , note] = render(told, 'markdown').split('\n\n');
    expect(title).toBe('# Audit of `<b>Sea</b>` `|` Q3');
    expect(verdict).toMatch(/^## ✅ CONFORMS/);
    expect(note?.split('\n')).toEqual(['> For Ada.', '>', expect.stringMatching(/^> See `\*all\*/)]);
  });

  it('are at the top of the page, and its title', () => {
    const html = render(told, 'html');
    expect(html).toContain('<title>CONFORMS: Audit of &lt;b&gt;Sea&lt;/b&gt; | Q3 (wirecheck)</title>');
    expect(html).toContain('<p class="heading">Audit of &lt;b&gt;Sea&lt;/b&gt; | Q3</p>');
    expect(html.match(/<p class="remark">[^<]*<\/p>/g)).toHaveLength(2);
  });

  it('say what was tested', () => {
    const named = conforming({ product: { name: '<b>Sea</b>', version: '2.4', contact: 'qa@sea.example' } });
    expect(render(named, 'html')).toContain('&lt;b&gt;Sea&lt;/b&gt; 2.4 (contact: qa@sea.example)');
    expect(render(named, 'markdown')).toMatch(/ · `<b>Sea<\/b>.* 2\.4 /);
  });
});

describe('the counts of cases', () => {
  it.each(SAMPLES)('are the same in every format for a target that %s', (_what, report) => {
    for (const [name, countsIn] of Object.entries(COUNTS_IN)) {
      const counted = countsIn(render(report, name as FormatName));
      expect({ name, ...report.counts.cases, ...counted }).toEqual({ name, ...report.counts.cases });
    }
  });
});

describe('the counts of findings', () => {
  it.each<[string, Report, ReturnType<NonNullable<(typeof FINDINGS_IN)['terminal']>>]>([
    ['conforms', conforming(), { failures: 0, warnings: 0, known: 0, waived: 0, fixed: 0 }],
    ['does not conform', broken(), { failures: 2, warnings: 1, known: 0, waived: 0, fixed: 0 }],
    ['has failures that do not count', excused(), { failures: 1, warnings: 0, known: 1, waived: 1, fixed: 1 }],
    [
      'has one cause in several cases',
      excused({ cases: ['a', 'b', 'c'].flatMap(oneOfEach) }),
      { failures: 3, warnings: 0, known: 3, waived: 3, fixed: 1 },
    ],
  ])(
    'are those of the cases, not of the folded causes, in every format for a target that %s',
    (_what, report, findings) => {
      for (const [name, countsIn] of Object.entries(FINDINGS_IN)) {
        const counted = countsIn(render(report, name as FormatName));
        expect({ name, ...findings, ...counted }).toEqual({ name, ...findings });
      }
    },
  );

  it.each([
    ['does not conform', broken(), [1, 1]],
    ['has failures that do not count', excused(), [1, 0]],
    ['conforms', conforming(), [0, 0]],
  ] as const)('count the same causes, for a run that %s', (_what, report, causes) => {
    for (const [name, read] of Object.entries(CAUSES_IN))
      expect.soft(read(render(addCauses(report), name as FormatName)), name).toEqual(causes);
  });

  function oneOfEach(name: string): Report['cases'] {
    return [
      failing(`auth/new-${name}`, 'errors.message', undefined, { since: 'new' }),
      failing(`auth/old-${name}`, 'errors.object', 'known', { since: 'known' }),
      failing(`auth/known-${name}`, 'errors.code', 'waived', { waiver: 1 }),
    ];
  }
});

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const isSarif = ajv.compile(SARIF_SCHEMA);

/** Every key of a JSON value, without the values. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([key, each]) => [key, keysOf(each)])
    : typeof value;
}

const texts = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(texts)
      : [];

const OWN = ['junit', 'markdown', 'sarif', 'github', 'badge', 'summary'] as const satisfies readonly FormatName[];

/** Several tests look at one text. */
function keepTexts(report: Report) {
  const texts = new Map<FormatName, string>();
  const textOf = (format: FormatName): string => {
    const text = texts.get(format) ?? render(report, format);
    texts.set(format, text);
    return text;
  };
  return { report, textOf };
}

const CLEAN = [broken(), notJudged(), excused()].map(keepTexts);

describe.each(Object.entries(POISONS))('a report poisoned with %s', (_what, poison) => {
  const dirties = CLEAN.map(({ report }) => keepTexts(poisoned(report, poison)));
  const eachDirty = (format: FormatName, see: (dirty: string) => void) => {
    for (const { textOf } of dirties) see(textOf(format));
  };
  const each = (format: FormatName, see: (clean: string, dirty: string) => void) => {
    for (const [at, { textOf }] of CLEAN.entries()) see(textOf(format), dirties[at]?.textOf(format) ?? '');
  };

  it.each(OWN)('has no invisible characters as %s, and stays short', (format) => {
    eachDirty(format, (dirty) => {
      expect(dirty.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
      expect(dirty.length).toBeLessThan(100_000);
    });
  });

  it('is well-formed JUnit XML of the same shape', () => {
    each('junit', (clean, dirty) => {
      expect(junitProblems(parseXml(dirty))).toEqual([]);
      expect(skeletonOf(parseXml(dirty))).toEqual(skeletonOf(parseXml(clean)));
    });
  });

  it('is valid SARIF of the same shape, without a link or a placeholder in a message', () => {
    each('sarif', (clean, dirty) => {
      const log: unknown = JSON.parse(dirty);
      isSarif(log);
      expect(isSarif.errors ?? []).toEqual([]);
      expect(keysOf(log)).toEqual(keysOf(JSON.parse(clean)));
      const { results } = (log as { runs: { results: { message: unknown }[] }[] }).runs[0] ?? { results: [] };
      for (const text of results.flatMap(({ message }) => texts(message))) {
        expect(text.replaceAll(/\{\{|\}\}/g, '')).not.toMatch(/[{}]|(?<!\\)[[\]]/);
      }
    });
  });

  it('is Markdown with the same markup, with all foreign text in code', () => {
    for (const format of ['markdown', 'summary'] as const)
      each(format, (clean, dirty) => {
        expect(markupOf(dirty)).toEqual(markupOf(clean));
        expect(dirty.split('\n').map(outsideCode).join('\n')).not.toMatch(/https?:|www\.|GH-1|0a1b2c3d|^\s*1\./m);
      });
  });

  it('gives the same annotations, in the same places', () => {
    each('github', (clean, dirty) => {
      const shape = (text: string) =>
        commandsIn(text).map(({ name, properties, data }) => [name, Object.keys(properties), data.split('\n').length]);
      expect(shape(dirty)).toEqual(shape(clean));
      expect(dirty.trimEnd().split('\n')).toHaveLength(commandsIn(dirty).length);
    });
  });

  it.each(['terminal', 'json', 'html', 'junit', 'markdown', 'sarif', 'badge', 'summary'] as const)(
    'gives the runner no command as %s',
    (format) => {
      eachDirty(format, (dirty) => expect(commandsIn(dirty)).toEqual([]));
    },
  );

  it('does not change the badge, and its picture is well-formed XML of the same shape', () => {
    each('badge', (clean, dirty) => expect(dirty).toBe(clean));
    const shapeOf = (own: Report): unknown =>
      skeletonOf(parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${render(own, 'badge', { file: 'b.svg' })}`));
    for (const [at, { report }] of CLEAN.entries())
      expect(shapeOf(dirties[at]?.report ?? report)).toEqual(shapeOf(report));
  });
});

it('A terminal of any width gives the runner no command, wherever lines wrap', () => {
  const dirty = poisoned(broken(), POISONS['a command at once'] ?? '');
  for (let width = 40; width <= 120; width += 1) {
    const text = render(dirty, 'terminal', { width, detail: 'verbose' });
    expect([width, commandsIn(text)]).toEqual([width, []]);
  }
});
