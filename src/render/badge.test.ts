import { describe, expect, it } from 'vitest';
import type { Report } from '../report/report.ts';
import { baseline, excused, report, KNOWN, WAIVED, WAIVER, waivers, warning } from '../../test/kit/excused-reports.ts';
import { render } from './index.ts';
import { LOOKS } from './looks.ts';
import { verdictLine } from './verdict-line.ts';
import { broken, conforming } from '../../test/kit/sample-reports.ts';
import { allOf, parseXml, type XmlElement } from '../../test/kit/xml.ts';

const outcome = (name: Report['outcome']['name'], exit: 0 | 1 | 3) => ({ name, exit, mustClauses: 74, mustJudged: 61 });

const svgOf = (given: Report): XmlElement =>
  parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${render(given, 'badge', { file: 'badges/GATEWAY.SVG' })}`);

const withProfile = (name: string | undefined): Report => {
  const profile = { basedOn: 'v1', digest: 'd'.repeat(64), safetyChanges: 0, changes: [] } as const;
  return conforming({ profile: { ...profile, ...(name !== undefined && { name }) } });
};

/** WCAG 2.1, of white text on a colour such as `#c9352b`. */
function contrastToWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

const RED = '#c9352b';
const AMBER = '#a06500';

describe('the badge', () => {
  it.each<[Report, string, string]>([
    [conforming(), 'conforms', '#238553'],
    [conforming({ cases: [warning('a/b', 'a.b'), warning('a/c', 'c.d')] }), '2 warnings', AMBER],
    [conforming({ outcome: outcome('conforms-in-part', 0) }), 'conforms in part', AMBER],
    [broken(), '1 broken', RED],
    [excused(), '1 broken', RED],
    [broken({ outcome: outcome('not-judged', 3) }), 'not judged', '#7a4db3'],
    [
      report([WAIVED], 'conforms-but-waived', { outcome: outcome('conforms-but-waived', 0) }),
      'conforms except for waivers',
      AMBER,
    ],
    [
      report([KNOWN, WAIVED], 'no-new-violations', { outcome: outcome('no-new-violations', 0), baseline }),
      'no new violations',
      AMBER,
    ],
    [
      conforming({
        outcome: outcome('unused-waivers', 1),
        waivers: { ...waivers({ ...WAIVER, state: 'unused' }), failOnUnused: true },
      }),
      'unused waivers',
      RED,
    ],
  ])('is short, and has the format of a shields.io endpoint', (given, message, color) => {
    expect(JSON.parse(render(given, 'badge'))).toEqual({ schemaVersion: 1, label: 'wirecheck', message, color });
    const [, ...texts] = allOf(svgOf(given), 'text').map(({ text }) => text);
    expect(texts).toEqual([message]);
  });

  it('is a picture if its file is one, with a title, no script, and texts that fit', () => {
    const svg = svgOf(broken());
    expect([svg.name, svg.attributes['xmlns'], svg.attributes['role']]).toEqual([
      'svg',
      'http://www.w3.org/2000/svg',
      'img',
    ]);
    expect(svg.children[0]).toMatchObject({ name: 'title', text: `wirecheck: ${verdictLine(broken())}` });
    expect(svg.children.map(({ name }) => name)).toEqual(['title', 'rect', 'rect', 'g']);
    expect(svg.children[3]?.children.map(({ name }) => name)).toEqual(['text', 'text']);
    const [label, message] = allOf(svg, 'text').map(({ attributes }) => ({
      from: Number(attributes['x']),
      to: Number(attributes['x']) + Number(attributes['textLength']),
    }));
    const [all, split] = [svg, allOf(svg, 'rect')[1]].map((each) => Number(each?.attributes['width']));
    expect(label?.from).toBeGreaterThan(0);
    expect(label?.to).toBeLessThan(split ?? 0);
    expect(message?.from).toBeGreaterThan(split ?? Infinity);
    expect(message?.to).toBeLessThan(all ?? 0);
    expect(render(broken(), 'badge', { file: 'a.svg.json' })).toMatch(/^{/);
  });

  it('can be read by people who see little contrast', () => {
    for (const { fill } of Object.values(LOOKS)) expect([fill, contrastToWhite(fill) >= 4.5]).toEqual([fill, true]);
  });

  it('names the edition with its digest', () => {
    const given = conforming({ edition: '2030.1-draft', editionDigest: 'a'.repeat(64) });
    expect((JSON.parse(render(given, 'badge')) as { label: string }).label).toBe(
      'wirecheck 2030.1-draft (aaaaaaaaaaaa)',
    );
  });

  it('says that a contract of your own judged, whatever its name holds', () => {
    const given = withProfile('<acme> & "co"');
    expect((JSON.parse(render(given, 'badge')) as { label: string }).label).toBe('wirecheck, <acme> & "co"');
    expect(allOf(svgOf(given), 'text')[0]?.text).toBe('wirecheck, <acme> & "co"');
    expect(allOf(svgOf(withProfile(undefined)), 'text')[0]?.text).toBe('wirecheck, changed v1');
  });
});
