import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { explainCommand } from './explain.ts';

function explained(name: string, json = false): string {
  let text = '';
  const screen = { write: (more: string) => void (text += more), colour: false, live: false, columns: undefined };
  const io = { cwd: '.', env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  expect(explainCommand({ args: [name], words: [], options: { json }, flags: {}, io })).toBeUndefined();
  return text;
}

type Facts = Readonly<Record<string, readonly string[]>>;

const explainedAsJson = (name: string): readonly { readonly about: string; readonly facts: Facts }[] =>
  JSON.parse(explained(name, true)) as [];

it.each([
  ['auth', /^auth +suite · \d+ cases\n\n  Title .*auth\/missing-key\[models\]/s],
  ['auth/*', /^auth +suite/],
  ['refused', /^refused +check\n.*Clauses +.*request\.model-required.*Cases +.*parameters\//s],
  [
    'error-code-integer',
    /^error-code-integer +fault\n.*Breaks +errors\.code: .*wirecheck demo --fault error-code-integer/s,
  ],
  ['gzip', /^gzip +variant\n.*unusual but legal.*wirecheck demo --variant gzip/s],
  [
    'reply-tokens',
    /^--reply-tokens +setting .*1 to 100000; default: 16.*WIRECHECK_REPLY_TOKENS.*Config file +replyTokens:/s,
  ],
  ['WIRECHECK_REPLY_TOKENS', /^--reply-tokens +setting/],
  ['WIRECHECK_REVOKED_KEY', /^WIRECHECK_REVOKED_KEY +key\n.*ten minutes.*Cases +auth\/revoked-key\[models\], /s],
  [
    '16',
    /^reading-16 +reading · since .*Title +401 comes before everything else.*Page +docs\/readings\.md#reading-16/s,
  ],
  ['reading-16', /^reading-16 +reading/],
  ['WIRECHECK_API_KEY', /^WIRECHECK_API_KEY +key\n/],
  ['auth/unknown-key[models]', /^auth\/unknown-key\[models\] +suites\/auth\.yaml:\d+\n/],
])('explain finds %s by name', (name, text) => {
  expect(explained(name)).toMatch(text);
});

it('explain shows a clause with how it is judged, who is hurt, examples, cases and faults', () => {
  const stdout = explained('errors.code');
  for (const label of [
    'Says',
    'Level',
    'How it is judged',
    'Who is hurt',
    'Reading',
    'Passes',
    'Fails',
    'Cases',
    'Faults',
    'Contract',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${label} `, 'm'));
  }
});

it('explain shows what a case sends and judges, and every case it expands to', () => {
  const stdout = explained('auth/unknown-key');
  expect(stdout).toMatch(/^auth\/unknown-key +suites\/auth\.yaml:\d+$/m);
  expect(stdout).toMatch(/^ {2}Labels +models, chat, /m);
  expect(stdout).toContain('key: unknown');
  expect(stdout).toContain("--only 'auth/unknown-key[*]'");
  expect(stdout.match(/Judges +auth\.required /g)).toHaveLength(1);
});

it('explain says of each label what differs, and leaves the rest of several clauses to them', () => {
  const stdout = explained('errors/every-error-body');
  expect(stdout.match(/^errors\//gm)).toHaveLength(1);
  expect(stdout).toMatch(/^ +code: errors\.code \(must/m);
  expect(stdout).toMatch(/^ +npx --no-install wirecheck explain errors\.type$/m);
  expect(stdout).not.toContain('Who is hurt');
  expect(explained('auth/wrong-key-on-chat')).toContain('shorter, no-prefix, basic, empty: A wrong key');
});

it('explain names the clients that a clause affects, kind by kind, where they were measured', () => {
  const stdout = explained('stream.line-ends').replaceAll(/\s+/g, ' ');
  expect(stdout).toMatch(
    /Affected streamed \(measured \d{4}-\d\d-\d\d, default settings\): openai [\d.]+ for Go \(returns no text\); not openai [\d.]+ for JavaScript, /,
  );
  expect(explained('stream.chunk-id')).toContain('streamed, absent at /*/id: none of the 7 clients');
  expect(explained('stream.block-data')).toContain('streamed, no data: retry (measured');
  expect(explained('errors.code')).not.toContain('Affected');
  const spared = explained('stream.finish-once').replaceAll(/\s+/g, ' ');
  expect(spared).toMatch(/Who is hurt none of the 7 clients measured .+ Others: Clients that act on/);
  expect(spared).not.toContain('Affected');
});

it.each(['errors.code', 'auth', 'refused', 'error-code-integer', 'gzip', 'reply-tokens', 'auth/unknown-key[models]'])(
  'as JSON, the explanation of %s has the same texts',
  (name) => {
    const words = (text: string): string => text.replaceAll(/\s+/g, ' ');
    const shown = words(explained(name));
    const all = JSON.parse(explained(name, true)) as { facts: Record<string, string[]> }[];
    expect(all.length).toBeGreaterThan(0);
    // A person sees the first of many names.
    for (const text of all.flatMap(({ facts }) => Object.values(facts).flatMap((list) => list.slice(0, 12)))) {
      expect(shown).toContain(words(text));
    }
  },
);

it('as JSON, what is listed is a list, in full', () => {
  const [clause] = JSON.parse(explained('auth.required', true)) as { facts: Record<string, string[]> }[];
  const { Cases = [], Faults = [], Reading = [], Contract = [] } = clause?.facts ?? {};
  expect(Cases.length).toBeGreaterThan(12);
  for (const id of Cases) expect(id).toMatch(/^\S+$/);
  expect(Faults.length).toBeGreaterThan(1);
  for (const text of [...Faults, ...Reading, ...Contract]) expect(text).not.toContain('\n');
  const [outside] = JSON.parse(explained('service.platform-backend', true)) as { facts: Record<string, string[]> }[];
  expect(outside?.facts['Cases']).toEqual([]);
});

it.each([
  ['contract', /^# v1\n\n## Requests\n/],
  ['v1', /^# v1\n\n## Requests\n/],
  ['VALUE_MISSING', /^WIRECHECK_E_VALUE_MISSING +error code · exit 2\n.*Means +A flag, an argument/s],
  ['WIRECHECK_E_KEY_MISSING', /^WIRECHECK_E_KEY_MISSING +error code/],
])('explain %s does what people expect of it', (name, text) => {
  expect(explained(name)).toMatch(text);
});

it('Without a name, explain says what it takes', async () => {
  expect((await runCommand(['explain'], '.')).stderr).toMatch(/^NAME is missing: an id or name that `wirecheck list` /);
});

it('Paths lead to files from where the user is', () => {
  const folder = vi.spyOn(process, 'cwd').mockReturnValue(tmpdir());
  onTestFinished(() => folder.mockRestore());
  const facts = ['errors.code', 'auth/unknown-key', 'client/plain', 'relay/plain', '16'].flatMap(explainedAsJson);
  const text = JSON.stringify(facts);
  const paths = [...text.matchAll(/[\w./-]*(?:docs|suites)\/[\w-]+\.\w+/g)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(6);
  expect(paths.filter((path) => !existsSync(resolve(tmpdir(), path)))).toEqual([]);
});

/** Each line that a command stands on. */
const commandsIn = (text: string): readonly string[] => text.match(/(?<= {2})npx --no-install wirecheck .*/g) ?? [];

it.each(['errors/every-error-body[code]', 'auth', 'relay/break-cut', 'client/plain', 'common-servers', 'gzip'])(
  'The commands of %s can be pasted: each is on one line, and nothing follows it',
  (name) => {
    const commands = commandsIn(explained(name));
    const [page] = explainedAsJson(name);
    const { Run = [], 'See it': demo = [], Use = [] } = page?.facts ?? {};
    expect(commands).toEqual(expect.arrayContaining([...Run, ...demo, ...Use]));
    for (const command of commands) expect(command).not.toMatch(/: | N /);
  },
);

it('The commands of a case name its suite and its profile', async () => {
  const cwd = mkdtempSync(join(tmpdir(), "it's-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const profile = join(cwd, 'mine.yaml');
  const suite = join(cwd, 'own.yaml');
  writeFileSync(profile, readFileSync('test/profiles/narrow.yaml'));
  writeFileSync(
    suite,
    'suite: own\ntitle: Own\ncases:\n  - id: ids\n    title: Ids\n    over: ["*"]\n    expect: [{ clause: errors.code, check: header-present, name: x }]\n',
  );
  const { stdout, stderr } = await runCommand(['explain', 'own/ids', '--suite', suite, '--profile', profile], cwd);
  expect(stderr).toBe('');
  const quoted = (path: string): string => `'${path.replace("'", String.raw`'\''`)}'`;
  const flags = `--suite ${quoted(suite)}`;
  expect(commandsIn(stdout).slice(1)).toEqual([
    `npx --no-install wirecheck explain errors.code ${flags} --profile ${quoted(profile)}`,
    `npx --no-install wirecheck run "$WIRECHECK_BASE_URL" ${flags} --only 'own/ids' --profile ${quoted(profile)}`,
  ]);
});
