/** Whole runs by a contract that is not v1. */
/* oxlint-disable max-lines -- everything that a profile touches, once */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promisesOf } from '../src/scripted/gateway-promises.ts';
import { loadProfile } from '../src/contract/profile/read-profile.ts';
import type { FaultId } from '../src/gateway/index.ts';
import { FORMATS } from '../src/render/index.ts';
import { verdictLine } from '../src/render/verdict-line.ts';
import { gatherFrom } from '../src/selftest/gather-from.ts';
import { judge } from '../src/run/run.ts';
import type { Report } from '../src/report/report.ts';
import { runCommand } from './kit/command.ts';
import { quickSettings } from './kit/real-run.ts';

const FOLDER = fileURLToPath(new URL('profiles/', import.meta.url));
const RECORDINGS = fileURLToPath(new URL('recordings/', import.meta.url));
const ACME = join(FOLDER, 'acme.yaml');

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

const wirecheck = (...args: readonly string[]) => runCommand(args, cwd);
/** On one line, as it is read. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** A run by a profile; of a gateway that follows it, unless `isBuiltSo` is false. */
async function runBy(file: string, faults: readonly FaultId[] = [], isBuiltSo = true): Promise<Report> {
  const profile = loadProfile(file, FOLDER);
  const { settings, gathered } = await gatherFrom({
    gateway: { faults, ...(isBuiltSo && { promises: promisesOf(profile) }) },
    inMemory: true,
    settingsFor: (baseUrl, forbiddenModel) => quickSettings(baseUrl, { forbiddenModel, profile }),
  });
  return judge(gathered, settings);
}

const broken = ({ clauses }: Report) =>
  clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

describe('the example of the documents', () => {
  it('is kept by a gateway that is built so, and the verdict names it', async () => {
    const report = await runBy('acme.yaml');
    expect(report.outcome).toMatchObject({ name: 'conforms', exit: 0, mustClauses: 69, mustJudged: 69 });
    expect(verdictLine(report)).toMatch(
      /^CONFORMS TO acme-gateway 3 \(v1 with 6 changes\): 72 of 78 must clauses judged, none broken; 6 need --patient or --openapi \[profile [0-9a-f]{12}\]$/,
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

  it('is named with its digest and its reasons in every format', async () => {
    const report = await runBy('acme.yaml', ['error-code-integer']);
    expect(broken(report)).toEqual(['errors.code']);
    for (const [name, format] of Object.entries(FORMATS)) {
      const text = format.render(report, { colour: false, width: 400, detail: 'normal' });
      expect(text, name).toContain(name === 'json' ? '"acme-gateway"' : 'acme-gateway 3 (v1 with 6 changes)');
      expect(text, name).toContain(report.profile?.digest.slice(0, 12));
      // Too long for the badge, and for output for agents, which names the report.
      if (name !== 'badge' && name !== 'agent' && name !== 'prometheus')
        expect(text, name).toContain('Billing needs it');
    }
  });
});

describe('faults under a profile', () => {
  it.each<[profile: string, fault: FaultId, found: readonly string[]]>([
    // At the new limits.
    ['acme.yaml', 'param-temperature-clamped', ['limits.temperature']],
    ['narrow.yaml', 'param-max-tokens-zero-accepted', ['limits.max-tokens']],
    // At the limits of v1, which nobody promised.
    ['acme.yaml', 'param-temperature-two-refused', []],
    ['narrow.yaml', 'param-top-p-zero-refused', []],
    ['narrow.yaml', 'param-max-tokens-one-refused', []],
    ['acme.yaml', 'param-only-model-and-messages-refused', []],
    ['common-servers', 'param-temperature-above-accepted', []],
    // Elsewhere.
    ['narrow.yaml', 'chat-usage-missing', ['completion.usage-present']],
    ['acme.yaml', 'auth-empty-bearer-accepted', ['auth.required']],
  ])('%s, %s', async (profile, fault, found) => {
    expect(broken(await runBy(profile, [fault]))).toEqual(found);
  });

  it('Cases of a lifted limit are left out with the reason, and do not count', async () => {
    const report = await runBy('common-servers');
    expect(report.outcome).toMatchObject({ name: 'conforms', mustClauses: 65, mustJudged: 65 });
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

  it('count safety clauses apart', async () => {
    writeFileSync(join(cwd, 'unsafe.yaml'), 'levels: { auth.required: should, errors.code: observe }\n');
    const { stdout } = await wirecheck('demo', '--config', 'unsafe.yaml', '--out', 'none', '--quiet');
    expect(stdout).toMatch(
      /^CONFORMS TO v1 WITH 2 CHANGES, 1 OF THEM A SAFETY CLAUSE: 69 of 75 must clauses judged, none broken; 6 need/,
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
    await wirecheck('demo', '--profile', ACME, '--out', 'none', '--record', 'acme.ndjson');
    const again = await wirecheck('judge', 'acme.ndjson');
    expect([again.exit, lastLine(again.stdout)]).toEqual([0, expect.stringMatching(/^CONFORMS TO acme-gateway 3 /)]);
    const other = await wirecheck('judge', 'acme.ndjson', '--profile', 'common-servers', '--reporter', 'json');
    const report: Report = JSON.parse(other.stdout);
    // Its requests are not those of v1, so only shapes are judged; nothing fails for that.
    expect(report.outcome).toMatchObject({ exit: 1, name: 'does-not-conform' });
    expect(broken(report)).toEqual(['errors.code']);
  });

  it('of different profiles are compared with a notice first', async () => {
    await wirecheck('demo', '--out', 'none', '--record', 'v1.ndjson');
    const { stdout } = await wirecheck('compare', 'v1.ndjson', 'acme.ndjson', '--reporter', 'json');
    expect(JSON.parse(stdout).notices[0]).toMatchObject({
      kind: 'different-profiles',
      newer: expect.stringMatching(/^acme-gateway 3 \(v1 with 6 changes, digest [0-9a-f]{12}\)$/),
    });
    const words =
      /The runs were judged by different contracts: v1, then acme-gateway 3 \(v1 with 6 changes, digest [0-9a-f]{12}\)\./;
    const terminal = flat((await wirecheck('compare', 'v1.ndjson', 'acme.ndjson')).stdout);
    expect(terminal.search(words)).toBe(0);
    const markdown = flat((await wirecheck('compare', 'v1.ndjson', 'acme.ndjson', '--reporter', 'markdown')).stdout);
    expect(markdown.search(words)).toBeLessThan(markdown.indexOf('Old: '));
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
      profile: expect.stringMatching(/^common-servers 1 \(v1 with 8 changes, digest [0-9a-f]{12}\)$/),
    });
  });

  it('judged by a profile that asks otherwise conform in part, and a notice names what is left', async () => {
    const lines = ['profile: cool', "version: '1'", 'basedOn: v1', 'about: Low temperatures.', 'changes:'];
    const change = '  - { limit: temperature, max: 1, why: The models refuse more. }\n';
    writeFileSync(join(cwd, 'cool.yaml'), [...lines, change].join('\n'));
    const judged = await wirecheck('judge', 'v1.ndjson', '--profile', 'cool.yaml');
    expect([judged.exit, lastLine(judged.stdout)]).toEqual([
      0,
      expect.stringMatching(/^CONFORMS IN PART TO cool 1 .*; 8 only in part \[/),
    ]);
    expect(flat(judged.stdout)).toContain('15 cases were not judged, since the recording has other requests than');
    const { stdout } = await wirecheck('judge', 'v1.ndjson', '--profile', 'cool.yaml', '--reporter', 'json');
    const { notices, outcome }: Report = JSON.parse(stdout);
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
    ['one-api', ['auth.key-prefix', 'auth.required', 'errors.code', 'errors.no-server-error']],
  ])('of %s under common-servers break what docs/profiles.md says', async (name, clauses) => {
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
    const page = readFileSync(new URL('../docs/profiles.md', import.meta.url), 'utf8');
    for (const clause of clauses) expect(page).toContain(`\`${clause}\``);
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
  const file = join(cwd, 'types.yaml');
  expect(broken(await runBy(file))).toEqual([]);
  expect(broken(await runBy(file, [], false))).toEqual(
    expect.arrayContaining(['errors.code', 'completion.created-type', 'choice.message-content', 'model.owned-by-type']),
  );
});

it('A baseline by another contract is named as such', async () => {
  await wirecheck('demo', '--out', 'none', '--reporter', 'json=older.json');
  const words = /Baseline: +older\.json\. Its contract, profile or built-in suites differ/;
  const args = ['demo', '--out', 'none', '--baseline', 'older.json'];
  expect((await wirecheck(...args, '--profile', 'common-servers')).stdout).toMatch(words);
  expect((await wirecheck(...args)).stdout).not.toMatch(words);
});

describe('commands', () => {
  it('plan names the profile', async () => {
    const line = /^Contract: acme-gateway 3 \(v1 with 6 changes\) \[profile [0-9a-f]{12}\]$/m;
    expect((await wirecheck('plan', '--profile', ACME)).stdout).toMatch(line);
    expect((await wirecheck('plan')).stdout).not.toContain('Contract:');
  });

  it('profile explains one', async () => {
    const { exit, stdout } = await wirecheck('profile', ACME);
    expect(exit).toBe(0);
    expect(stdout).toContain('required/without-max-tokens');
    expect(stdout).toContain('the maximum of temperature is 1 (v1: 2). The models behind it refuse more.');
    expect((await wirecheck('profile')).stdout).toContain('common-servers 1 (v1 with 8 changes)');
  });

  it('profile --suggest drafts one change per cause, never of a safety clause, and the draft needs reasons', async () => {
    const recording = join(RECORDINGS, 'phantomllm.ndjson.gz');
    await wirecheck('judge', recording, '--reporter', 'json=report.json');
    const { stdout } = await wirecheck('profile', '--suggest', 'report.json');
    expect(stdout).toContain('limit: temperature\n    min: none\n    max: none\n    why: TODO');
    expect(stdout).toMatch(/^# {3}auth\.required: /m);
    expect(stdout).not.toMatch(/clause: (auth\.required|errors\.no-server-error)/);
    writeFileSync(join(cwd, 'draft.yaml'), stdout);
    expect((await wirecheck('profile', 'draft.yaml')).stderr).toContain('why must give the reason for the change');
    writeFileSync(join(cwd, 'draft.yaml'), stdout.replaceAll('TODO', 'It is a mock.'));
    const judged = await wirecheck('judge', recording, '--profile', 'draft.yaml', '--reporter', 'json');
    const report: Report = JSON.parse(judged.stdout);
    expect(report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
      'auth.required',
      'errors.no-server-error',
    ]);
  });

  it('profile --suggest takes no report by a profile', async () => {
    await wirecheck('demo', '--profile', ACME, '--out', 'none', '--reporter', 'json=acme.json');
    const { exit, stderr } = await wirecheck('profile', '--suggest', 'acme.json');
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/^The report was judged by acme-gateway 3 /)]);
  });

  it('contract, schema, list and explain follow the profile', async () => {
    const contract = await wirecheck('contract', '--profile', ACME);
    expect(contract.stdout).toContain('# acme-gateway 3 (v1 with 6 changes)');
    expect(contract.stdout).toContain('- `temperature` from 0 to 1');
    expect(contract.stdout).toContain('| must | - | Every answer has the header x-request-id. |');
    expect((await wirecheck('contract')).stdout).toContain('- `temperature` from 0 to 2');
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
