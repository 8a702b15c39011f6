import { describe, expect, it } from 'vitest';
import type { AffectedClients, ExchangeReport } from '../report/report.ts';
import { EFFECTS } from '../contract/stock-clients.ts';
import { POISONS } from '../../test/kit/poisoned-reports.ts';
import { broken, exchange } from '../../test/kit/sample-reports.ts';
import { formatAffected } from './finding-text.ts';
import { render } from './index.ts';

/** The kind of mismatch that the sample report has. */
const KIND = {
  clause: 'errors.code',
  call: 'stream',
  mismatch: 'type',
  actual: 'integer',
  pointer: '/error/code',
} as const;

const clients = (more: Partial<AffectedClients> = {}): AffectedClients => ({
  ...KIND,
  affected: [
    { client: 'sdk 6.49 for JavaScript', effect: 'throws' },
    { client: 'AI kit 6', effect: 'rejects' },
  ],
  unaffected: ['Chain.js', 'sdk for Python'],
  ...more,
});
const streamed = { endpoint: 'chat', mode: 'stream' } as const;
const report = (mismatch: AffectedClients, asked: Partial<ExchangeReport> = streamed) =>
  broken({
    affected: { measured: '2026-11-15', mismatches: [mismatch] },
    exchanges: [exchange('auth/unknown-key[models]', asked), exchange('parameters/temperature-above-range', asked)],
  });
/** An exchange that ended with this status. */
const answeredWith = (status: number): Partial<ExchangeReport> => {
  const [attempt] = exchange('x').attempts;
  return attempt?.answer ? { ...streamed, attempts: [{ ...attempt, answer: { ...attempt.answer, status } }] } : {};
};

describe('the affected clients', () => {
  it.each(['terminal', 'markdown', 'html', 'github'] as const)('are named with the finding in %s', (format) => {
    const text = render(report(clients()), format, { width: 400 }).replaceAll(/<[^>]+>|\\/g, ' ');
    const words =
      '[Aa]ffected:? +\\(measured 2026-11-15, default settings\\): sdk 6.49 for JavaScript \\(throws\\), AI kit 6 \\(rejects the chunk\\); not Chain.js, sdk for Python';
    expect(text.replaceAll(/\s+/g, ' ').replaceAll('%3A', ':')).toMatch(new RegExp(words));
  });

  it.each([
    { clause: 'errors.type' },
    { call: 'plain' as const },
    { mismatch: 'absent' },
    { actual: 'null' },
    { pointer: '/code' },
  ])('are not named if another kind of mismatch was measured: %o', (other) => {
    expect(render(report(clients(other)), 'terminal')).not.toContain('Affected');
  });

  it('come first if none of them is hurt, since others may be', () => {
    const spared = report(clients({ affected: [] }));
    const explanation = { reading: 'r', hurts: 'Typed clients fail.' };
    const clauses = spared.clauses.map((each) => ({ ...each, explanation }));
    const text = render({ ...spared, clauses }, 'terminal').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /Who is hurt none of the 2 clients measured \(2026-11-15, .*\): .*\. Others: Typed clients fail\./,
    );
    expect(text).not.toContain('Affected');
  });

  it('are named apart where it depends on the answer', () => {
    const some = clients({ affected: [{ client: 'a 1', effect: 'throws' }], unaffected: ['b 2'], depending: ['c 3'] });
    expect(formatAffected({ measured: '2026-11-15', mismatches: [some] })).toMatch(
      /: a 1 \(throws\); not b 2; depending on the answer: c 3$/,
    );
    expect(render(report(some), 'html')).toMatch(/c 3<\/t[dh]>\s*<td[^>]*>depending on the answer/);
  });

  it('are not named for an error answer, which clients make known whatever it holds', () => {
    expect(render(report(clients(), answeredWith(200)), 'terminal')).toContain('Affected');
    expect(render(report(clients(), answeredWith(401)), 'terminal')).not.toContain('Affected');
  });

  it('are named per call where the calls differ', () => {
    const list = clients({ call: 'models', affected: [{ client: 'a 1', effect: 'empty' }], unaffected: [] });
    const plain = clients({ call: 'plain', affected: [], unaffected: ['a'] });
    expect(formatAffected({ measured: '2026-11-15', mismatches: [list, plain] })).toBe(
      '(measured 2026-11-15, default settings): model list: a 1 (returns no ids). plain: none of 1 client',
    );
  });

  it('are told to be none, with the names of those that were measured', () => {
    const plain = clients({ affected: [], unaffected: ['a', 'b'] });
    expect(formatAffected({ measured: '2026-11-15', mismatches: [plain] })).toBe(
      'none of the 2 clients measured (2026-11-15, default settings): a, b',
    );
  });

  it.each(EFFECTS)('have words for %s', (effect) => {
    const text = formatAffected({ measured: 'x', mismatches: [clients({ affected: [{ client: 'a', effect }] })] });
    expect(text).toMatch(/: a \([a-z0-9 ]{5,}\); not/);
  });

  it.each(Object.entries(POISONS))('are inert when a stored report has %s', (_name, poison) => {
    const text = formatAffected({
      measured: poison,
      mismatches: [clients({ affected: [{ client: poison, effect: 'hangs' }], unaffected: [poison] })],
    });
    // oxlint-disable-next-line no-control-regex -- colours are control sequences
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });
});
