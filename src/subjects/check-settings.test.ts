import { describe, expect, it } from 'vitest';
import { DEFAULT_CLIENT_SETTINGS } from '../gather/client/client-setup.ts';
import { checkClient, gather, judge, plan, run, runRelay, startRelayUpstream } from '../index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:1/v1' };
const KEYS = { full: 'sk-service-a' };
const { timeouts, relay } = DEFAULT_SETTINGS;

type Wrong = [given: Readonly<Record<string, unknown>>, code: string, message: string | RegExp];

const TOKENS = 'it must be a whole number from 1 to 100000.';
const WRONG: readonly Wrong[] = [
  [{ replyTokens: 0 }, 'BAD_VALUE', `replyTokens is 0: ${TOKENS}`],
  [{ replyTokens: -5 }, 'BAD_VALUE', `replyTokens is -5: ${TOKENS}`],
  [{ replyTokens: 1.5 }, 'BAD_VALUE', `replyTokens is 1.5: ${TOKENS}`],
  [{ replyTokens: NaN }, 'BAD_VALUE', `replyTokens is NaN: ${TOKENS}`],
  [{ replyTokens: '8' }, 'BAD_VALUE', `replyTokens is "8": ${TOKENS}`],
  [{ streamTokens: null }, 'BAD_VALUE', `streamTokens is null: ${TOKENS}`],
  [{ concurrency: 0 }, 'BAD_VALUE', 'concurrency is 0: it must be a whole number from 1 to 256.'],
  [{ detect: '1/3' }, 'BAD_VALUE', 'detect is "1/3": it must be a whole number, the N of 1/N, from 1 to 100.'],
  [{ strict: 'yes' }, 'BAD_VALUE', 'strict is "yes": it must be true or false.'],
  [{ model: ' ' }, 'BAD_VALUE', 'model is empty: it must be text without control characters.'],
  [{ proxy: 'ftp://me:secret@x' }, 'BAD_VALUE', 'proxy is not valid: it must be an http or https address.'],
  [{ waitFor: '30s' }, 'BAD_VALUE', 'waitFor is "30s": it must be a number of milliseconds from 1 to 2147483647.'],
  [{ tls: { insecure: false, ca: '' } }, 'BAD_VALUE', 'tls.ca is not valid: it must be the name of a file.'],
  [{ timeouts: 1_000 }, 'BAD_VALUE', 'timeouts is 1000: it must be an object.'],
  [{ only: 'chat/*' }, 'BAD_VALUE', 'only is "chat/*": it must be a list.'],
  [{ only: [7] }, 'BAD_VALUE', 'only is 7: it must be text without control characters.'],
  [
    { levels: { 'errors.code': 'shoud' } },
    'BAD_VALUE',
    /^levels\["errors\.code"\] is "shoud": it must be one of must, /,
  ],
  [
    { timeouts: { attempt: 1_000 } },
    'VALUE_MISSING',
    /^timeouts\.connect is missing: take it from the default settings\.$/m,
  ],
  [{ modle: 'x' }, 'UNKNOWN_NAME', 'Unknown setting "modle". Did you mean "model"?'],
  [{ timeout: 30_000 }, 'UNKNOWN_NAME', 'Unknown setting "timeout". Did you mean "timeouts.attempt"?'],
  [
    { timeouts: { ...timeouts, idel: 1 } },
    'UNKNOWN_NAME',
    /^Unknown setting "timeouts\.idel"\. Did you mean "timeouts\.idle"\?$/,
  ],
  [{ levels: { 'errors.cod': 'should' } }, 'UNKNOWN_NAME', 'unknown clause "errors.cod". Did you mean "errors.code"?'],
  [{ suites: ['chatt'] }, 'UNKNOWN_NAME', 'Unknown suite "chatt". Did you mean "chat"?'],
  [{ only: ['chat/*', 'nope-at-all'] }, 'NO_CASES', /^only nope-at-all matches no case\./],
  [{ skip: ['*'] }, 'NO_CASES', 'No cases to run: skip matches every selected case.'],
];

function mistake(code: string, message: string | RegExp) {
  const text: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
  return { name: 'UsageError', code: `WIRECHECK_E_${code}`, message: text };
}

describe('wrong settings of the library', () => {
  it.each([
    [
      { replyTokens: 0, modle: 'x', timeouts: 7, strict: 'yes' },
      /^replyTokens is 0: .*\nstrict is "yes": .*\ntimeouts is 7: .*\nUnknown setting "modle".*$/,
      'BAD_VALUE',
    ],
    [
      { levels: { 'errors.cod': 'should', 'errors.code': 'shoud' }, suites: ['chatt'] },
      /^Unknown suite "chatt".*\nlevels\["errors\.code"\] is "shoud".*\nunknown clause "errors\.cod"/,
      'BAD_VALUE',
    ],
    [{ levels: { 'errors.cod': 'should' }, suites: ['chatt'] }, /chatt.*\n.*errors\.cod"/, 'UNKNOWN_NAME'],
  ])('are told all at once: %o', async (given, message, code) => {
    const settings = { ...SETTINGS, ...given } as unknown as Settings;
    await expect(run(settings, KEYS)).rejects.toMatchObject(mistake(code, message));
  });

  it.each(WRONG)('are a usage error before anything is sent: %o', async (given, code, message) => {
    const settings = { ...SETTINGS, ...given } as unknown as Settings;
    await expect(run(settings, KEYS)).rejects.toMatchObject(mistake(code, message));
  });

  it('are refused by every function that takes them', async () => {
    const settings = { ...SETTINGS, replyTokens: 0 };
    const wrong = mistake('BAD_VALUE', `replyTokens is 0: ${TOKENS}`);
    await expect(gather(settings, KEYS)).rejects.toMatchObject(wrong);
    await expect(startRelayUpstream(settings, KEYS)).rejects.toMatchObject(wrong);
    await expect(runRelay(settings, KEYS, {} as never)).rejects.toMatchObject(wrong);
    expect(() => plan(settings)).toThrow(wrong.message);
    expect(() => judge({} as never, settings)).toThrow(wrong.message);
    const client = { name: 'mine', command: ['true'], isDriver: false };
    const slow = { ...DEFAULT_CLIENT_SETTINGS, scenarioTimeout: 0 };
    await expect(checkClient(client, slow)).rejects.toMatchObject(mistake('BAD_VALUE', /^scenarioTimeout is 0: /));
    const gateway = { ...DEFAULT_CLIENT_SETTINGS, only: ['chat/reply'] };
    await expect(checkClient(client, gateway)).rejects.toMatchObject(
      mistake('NO_CASES', /^only chat\/reply matches no scenario\. It is a gateway's case/),
    );
    const both = { ...SETTINGS, relay: { ...relay, recovery: -1 } };
    await expect(startRelayUpstream(both, KEYS)).rejects.toMatchObject(
      mistake('BAD_VALUE', /^relay\.recovery is -1: /),
    );
  });
});

describe('right settings of the library', () => {
  it('are those that a command takes, in the units of the library', () => {
    const tls = { insecure: false, ca: '-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n' };
    const given = { model: undefined, ratePerSecond: 1 / 3, detect: 3, timeouts: { ...timeouts, attempt: 50.5 }, tls };
    expect(plan({ ...SETTINGS, ...given, seed: 0 } as unknown as Settings).cases.length).toBeGreaterThan(200);
  });

  it('choose cases by the clauses that they judge', () => {
    const { cases, partial } = plan({ ...SETTINGS, only: ['limits.temperature'] });
    const chosen = cases.filter(({ id }) => !partial.includes(id));
    expect(chosen.length).toBeGreaterThan(0);
    for (const { expect: expected } of chosen)
      expect(expected.map(({ clause }) => clause)).toContain('limits.temperature');
  });
});
