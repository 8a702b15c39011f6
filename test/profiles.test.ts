/** Whole runs by a contract that is not v1. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promisesOf } from '../src/scripted/gateway-promises.ts';
import type { Profile } from '../src/contract/profile/profile.ts';
import { loadProfile } from '../src/contract/profile/read-profile.ts';
import type { FaultId } from '../src/gateway/index.ts';
import { createRecorder } from '../src/recording/write-recording.ts';
import { FORMATS } from '../src/render/index.ts';
import { verdictLine } from '../src/render/verdict-line.ts';
import { type GatheredFrom, gatherFrom, type GatherOptions } from '../selftest/in-memory.ts';
import { judge } from '../src/run/run.ts';
import type { Report } from '../src/report/report.ts';
import { sealReport } from '../src/report/seal-report.ts';
import { runCommand } from './kit/command.ts';
import { quickSettings } from './kit/real-run.ts';

const FOLDER = fileURLToPath(new URL('profiles/', import.meta.url));
const RECORDINGS = fileURLToPath(new URL('recordings/', import.meta.url));
const ACME = join(FOLDER, 'acme.yaml');

let cwd: string;
/** Of a gateway that follows v1, asked by v1. */
let v1: GatheredFrom;
/** On a gateway that follows the example of the documents. */
let acme: Report;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'));
  v1 = await gatherBy(undefined, [], { record: () => createRecorder(join(cwd, 'v1.ndjson'), true) });
  writeFileSync(join(cwd, 'v1.json'), JSON.stringify(sealReport(judge(v1.gathered, v1.settings))));
  await wirecheck(
    'demo',
    '--profile',
    ACME,
    '--out',
    'none',
    '--record',
    'acme.ndjson',
    '--reporter',
    'json=acme.json',
  );
  acme = JSON.parse(readFileSync(join(cwd, 'acme.json'), 'utf8'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const wirecheck = (...args: readonly string[]) => runCommand(args, cwd);
/** On one line, as it is read. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** What a gateway answers if it is asked by a profile; one that follows it, unless `isBuiltSo` is false. */
function gatherBy(
  profile: Profile | undefined,
  faults: readonly FaultId[] = [],
  { isBuiltSo = true, ...more }: Pick<GatherOptions, 'record'> & { readonly isBuiltSo?: boolean } = {},
): Promise<GatheredFrom> {
  return gatherFrom({
    ...more,
    gateway: { faults, ...(profile && isBuiltSo && { promises: promisesOf(profile) }) },
    inMemory: true,
    settingsFor: (baseUrl, forbiddenModel) => quickSettings(baseUrl, { forbiddenModel, ...(profile && { profile }) }),
  });
}

async function runBy(file: string, faults: readonly FaultId[] = [], isBuiltSo = true): Promise<Report> {
  const { settings, gathered } = await gatherBy(loadProfile(file, FOLDER), faults, { isBuiltSo });
  return judge(gathered, settings);
}

const broken = ({ clauses }: Report) =>
  clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

describe('the example of the documents', () => {
  it('is kept by a gateway that is built so, and the verdict names it', () => {
    const report = acme;
    expect(report.outcome).toMatchObject({ name: 'conforms', exit: 0, mustClauses: 69, mustJudged: 69 });
    expect(verdictLine(report)).toMatch(
      /^CONFORMS TO acme-gateway 3 \(v1 with 6 changes\): 73 of 79 must clauses judged/,
    );
    expect(readFileSync(new URL('../docs/profiles.md', import.meta.url), 'utf8')).toContain(
      `\n${verdictLine(report)}\n`,
    );
    const control = report.exchanges.find(({ id }) => id === 'chat');
    expect(JSON.parse(control?.body ?? '')).toMatchObject({ max_tokens: 16, metadata: { tenant: 'staging' } });
    expect(report.cases.find(({ id }) => id === 'parameters/temperature-maximum')?.title).toBe(
      'temperature 1 is answered',
    );
  });

  it('is not kept by a gateway that follows v1, and the findings are at the changes', async () => {
    const report = await runBy('acme.yaml', [], false);
    expect(broken(report).toSorted()).toEqual(['acme.request-id', 'limits.temperature', 'request.max-tokens-required']);
    expect(verdictLine(report)).toMatch(/^DOES NOT CONFORM TO acme-gateway 3 \(v1 with 6 changes\): 3 must clauses/);
  });

  it('is named with its digest and its reasons in every format', () => {
    const report = acme;
    // It has room for the name alone.
    const { badge, ...formats } = FORMATS;
    expect(badge(report, {})).toContain('acme-gateway');
    for (const [name, format] of Object.entries(formats)) {
      const text = format(report, { colour: false, width: 400, detail: 'normal' });
      expect(text, name).toContain(name === 'json' ? '"acme-gateway"' : 'acme-gateway 3 (v1 with 6 changes)');
      expect(text, name).toContain(report.profile?.digest.slice(0, 12));
      // Too long for output for agents, which names the report.
      if (name !== 'agent' && name !== 'prometheus') expect(text, name).toContain('Billing needs it');
    }
  });
});

describe('faults under a profile', () => {
  it.each<[profile: string, faults: readonly FaultId[], harmless: readonly FaultId[], found: readonly string[]]>([
    [
      'acme.yaml',
      ['param-temperature-clamped', 'error-code-integer', 'auth-empty-bearer-accepted'],
      ['param-temperature-two-refused', 'param-only-model-and-messages-refused'],
      ['auth.required', 'errors.code', 'limits.temperature'],
    ],
    [
      'narrow.yaml',
      ['param-max-tokens-zero-accepted', 'chat-usage-missing'],
      ['param-top-p-zero-refused', 'param-max-tokens-one-refused'],
      ['completion.usage-present', 'limits.max-tokens'],
    ],
  ])(
    '%s: those at its limits and elsewhere are found, those at limits of v1 that it does not promise are not',
    async (profile, faults, harmless, found) => {
      expect(broken(await runBy(profile, [...faults, ...harmless])).toSorted()).toEqual(found);
    },
  );

  it('Cases of a lifted limit are left out with the reason, and do not count', async () => {
    const report = await runBy('common-servers', ['param-temperature-above-accepted']);
    expect(broken(report)).toEqual([]);
    expect(report.outcome).toMatchObject({ name: 'conforms', mustClauses: 64, mustJudged: 64 });
    const lifted = report.cases.find(({ id }) => id === 'parameters/temperature-out-of-range[just-above]');
    expect(lifted).toMatchObject({
      verdict: 'skipped',
      expectations: [{ reason: { kind: 'limit-lifted', field: 'temperature', bound: 'maximum' } }, {}],
    });
  });
});

describe('changed levels of the config file', () => {
  it('are a profile without a name', async () => {
    writeFileSync(join(cwd, 'levels.yaml'), 'levels: { errors.code: should }\n');
    const { exit, stdout } = await wirecheck('demo', '--config', 'levels.yaml', '--out', 'none', '--only', 'errors/*');
    expect(exit).toBe(0);
    expect(lastLine(stdout)).toMatch(/^CONFORMS IN PART TO v1 WITH 1 CHANGE: /);
    expect(stdout).toContain('errors.code is should (v1: must). Set in levels.yaml:1.');
  });

  it('count safety clauses apart', () => {
    const levels = { 'auth.required': 'should', 'errors.code': 'observe' } as const;
    expect(verdictLine(judge(v1.gathered, { ...v1.settings, levels }))).toMatch(
      /^CONFORMS TO v1 WITH 2 CHANGES, 1 OF THEM A SAFETY CLAUSE: 70 of 76 must clauses judged/,
    );
  });

  it('do not go with a profile', async () => {
    expect(await wirecheck('plan', '--config', 'levels.yaml', '--profile', 'common-servers')).toMatchObject({
      exit: 2,
      stderr: 'levels.yaml:1: levels cannot be used with a profile. Make them changes of the profile.\n',
    });
  });
});

describe('--profile-digest', () => {
  it('refuses every other profile, and none', async () => {
    const { digest } = loadProfile('common-servers', cwd);
    expect((await wirecheck('plan', '--profile', 'common-servers', '--profile-digest', digest)).exit).toBe(0);
    const other = await wirecheck('plan', '--profile', ACME, '--profile-digest', digest);
    expect(other).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Review its changes, then pin the new digest.'),
    });
    const none = await wirecheck('plan', '--profile-digest', digest);
    expect(none).toMatchObject({ exit: 2, stderr: '--profile-digest pins a profile: name it with --profile.\n' });
  });
});

describe('recordings', () => {
  it('are judged by the profile of their run, or by another', async () => {
    const again = await wirecheck('judge', 'acme.ndjson');
    expect([again.exit, lastLine(again.stdout)]).toEqual([0, expect.stringMatching(/^CONFORMS TO acme-gateway 3 /)]);
    const other = await wirecheck('judge', 'acme.ndjson', '--profile', 'common-servers', '--reporter', 'json');
    const report: Report = JSON.parse(other.stdout);
    // Its requests are not those of v1, so only shapes are judged; nothing fails for that.
    expect(report.outcome).toMatchObject({ exit: 1, name: 'does-not-conform' });
    expect(broken(report)).toEqual(['errors.code']);
  });

  it('of different profiles are compared with a notice first', async () => {
    const files = ['--reporter', 'terminal', '--reporter', 'json=c.json', '--reporter', 'markdown=c.md'];
    const { stdout } = await wirecheck('compare', 'v1.ndjson', 'acme.ndjson', ...files);
    const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
    expect(JSON.parse(read('c.json')).notices[0]).toMatchObject({
      kind: 'different-profiles',
      newer: expect.stringMatching(/^acme-gateway 3 \(v1 with 6 changes, digest [0-9a-f]{12}\)$/),
    });
    const words =
      /The runs were judged by different contracts: v1, then acme-gateway 3 \(v1 with 6 changes, digest [0-9a-f]{12}\)\./;
    expect(flat(stdout).search(words)).toBe(0);
    const markdown = flat(read('c.md'));
    const places = ['The runs were judged by different contracts: v1, then acme', 'Old: '].map((text) =>
      markdown.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    const same = await wirecheck(
      'compare',
      'v1.ndjson',
      'acme.ndjson',
      '--profile',
      'common-servers',
      '--reporter',
      'json',
    );
    expect(JSON.parse(same.stdout).notices[0]).toMatchObject({
      kind: 'same-profile',
      profile: expect.stringMatching(/^common-servers 2 \(v1 with 9 changes, digest [0-9a-f]{12}\)$/),
    });
  });

  it('judged by a profile that asks otherwise conform in part, and a notice names what is left', async () => {
    const lines = ['profile: cool', "version: '1'", 'basedOn: v1', 'about: Low temperatures.', 'changes:'];
    const change = '  - { limit: temperature, max: 1, why: The models refuse more. }\n';
    writeFileSync(join(cwd, 'cool.yaml'), [...lines, change].join('\n'));
    const files = ['--reporter', 'terminal', '--reporter', 'json=cool.json'];
    const judged = await wirecheck('judge', 'v1.ndjson', '--profile', 'cool.yaml', ...files);
    expect([judged.exit, lastLine(judged.stdout)]).toEqual([0, expect.stringMatching(/^CONFORMS IN PART TO cool 1 /)]);
    expect(judged.stdout).toContain('must clauses judged only in part (8)');
    expect(flat(judged.stdout)).toContain('15 cases were not judged, since the recording has other requests than');
    const { notices, outcome }: Report = JSON.parse(readFileSync(join(cwd, 'cool.json'), 'utf8'));
    expect(notices).toEqual([{ kind: 'asked-otherwise', cases: 15, clauses: expect.any(Array) }]);
    expect(notices[0]).toHaveProperty('clauses', expect.arrayContaining(['limits.temperature', 'message.roles']));
    expect(outcome.mustClauses - outcome.mustJudged).toBe(8);
    // A profile of levels asks for the same, and so does that of the run.
    const same = lines.with(3, 'about: Levels only.').join('\n');
    writeFileSync(join(cwd, 'same.yaml'), `${same}\n  - { clause: errors.code, level: should, why: It is new. }\n`);
    for (const args of [
      ['v1.ndjson', '--profile', 'same.yaml'],
      ['acme.ndjson', '--profile', ACME],
    ]) {
      const alike: Report = JSON.parse((await wirecheck('judge', ...args, '--reporter', 'json')).stdout);
      expect([alike.notices, alike.outcome.name]).toEqual([[], 'conforms']);
    }
  });

  it.each([
    [
      'vllm',
      ['request.model-required', 'message.content-required', 'errors.object', 'errors.code', 'limits.top-p-in-range'],
    ],
    ['one-api', ['errors.code', 'errors.no-server-error']],
  ])('of %s under common-servers break what they broke before', async (name, clauses) => {
    const { stdout } = await wirecheck(
      'judge',
      join(RECORDINGS, `${name}.ndjson.gz`),
      '--profile',
      'common-servers',
      '--reporter',
      'json',
    );
    const report: Report = JSON.parse(stdout);
    expect(report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(clauses);
  });
});

it('The reference gateway sends the types of the profile, where they leave no type of v1', async () => {
  const changes = [
    ['error.code', 'integer'],
    ['completion.created', 'string'],
    ['choice.message.content', 'array'],
    ['choice.index', 'boolean'],
    ['completion.usage', 'null'],
    ['model.owned_by', 'object'],
  ].map(([field, type]) => `  - { field: ${field}, types: ['${type}'], why: It is so here. }\n`);
  const head = "profile: types\nversion: '1'\nbasedOn: v1\nchanges:\n";
  writeFileSync(join(cwd, 'types.yaml'), `${head}${changes.join('')}`);
  expect(broken(await runBy(join(cwd, 'types.yaml')))).toEqual([]);
  // It asks for what v1 asks for.
  const otherwise = judge(v1.gathered, { ...v1.settings, profile: loadProfile('types.yaml', cwd) });
  expect(broken(otherwise)).toEqual(
    expect.arrayContaining(['errors.code', 'completion.created-type', 'choice.message-content', 'model.owned-by-type']),
  );
});

it('A baseline by another contract is named as such', async () => {
  const words = /Baseline: +v1\.json\. Its contract, profile or built-in suites differ/;
  const args = ['judge', 'v1.ndjson', '--baseline', 'v1.json'];
  expect((await wirecheck(...args, '--profile', 'common-servers')).stdout).toMatch(words);
  expect((await wirecheck(...args)).stdout).not.toMatch(words);
});

describe('commands', () => {
  it('plan names the profile', async () => {
    const line = /^Contract: acme-gateway 3 \(v1 with 6 changes\) \[profile [0-9a-f]{12}\]$/m;
    expect((await wirecheck('plan', '--profile', ACME)).stdout).toMatch(line);
    expect((await wirecheck('plan')).stdout).not.toContain('Contract:');
  });

  it('explain explains one', async () => {
    const { exit, stdout } = await wirecheck('explain', ACME);
    expect(exit).toBe(0);
    expect(stdout).toContain('required/without-max-tokens');
    expect(stdout).toContain('the maximum of temperature is 1 (v1: 2). The models behind it refuse more.');
    expect((await wirecheck('list', 'profiles')).stdout).toMatch(/^common-servers  ./m);
  });

  it('render --reporter profile drafts one change per cause, never of a safety clause, and the draft needs reasons', async () => {
    const recording = join(RECORDINGS, 'phantomllm.ndjson.gz');
    await wirecheck('judge', recording, '--reporter', 'json=report.json');
    const { stdout } = await wirecheck('render', 'report.json', '--reporter', 'profile');
    expect(stdout).toContain('limit: temperature\n    min: none\n    max: none\n    why: TODO');
    expect(stdout).toMatch(/^# {3}errors\.no-server-error: /m);
    expect(stdout).not.toMatch(/clause: errors\.no-server-error/);
    writeFileSync(join(cwd, 'draft.yaml'), stdout);
    expect((await wirecheck('explain', 'draft.yaml')).stderr).toContain('why must give the reason for the change');
    writeFileSync(join(cwd, 'draft.yaml'), stdout.replaceAll('TODO', 'It is a mock.'));
    const judged = await wirecheck('judge', recording, '--profile', 'draft.yaml', '--reporter', 'json');
    const report: Report = JSON.parse(judged.stdout);
    expect(report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
      'errors.no-server-error',
    ]);
  });

  it('render --reporter profile takes no report by a profile', async () => {
    const { exit, stderr } = await wirecheck('render', 'acme.json', '--reporter', 'profile');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/^The report was judged by acme-gateway 3 .*run without --profile, or add changes/),
    ]);
  });

  it('schema, list and explain follow the profile', async () => {
    const contract = await wirecheck('explain', 'contract', '--profile', ACME);
    expect(contract.stdout).toContain('# acme-gateway 3 (v1 with 6 changes)');
    expect(contract.stdout).toContain('- `temperature` from 0 to 1');
    expect(contract.stdout).toContain('| must | - | Every answer has the header x-request-id. |');
    expect((await wirecheck('explain', 'contract')).stdout).toContain('- `temperature` from 0 to 2');
    const openapi = await wirecheck('schema', 'openapi', '--profile', ACME, '--json');
    expect(JSON.parse(openapi.stdout).components.schemas.ChatCompletionRequest.required).toEqual([
      'model',
      'messages',
      'max_tokens',
    ]);
    expect(JSON.parse(openapi.stdout).info).toMatchObject({
      title: expect.stringMatching(/: acme-gateway 3$/),
      description: expect.stringMatching(
        /This is v1 with 6 changes, digest .* also has \/metadata\. .*tolerate them\.$/,
      ),
    });
    expect(openapi.stdout).not.toContain('sk-service-');
    expect((await wirecheck('schema', 'openapi', '--profile', ACME)).stdout).toContain('openapi: 3.0.3');
    const explained = flat((await wirecheck('explain', 'errors.code', '--profile', ACME)).stdout);
    expect(explained).toContain('An error answer has error.code, a string or null. ');
    expect(explained).toContain(`wirecheck demo --fault error-code-integer --profile ${ACME}`);
    expect((await wirecheck('list', 'clauses', '--profile', ACME)).stdout).toContain('acme.request-id');
    expect((await wirecheck('list', 'cases', '--profile', ACME)).stdout).toContain('acme/request-id');
    expect(flat((await wirecheck('explain', 'limits.temperature', '--profile', ACME)).stdout)).toContain(
      'The models behind it refuse more.',
    );
  });
});
