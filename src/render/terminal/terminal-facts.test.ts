import { describe, expect, it } from 'vitest';
import { PREREQUISITES } from '../../suite/case.ts';
import type { Reason } from '../../verdict/reason.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import { render } from '../index.ts';
import { flaky, partlyTested } from '../../../test/kit/reserved-reports.ts';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';

describe('the terminal report', () => {
  it('has one line on observations, which says where to read them', () => {
    const line = 'Recorded:   2 things the contract leaves open; ';
    expect(render(broken(), 'terminal', { page: 'page.html' })).toContain(`\n${line}see page.html\n`);
    const summary = { written: ['summary.html'] };
    expect(render(broken(), 'terminal', summary)).toContain(`\n${line}--verbose lists them\n`);
    expect(render(broken(), 'terminal')).toContain(`\n${line}--verbose lists them\n`);
  });

  it('has the numbers of --counts, and so has the output for agents', () => {
    const of = { clause: 'usage.signature', case: 'counts/signature' };
    const found = [
      { name: 'prompt-constant', value: 44, ...of } as const,
      { name: 'letter-tokens', of: 'Latin', value: 25, ...of } as const,
    ];
    const report = conforming({ observations: found });
    const line = /Counts: tokens .+ not send: 44; tokens .+ Latin letters: 25 /;
    for (const format of ['terminal', 'agent'] as const)
      expect(render(report, format).replaceAll(/\s+/g, ' ')).toMatch(line);
    expect(render(conforming(), 'terminal')).not.toContain('Counts:');
  });

  it('keeps a blank between a label that fills its column and the text', () => {
    const facts = [{ label: 'Not counted', text: '1 waived' }];
    expect(writeTerminal([[{ kind: 'facts', facts }]], { width: 80, colour: false })).toBe('Not counted: 1 waived\n');
  });

  it('names the edition and its digest with --verbose only, if the report has one', () => {
    const report = broken({ edition: '2026.1', editionDigest: 'b'.repeat(64) });
    const line = `\nEdition:    2026.1 ${'b'.repeat(64)}\n`;
    expect(render(report, 'terminal', { detail: 'verbose' })).toContain(line);
    expect(render(report, 'terminal')).not.toContain('Edition:');
    expect(render(broken(), 'terminal', { detail: 'verbose' })).not.toContain('Edition:');
  });

  it('says whose contract v1 is above the verdict, if the prefix of keys is broken', () => {
    const hint = 'v1 is the contract of one service';
    const own = oneCase('auth/key-prefix', [
      expectation('auth.key-prefix', { verdict: 'fail', findings: [finding()] }),
    ]);
    const report = broken();
    const text = render({ ...report, cases: [...report.cases, own] }, 'terminal', { width: 200 });
    expect(text.indexOf(hint)).toBeGreaterThan(text.lastIndexOf('✗ auth.key-prefix'));
    expect(text.indexOf(hint)).toBeLessThan(text.indexOf('DOES NOT CONFORM'));
    expect(render(broken(), 'terminal', { width: 200 })).not.toContain(hint);
  });

  it('has a line for each reason why clauses were not judged, with the settings that enable them', () => {
    expect(render(partlyTested(), 'terminal')).toContain(
      '\n  - set WIRECHECK_RESTRICTED_KEY and pass --forbidden-model (1 clause, 1 must)\n',
    );
  });

  it('shows cases that answered only on a retry, and what came first', () => {
    expect(render(flaky(), 'terminal')).toContain(
      '\nFlaky:      1 case answered only on a retry: chat/a (503, then 200)\n',
    );
    expect(render(broken(), 'terminal')).not.toContain('Flaky');
  });

  it('tells a clause that never came up from those that were not tested', () => {
    const skipped = (id: string, reason: Reason) => expectation(id, { verdict: 'skipped', reason });
    const cases = [
      oneCase('chat/a', [
        skipped('a.a', { kind: 'no-occasion', of: 'error' }),
        skipped('a.b', { kind: 'see-clause', because: 'no-delta', clause: 'stream.choice-delta' }),
      ]),
      oneCase('chat/b', [
        skipped('a.c', { kind: 'no-stop' }),
        skipped('a.d', { kind: 'needs', settings: ['openapi'] }),
      ]),
    ];
    const clauses = ['a.a', 'a.b', 'a.c', 'a.d'].map((id) => clause(id, { verdict: 'skipped', scope: 'description' }));
    expect(render(conforming({ cases, clauses }), 'terminal')).toContain(
      [
        '  - pass --openapi (1 clause, 1 must)',
        '  - the stream carried no text and did not end with stop (1 clause, 1 must)',
        '  - never came up in this run (2 clauses, 2 must)',
        '',
      ].join('\n'),
    );
  });

  it('names a context that was not reached before settings that were not given', () => {
    const reason = { kind: 'context-not-reached', tokens: 999, context: 1000 } as const;
    const needs = PREREQUISITES.slice(0, 6).map((setting) => ({ kind: 'needs', settings: [setting] }) as const);
    const reasons: readonly Reason[] = [...needs, reason];
    const cases = reasons.map((each, index) =>
      oneCase(`chat/${index}`, [expectation(`a.${index}`, { verdict: 'skipped', reason: each })]),
    );
    const clauses = reasons.map((_, index) => clause(`a.${index}`, { verdict: 'skipped', scope: 'extra-key' }));
    expect(render(conforming({ cases, clauses }), 'terminal')).toMatch(
      /\nNot judged: 7 of 7 clauses .*\n {2}- the prompt had only 999 tokens by the answer,/,
    );
  });

  it('does not call a clause not tested if another case judged it', () => {
    const reason = { kind: 'needs', settings: ['openapi'] } as const;
    const cases = [oneCase('chat/a', [expectation('a.a', { verdict: 'skipped', reason })])];
    expect(render(conforming({ cases, clauses: [clause('a.a')] }), 'terminal')).not.toContain('Not tested');
  });

  it('shows every reason of inconclusive cases', () => {
    const untested = expectation('a.b', { verdict: 'inconclusive', reason: { kind: 'no-occasion', of: 'error' } });
    const text = render(conforming({ cases: [oneCase('chat/a', [untested])] }), 'terminal');
    expect(text).toContain('\n  ? no answer was an error (1 case)\n');
  });

  it('lists cases without a clear answer by reason, and names them when verbose', () => {
    const line = '\n  ? no answer within --timeout: raise --timeout if it is only slow (1 case)\n';
    expect(render(broken(), 'terminal')).toContain(line);
    expect(render(broken(), 'terminal')).not.toContain('chat/slow');
    expect(render(broken(), 'terminal', { detail: 'verbose' })).toContain(`${line}    chat/slow\n`);
  });

  it('shows observations, tolerance in both directions, the areas and the cost', () => {
    const text = render(broken(), 'terminal', { width: 120, detail: 'verbose' });
    expect(text).toContain('  chat.created  unit of created: seconds');
    expect(text).toContain('  errors.codes  error.code: 401, invalid_key');
    expect(text).toContain(
      '1 of 2 cases with unknown request fields answered; 1 extra field in answers: completion /system_fingerprint',
    );
    expect(text).toMatch(/^auth +4 +· +2 +· +2 +·$/m);
    expect(text).toMatch(/^all +7 +1 +2 +1 +3 +·$/m);
    expect(text).toContain('90 requests (planned 90 to 240), 20 completions charged (planned 20 to 70)');
    expect(render(broken(), 'terminal')).toContain(
      '\nCost:       90 requests, 20 completions charged, about 400 tokens\n',
    );
  });

  it('says that the requests of --wait-for are not counted', () => {
    const { provenance } = broken();
    const text = render(broken({ provenance: { ...provenance, settings: { waitFor: 60_000 } } }), 'terminal');
    expect(text).toContain(
      '\nCost:       90 requests, 20 completions charged, about 400 tokens, besides requests of --wait-for\n',
    );
  });

  it('explains how a run can cost more tokens than planned', () => {
    const { cost } = broken();
    const text = render(broken({ cost: { ...cost, used: { ...cost.used, tokens: 4131 } } }), 'terminal');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /4,131 tokens; the plan was at most [\d,]+, not counting replies to requests without a valid max_tokens/,
    );
  });

  it('shows who spent the time, and the slowest requests when verbose', () => {
    const time = {
      wall: 2_200,
      target: 1_900,
      pauses: 0,
      checker: 300,
      slowest: [
        { exchange: conforming().exchanges[1]?.id ?? '', time: 391.2 },
        { exchange: conforming().exchanges[0]?.id ?? '', time: 29 },
      ],
    };
    const text = render(conforming({ time }), 'terminal');
    expect(text).toMatch(/^Time: +\d+\.\d s \(1\.9 s waiting for the target, 0\.3 s in wirecheck\)$/m);
    expect(text).not.toContain('Slowest');
    const slowed = render(conforming({ time: { ...time, pauses: 30_000 } }), 'terminal', { detail: 'verbose' });
    expect(slowed).toContain('1.9 s waiting for the target, 30.0 s pausing, 0.3 s in wirecheck');
    expect(slowed).toContain(
      'Slowest:    391 ms  POST /v1/chat/completions, streamed\n            29 ms  GET /v1/models\n',
    );
    expect(render(conforming(), 'terminal')).toMatch(/^Time: +\d+\.\d s$/m);
  });

  it('notes below the table that a case counts once, only if the lists would seem to contradict it', () => {
    const note = 'Each case counts once, by its worst verdict.';
    expect(render(broken(), 'terminal')).not.toContain(note);
    const both = [expectation('a', { verdict: 'fail' }), expectation('b', { verdict: 'warn' })];
    expect(render(broken({ cases: [oneCase('chat/a', both)] }), 'terminal')).toContain(note);
  });

  it('shows passed cases and the times of a stream when verbose', () => {
    const text = render(conforming(), 'terminal', { detail: 'verbose' });
    expect(text).toContain('✓ models/list  title of models/list (pass)');
    expect(text).toContain('GET /v1/models');
    expect(text).toContain('→ 200 in 4.4 ms, 2 bytes');
    expect(text).toContain('3 events in 1 read at 12 18 25 ms, ended: done');
  });

  it('puts long counts of an intermittent failure below what came, wrapped and indented', () => {
    const statuses = [400, 401, 402, 403, 404, 429].map((status) => ({ status, judged: 30, broken: 10 }));
    const findings = statuses.map(({ status }) => finding({ status, moreAnswers: 9 }));
    const answers = { judged: 180, broken: 60, statuses };
    const failed = expectation('errors.code', { verdict: 'fail', findings, answers, intermittent: true });
    const text = render(broken({ cases: [oneCase('a/b', [failed])] }), 'terminal', { width: 100 });
    const [, ...lines] = /\n( {15}intermittent: 10 of 30 answers.*)\n( {15}\S.*10 of 30 with 429)\n/.exec(text) ?? [];
    expect(lines.map((line) => line.length <= 100)).toEqual([true, true]);
  });
});
