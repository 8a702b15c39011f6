import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { describeSettings, toleranceOf } from './make-report.ts';
import { loadContract } from '../contract/read-contract.ts';
import { CHECKS } from '../verdict/checks/index.ts';

const of = (changes: Partial<Settings>) =>
  describeSettings({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes });

it('Only settings that were set are shown, with the names of their groups', () => {
  expect(of({})).toEqual({});
  expect(of({ retries: 2, strict: false })).toEqual({});
  expect(
    of({
      model: 'm',
      retries: 0,
      only: ['a/*'],
      levels: { 'errors.code': 'should' },
      timeouts: { ...DEFAULT_SETTINGS.timeouts, run: 5 },
      retryPauses: [1, 2],
    }),
  ).toEqual({
    model: 'm',
    retries: 0,
    only: ['a/*'],
    'levels.errors.code': 'should',
    'timeouts.run': 5,
    retryPauses: ['1', '2'],
  });
});

it('The values of secret headers are not shown', () => {
  const headers = [
    { name: 'x-team', value: 'blue', secret: false },
    { name: 'x-token', value: 'hush', secret: true },
    { name: 'x-gate', value: 'hush', secret: true, variable: 'GATE' },
  ];
  expect(of({ headers })).toEqual({
    headers: [
      { name: 'x-team', value: 'blue' },
      { name: 'x-token', withheld: 'value' },
      { name: 'x-gate', withheld: 'value', variable: 'GATE' },
    ],
  });
});

it('Proxy credentials and literal keys are not shown', () => {
  expect(of({ proxy: 'http://me:hush@proxy.example:8080' })).toEqual({
    proxy: { withheld: 'login', shown: 'http://proxy.example:8080' },
  });
  expect(of({ proxy: 'me:hush@proxy' })).toEqual({ proxy: { withheld: 'address' } });
  expect(of({ proxy: 'http://proxy.example:8080/' })).toEqual({ proxy: 'http://proxy.example:8080' });
  const pem = '-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n';
  expect(of({ tls: { insecure: true, clientKey: pem, clientCert: 'cert.pem' } })).toEqual({
    'tls.insecure': true,
    'tls.clientKey': { withheld: 'PEM text' },
    'tls.clientCert': 'cert.pem',
  });
});

it('Tolerance is reported in both directions, based only on judged cases', () => {
  const verdict = (clause: string, name: Verdict['verdict'], parts: Partial<Verdict> = {}): Verdict => ({
    case: 'tolerance/x',
    clause,
    kind: 'implied',
    level: 'should',
    check: 'answered',
    verdict: name,
    flaky: false,
    findings: [],
    observations: [],
    exchanges: [],
    ...parts,
  });
  const field = 'tolerance.unknown-request-field';
  const seen = {
    check: 'unknown-fields',
    observations: [
      { name: 'unknown-fields', value: [{ kind: 'more', count: 7 }] },
      { name: 'choices', value: 3 },
    ],
  } as const;
  const contract = loadContract();
  expect(
    toleranceOf(
      [
        verdict(field, 'pass'),
        verdict(field, 'warn'),
        verdict(field, 'fail'),
        verdict('tolerance.unknown-message-field', 'inconclusive'),
        verdict('tolerance.unknown-message-field', 'skipped'),
        verdict('errors.code', 'pass'),
        verdict('versioning.additive', 'observed', seen),
      ],
      contract,
      CHECKS,
    ),
  ).toEqual({ unknownRequestFields: { asked: 3, ignored: 1 }, unknownAnswerFields: [{ kind: 'more', count: 7 }] });
  // No case of this run looked for them.
  expect(toleranceOf([verdict(field, 'pass')], contract, CHECKS)).toEqual({
    unknownRequestFields: { asked: 1, ignored: 1 },
  });
});

it('A command with a default of its own does not list it, but lists the usual one', () => {
  const described = (concurrency: number) =>
    describeSettings(
      { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', concurrency },
      { ...DEFAULT_SETTINGS, concurrency: 64 },
    );
  expect(described(64)).toEqual({});
  expect(described(4)).toEqual({ concurrency: 4 });
});
