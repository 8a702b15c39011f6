import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutBodies } from '../../report/without-bodies.ts';
import type { Report } from '../../report/report.ts';
import { quoteText } from '../../text/quote.ts';
import { agentProblems, quotedIn } from '../../../test/kit/agent-reading.ts';
import {
  broken,
  clause,
  conforming,
  counts,
  exchange,
  expectation,
  finding,
  oneCase,
} from '../../../test/kit/sample-reports.ts';
import { excused } from '../../../test/kit/excused-reports.ts';
import { POISONS, poisoned } from '../../../test/kit/poisoned-reports.ts';
import { render } from '../index.ts';
import { asciiJson } from '../document/write-agent.ts';

/** As the unit `binary`, whose table of all of them takes a second to make. */
const CODE_POINT = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

const MARK = 'pwned';
const agentText = (report: Report): string => render(report, 'agent', { fullReport: 'out/report.json' });

/** Everything that a target can say, in one failure of each of so many clauses. */
function withTexts(texts: readonly string[], causes = texts.length): Report {
  const names = Array.from({ length: causes }, (_cause, at) => `area.clause-${at}`);
  const textAt = (at: number): string => `${MARK}${texts[at % texts.length] ?? ''}`;
  const base = broken();
  return broken({
    target: { ...base.target, model: textAt(0) },
    counts: { ...base.counts, cases: counts({ fail: causes }) },
    clauses: names.map((id) => clause(id, { verdict: 'fail', cases: [`area/case-${id.slice(12)}`] })),
    cases: names.map((id, at) =>
      oneCase(
        `area/case-${at}`,
        [
          expectation(id, {
            verdict: 'fail',
            shared: [{ trait: 'server', value: quoteText(textAt(at)) }],
            findings: [
              finding({
                exchange: `area/case-${at}`,
                pointer: `/error/${textAt(at)}`,
                actual: { kind: 'value', value: quoteText(textAt(at)) },
                actualType: 'string',
                answer: { status: 400, code: quoteText(textAt(at)), message: quoteText(textAt(at)) },
              }),
            ],
          }),
        ],
        {
          verdict: 'fail',
          exchange: `area/case-${at}`,
          edits: [{ kind: 'set', pointer: '/model', value: '${otherModel}' }],
          repeat: `curl --data-raw '{"model":"${textAt(at)}"}'`,
        },
      ),
    ),
    exchanges: names.map((_id, at) =>
      exchange(`area/case-${at}`, {
        body: JSON.stringify({ model: textAt(at) }),
        repeat: `curl --data-raw '{"model":"${textAt(at)}"}'`,
      }),
    ),
  });
}

describe('output for agents', () => {
  it('has the verdict first and the exit code with its meaning last', () => {
    const lines = agentText(broken()).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^DOES NOT CONFORM: /);
    expect(lines.at(-1)).toBe('Exit code 1: does not conform');
    expect(agentText(conforming())).toMatch(/^CONFORMS: [^]*\nExit code 0: conforms\n$/);
  });

  it('has what it takes to mend a failure, and the path of the full report', () => {
    const text = agentText(withTexts(['x']));
    for (const label of ['Requirement', 'Expected', 'Actual', 'Request', 'Repeat', 'Explain']) {
      expect(text).toMatch(new RegExp(`^${label}: .`, 'm'));
    }
    expect(text).toContain('Full report: out/report.json');
    expect(text).toMatch(/^Repeat: .*wirecheck run \S+ --only area\/case-0 /m);
  });

  it('shows failures only, and names the clauses of warnings', () => {
    const text = agentText(broken());
    expect(text.match(/^\[\d+\]/gm)?.length).toBe(1);
    expect(text).toMatch(/^Warnings, which do not fail the run: 1 cause/m);
  });

  it('takes at most 8 KB for a hundred failures, and names those without details', () => {
    const text = agentText(withTexts(['a "text" that is \u202e long '.repeat(40)], 100));
    expect(agentProblems(text, MARK)).toEqual([]);
    expect(text).toMatch(/^Broken: 100 causes in 100 cases$/m);
    const [, more] = /^Also broken, (\d+) more causes without details \(--only CLAUSE shows one\): /m.exec(text) ?? [];
    expect(Number(more) + (text.match(/^\[\d+\]/gm)?.length ?? 0)).toBe(100);
  });

  it('names no cause without details where there is room for all of them', () => {
    const sizes: number[] = [];
    for (
      let text = '';
      sizes.length < 40 && !text.includes('Also broken');
      text = agentText(withTexts(['x'], sizes.length))
    )
      sizes.push(Buffer.byteLength(text));
    const [last = 0, largest = 0] = sizes.slice(-2);
    expect(largest + (largest - last)).toBeGreaterThan(8 * 1024 - 100);
  });

  it.each(Object.entries(POISONS))('keeps to its size with %s in every text of a stored report', (_name, poison) => {
    for (const report of [broken(), excused()]) {
      const text = agentText(poisoned(report, poison));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
      expect(text).toMatch(/\nExit code \d+: .+\n$/);
    }
  });

  it('says once what two causes of one clause have in common', () => {
    const report = withTexts(['x']);
    const [testCase] = report.cases;
    const [first] = testCase?.expectations ?? [];
    if (!testCase || !first) throw new Error('no case');
    const findings = [finding({ actual: { kind: 'value', value: 404 }, pointer: '/error/type' }), finding()];
    const text = agentText({ ...report, cases: [{ ...testCase, expectations: [{ ...first, findings }] }] });
    expect(text.match(/^Requirement: /gm)).toHaveLength(1);
    expect(text.match(/^Explain: /gm)).toHaveLength(1);
    expect(text).toMatch(/^\[2\] area\.clause-0 .* in area\/case-0, otherwise as \[1\]\n(?:Expected|Actual): /m);
  });

  it('has no colour, whatever the screen can do', () => {
    expect(render(broken(), 'agent', { colour: true, width: 40 })).toBe(render(broken(), 'agent'));
  });
});

describe("the target's text", () => {
  it('stands only on its own lines, as ASCII JSON strings, at most 300 characters a cause', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: CODE_POINT, maxLength: 200 }), { minLength: 1, maxLength: 6 }),
        (texts) => {
          expect(agentProblems(agentText(withTexts(texts)), MARK)).toEqual([]);
        },
      ),
    );
  });

  it('is quoted where it says what came', () => {
    const [first] = quotedIn(agentText(withTexts([' "quoted"\ntarget> x'])));
    expect(JSON.parse(first ?? '')).toContain(MARK);
  });

  it('is left out entirely by --no-bodies, also from a stored report', () => {
    const text = agentText(withoutBodies(withTexts(['a', 'b'])));
    expect(text).not.toContain('target> ');
    expect(text).not.toContain('Untrusted');
    expect(text).not.toContain(MARK);
    expect(agentText(withTexts(['a']))).toContain('target> ');
  });

  it('is cut between escapes', () => {
    expect(asciiJson('a\u202eb', 300)).toBe(String.raw`"a\u202eb"`);
    expect(asciiJson('\u202e'.repeat(100), 30)).toBe(String.raw`"\u202e\u202e\u202e\u202e..."`);
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), fc.integer({ min: 5, max: 100 }), (text, most) => {
        const json = asciiJson(text, most);
        expect(json.length).toBeLessThanOrEqual(most);
        const value = JSON.parse(json) as string;
        expect(value === text || text.startsWith(value.slice(0, -3))).toBe(true);
      }),
    );
  });
});
