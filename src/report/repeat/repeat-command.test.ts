import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../gateway/index.ts';
import { quickRun } from '../../../test/kit/real-run.ts';
import { KEY_USES } from '../../suite/case.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { describeSettings } from '../make-report.ts';
import { exchange } from '../../../test/kit/sample-reports.ts';
import { CHAT_EXCHANGE, hasCurl, inShell } from '../../../test/kit/repeat-command.ts';
import { curlCommand, repeatByCase } from './repeat-command.ts';
import type { CaseReport, ExchangeReport, Report } from '../report.ts';

const command = (changes: Partial<ExchangeReport>, baseUrl = 'http://127.0.0.1/v1') =>
  curlCommand({ ...CHAT_EXCHANGE, ...changes }, { baseUrl, settings: {}, seed: 7 }, false);

/** As a report describes them. */
const describedRun = (changes: Partial<Settings>) => {
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'https://gateway.example/v1', ...changes };
  return { baseUrl: settings.baseUrl, settings: describeSettings(settings), seed: 7 };
};

const CHANGED: Partial<Settings> = {
  model: 'small one',
  replyTokens: 8,
  strict: true,
  suites: ['own.yaml', 'auth'],
  only: ['auth/*'],
  maxRequests: 9,
  headers: [
    { name: 'X-Team', value: 'blue', secret: false },
    { name: 'X-Gate', value: 'hush-hush-hush', secret: true, variable: 'GATE' },
  ],
  tls: { insecure: true, ca: '/etc/ca.pem' },
  proxy: 'http://me:hush-hush-hush@proxy.example:8080',
  timeouts: { ...DEFAULT_SETTINGS.timeouts, attempt: 500 },
};

describe('the command', () => {
  it('names the key by its variable and omits default headers', () => {
    const headers = [
      ['Authorization', 'Bearer sk-service-****'],
      ['User-Agent', 'wirecheck'],
      ['content-type', 'application/json'],
    ] as const;
    expect(command({ headers, body: '{"a": "it\'s"}' })).toBe(
      `curl -sS http://127.0.0.1/v1/chat/completions -H "Authorization: Bearer $WIRECHECK_API_KEY" -H 'content-type: application/json' --data-raw '{"a": "it'\\''s"}'`,
    );
  });

  it('keeps the case of header names, also of the one with the key', () => {
    const headers = [
      ['AUTHORIZATION', 'Bearer sk-service-****'],
      ['CONTENT-TYPE', 'application/json'],
    ] as const;
    expect(command({ headers, body: '{}' })).toContain(
      `-H "AUTHORIZATION: Bearer $WIRECHECK_API_KEY" -H 'CONTENT-TYPE: application/json'`,
    );
  });

  it('handles methods, streaming and URLs that curl would expand as globs', () => {
    expect(command({ method: 'GET', path: '/models', key: 'none' })).toBe('curl -sS http://127.0.0.1/v1/models');
    expect(command({ method: 'PUT', path: '/models', key: 'none' })).toBe('curl -sS -X PUT http://127.0.0.1/v1/models');
    expect(command({ method: 'HEAD', path: '/models', key: 'none' })).toBe('curl -sS -I http://127.0.0.1/v1/models');
    expect(command({ mode: 'stream' })).toMatch(/^curl -sS -N --compressed http.* --data-raw ''$/);
    expect(command({ key: 'none' }, 'http://[::1]:8080/v1')).toMatch(/^curl -sS -g 'http:/);
  });

  it('sends a body without a content type if the request had none', () => {
    expect(command({ body: 'x' })).toContain(`-H 'Content-Type:'`);
  });

  it('shows the head of the answer if that is the point, or if the status was not 200', () => {
    const [attempt] = exchange('a').attempts;
    const refused = { ...attempt!, answer: { ...attempt!.answer!, status: 401 } };
    const models = { ...CHAT_EXCHANGE, method: 'GET', path: '/models', key: 'none' } as const;
    const run = describedRun({});
    expect(curlCommand({ ...models, attempts: [attempt!] }, run, false)).toMatch(/^curl -sS https/);
    expect(curlCommand({ ...models, attempts: [attempt!] }, run, true)).toMatch(/^curl -sS -i https/);
    expect(curlCommand({ ...models, attempts: [refused] }, run, false)).toMatch(/^curl -sS -i https/);
  });

  it.each([
    ['full', '"Authorization: Bearer $STAGING"', '"Authorization: Bearer $(cat \'my key.txt\')"'],
    ['dashed', '"Authorization: Bearer $STAGING-zzz"', '"Authorization: Bearer $(cat \'my key.txt\')-zzz"'],
    ['longer', '"Authorization: Bearer ${STAGING}x"', '"Authorization: Bearer $(cat \'my key.txt\')x"'],
    ['shorter', '"Authorization: Bearer ${STAGING%?}"', `"Authorization: Bearer $(sed 's/.$//' 'my key.txt')"`],
    ['x-api-key', '"x-api-key: $STAGING"', '"x-api-key: $(cat \'my key.txt\')"'],
  ] as const)('takes the key from where the run had it: %s', (key, fromVariable, fromFile) => {
    const models = { ...CHAT_EXCHANGE, method: 'GET', path: '/models', key };
    expect(curlCommand(models, describedRun({ apiKeyEnv: 'STAGING' }), false)).toContain(fromVariable);
    expect(curlCommand(models, describedRun({ apiKeyFile: 'my key.txt' }), false)).toContain(fromFile);
  });

  it('repeats the case if the request is too long to paste, without touching the report of the run', () => {
    expect(command({ body: 'x'.repeat(3_000) })).toBeUndefined();
    expect(repeatByCase(describedRun({ apiKeyEnv: 'STAGING' }), 'chat/long-text')).toBe(
      'npx --no-install wirecheck run https://gateway.example/v1 --only chat/long-text --api-key-env STAGING --seed 7 --out none',
    );
    expect(repeatByCase(describedRun({}), 'auth/a[models]')).toContain(" --only 'auth/a[models]' ");
  });

  it('by case has every setting that the case depends on, shell-quoted, and no secret', () => {
    expect(repeatByCase(describedRun(CHANGED), 'chat/reply')).toBe(
      "npx --no-install wirecheck run https://gateway.example/v1 --only chat/reply --model 'small one' --reply-tokens 8 --strict --suite own.yaml --suite auth --ca /etc/ca.pem --insecure --proxy \"$WIRECHECK_PROXY\" --timeout 500ms --header 'X-Team: blue' --header-env X-Gate=GATE --seed 7 --out none",
    );
  });

  it('by curl connects to the target in the same way, and names secret headers by their variables', () => {
    const headers = [
      ['X-Team', 'blue'],
      ['X-Gate', '**************'],
    ] as const;
    const text = curlCommand({ ...CHAT_EXCHANGE, method: 'GET', headers }, describedRun(CHANGED), false);
    expect(text).toBe(
      `curl -sS --cacert /etc/ca.pem --insecure --proxy "$WIRECHECK_PROXY" https://gateway.example/v1/chat/completions -H "Authorization: Bearer $WIRECHECK_API_KEY" -H 'X-Team: blue' -H "X-Gate: $GATE"`,
    );
  });

  it('never shows a key', () => {
    for (const key of KEY_USES) {
      const path = key === 'query' ? '/models?a=1&api_key=sk-service-****' : '/models';
      expect(command({ key, method: 'GET', path })).not.toContain('****');
    }
  });
});

describe.skipIf(!hasCurl)('pasted into a shell (needs curl)', () => {
  let gateway: Gateway;
  let report: Report;

  beforeAll(async () => {
    gateway = await startGateway();
    report = await quickRun(gateway.baseUrl, { forbiddenModel: gateway.forbiddenModel }, gateway.keys);
  });
  afterAll(() => gateway.close());

  /** The status that each command gets, all in one shell and by one curl: to start a hundred takes longer than to ask. */
  const statusesOf = async (commands: readonly string[]): Promise<readonly string[]> => {
    const { keys } = gateway;
    const env = {
      PATH: process.env['PATH'],
      WIRECHECK_API_KEY: keys.full,
      WIRECHECK_RESTRICTED_KEY: keys.restricted,
      WIRECHECK_EXHAUSTED_KEY: keys.exhausted,
      WIRECHECK_LIMITED_KEY: keys.limited,
    };
    const asked = commands.map((repeat) => `${repeat.replace(/^curl /, '')} -o /dev/null -w '%{http_code}\\n'`);
    const { stdout } = await inShell('bash', ['-c', `curl ${asked.join(' --next ')}`], { env });
    return stdout.trim().split('\n');
  };

  it('every command gets the same status as the run', async () => {
    const isCommand = ({ repeat }: CaseReport) => repeat?.startsWith('curl ') === true;
    // How often a limited key was used is another matter by now.
    const cases = report.cases.filter((testCase) => isCommand(testCase) && testCase.id !== 'auth/limited-key');
    expect(cases.length).toBeGreaterThan(90);
    const commands = [...new Map(cases.map(({ repeat = '', exchange: sent }) => [repeat, sent]))];
    const statuses = await statusesOf(commands.map(([repeat]) => repeat));
    const compared = commands.map(([repeat, id], place): [string, string | undefined, string] => {
      const then = report.exchanges.find((each) => each.id === id)?.attempts.at(-1)?.answer?.status;
      return [repeat, statuses[place], String(then)];
    });
    expect(compared.filter(([, now, then]) => now !== then)).toEqual([]);
    expect(new Set(compared.map(([, status]) => status))).toEqual(
      new Set(['200', '400', '401', '402', '403', '404', '405']),
    );
  });
});
