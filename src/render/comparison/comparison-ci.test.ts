import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { COMPARISON_FORMAT_NAMES, renderComparison } from './comparison.ts';
import { commandsIn } from '../../../test/kit/github-runner.ts';
import { agentProblems, quotedIn } from '../../../test/kit/agent-reading.ts';
import { junitProblems } from '../../../test/kit/junit-schema.ts';
import { parseXml } from '../../../test/kit/xml.ts';
import { SARIF_SCHEMA } from '../../../test/kit/sarif-schema.ts';
import { POISONS } from '../../../test/kit/poisoned-reports.ts';
import { RUN, change, comparison } from '../../../test/kit/comparisons.ts';

describe('a comparison for CI', () => {
  const warned = change({ kind: 'warning', what: 'refusal-status', place: { case: 'a/b' }, cause: '1'.repeat(16) });
  const waived = change({ excused: { by: 'waiver', reason: 'known', date: '2999-01-01' }, cause: '2'.repeat(16) });
  const result = comparison([change(), waived, warned]);

  it('is a JUnit file in which only what fails the comparison has failed', () => {
    const text = renderComparison(result, 'junit');
    expect(junitProblems(parseXml(text))).toEqual([]);
    expect(text).toContain('tests="4" failures="1" errors="0"');
    expect(text.match(/<failure message="\/usage is no longer in answers/g)).toHaveLength(1);
    expect(renderComparison({ ...result, failOn: 'warning' }, 'junit')).toContain('tests="4" failures="2" errors="0"');
    const ending = { kind: 'key-refused', status: 401 } as const;
    const open = comparison([], { exit: 3, obstacles: [{ kind: 'incomplete', source: 'new.ndjson', ending }] });
    expect(renderComparison(open, 'junit')).toMatch(/errors="1".*<error message="NOT COMPARED.*the key was refused/s);
  });

  it('is a SARIF log with the causes as fingerprints, and waived changes suppressed', () => {
    const log = JSON.parse(renderComparison(result, 'sarif'));
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const validate = ajv.compile(SARIF_SCHEMA);
    expect([validate(log), validate.errors]).toEqual([true, null]);
    const { results } = log.runs[0];
    expect(results.map(({ level }: { readonly level: string }) => level)).toEqual(['error', 'warning', 'error']);
    expect(results[0].partialFingerprints).toEqual({ 'wirecheckChange/v1': 'fedcba9876543210' });
    expect(results[2].suppressions).toEqual([{ kind: 'external', justification: 'known' }]);
    expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('new.ndjson');
  });

  it('is a list of annotations, the result first', () => {
    const commands = commandsIn(renderComparison(result, 'github'));
    expect(commands.map(({ name }) => name)).toEqual(['error', 'error', 'warning', 'notice']);
    expect(commands[0]?.properties['title']).toMatch(
      /^wirecheck compare: BREAKING CHANGES: 1 breaking, 1 warning, 0 additive, 0 drift, 1 waived$/,
    );
    expect(commands[1]?.properties).toEqual({
      title: '/usage is no longer in answers to POST /chat/completions with status 200',
    });
    expect(commands[1]?.data).toContain('Before: object, in 25 of 25 answers (chat)');
  });
});

describe('a comparison for agents', () => {
  it('names the changes that do not count, and how to see them', () => {
    const warned = comparison([change({ kind: 'warning' }), change({ kind: 'warning', what: 'model-gone' })]);
    const text = renderComparison(warned, 'agent');
    expect(text).toMatch(
      /^Warnings, which do not count: .+ \(1\), .+ \(1\); --fail-on warning shows them with details\nExit code 0: /m,
    );
    expect(renderComparison({ ...warned, failOn: 'warning' }, 'agent')).not.toContain('do not count');
  });
});

describe('text of a target in a comparison', () => {
  it.each(Object.entries(POISONS))('is inert: %s', (_name, poison) => {
    const slower = change({
      place: { endpoint: 'chat', mode: 'plain', status: 200, pointer: `/${poison}` },
      old: { answers: 3, present: 3, types: ['string'], exchanges: [poison] },
      new: { status: 400, code: poison, exchanges: [] },
    });
    const model = change({ what: 'model-gone', old: { value: poison, exchanges: [] } });
    const result = comparison([slower, model], {
      notices: [{ kind: 'retired', models: [poison] }],
      old: { ...RUN, source: poison, baseUrl: poison, model: poison },
    });
    const said = comparison([
      {
        ...slower,
        place: { ...slower.place, pointer: `/pwned${poison}` },
        new: { ...slower.new, code: `pwned${poison}` },
      },
      change({ what: 'model-gone', old: { value: `pwned${poison}`, exchanges: [] } }),
    ]);
    expect(agentProblems(renderComparison(said, 'agent'), 'pwned')).toEqual([]);
    expect(quotedIn(renderComparison(said, 'agent')).join('\n')).toContain('pwned');
    for (const format of COMPARISON_FORMAT_NAMES) {
      const text = renderComparison(result, format);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(commandsIn(text).map(({ name }) => name)).toEqual(format === 'github' ? ['error', 'error', 'error'] : []);
    }
    const page = renderComparison(result, 'html');
    expect(page).not.toMatch(/<(?:img|iframe)\b/i);
    expect(page.match(/<script\b/g)).toHaveLength(1);
    expect(junitProblems(parseXml(renderComparison(result, 'junit')))).toEqual([]);
    expect(JSON.parse(renderComparison(result, 'json'))).toMatchObject(JSON.parse(JSON.stringify(result)) as object);
  });

  it('is on a page that may load nothing, and run nothing but its own script', () => {
    const page = renderComparison(comparison([change()]), 'html');
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-.*?; style-src &#39;sha256-/,
    );
    expect(page).not.toMatch(/\bsrc=|href="(?!#|data:image)/);
  });
});
