/** `npm run release`, on a small repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';

const importScript = (name: string): Promise<unknown> =>
  import(new URL(`../../scripts/release/${name}.mjs`, import.meta.url).href);

const { cutChangelog } = (await importScript('changelog')) as {
  readonly cutChangelog: (text: string, version: string, date: string) => string;
};
const { readVersion } = (await importScript('version')) as {
  readonly readVersion: (text: string | undefined, current: string) => string;
};

const SCRIPT = join(packageRoot(), 'scripts/release/release.mjs');

const CHANGELOG = `# Changelog

Newest first.

## Unreleased

### Breaking

### Added

- \`--much\` does much.
  It is new.

### Fixed

- A crash.

## 0.1.0

The first version.

- It runs.
`;

describe('cutting the changelog', () => {
  it('moves the entries under the version, and leaves an empty section and no empty headings', () => {
    expect(cutChangelog(CHANGELOG, '0.2.0', '2030-01-31')).toBe(`# Changelog

Newest first.

## Unreleased

## 0.2.0 (2030-01-31)

### Added

- \`--much\` does much.
  It is new.

### Fixed

- A crash.

## 0.1.0

The first version.

- It runs.
`);
  });

  it('works for the first version, and without headings', () => {
    const text = '# Changelog\n\n## Unreleased\n\n- It runs.\n';
    expect(cutChangelog(text, '0.1.0', '2030-01-31')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2030-01-31)\n\n- It runs.\n',
    );
  });

  it.each([
    ['no section for them', CHANGELOG.replace('## Unreleased', '## Next'), 'has no line "## Unreleased"'],
    ['no entries', CHANGELOG.replaceAll(/^- .*\n(?: .*\n)?/gm, ''), 'has no entries under'],
    ['the version already', CHANGELOG.replace('## 0.1.0', '## 0.2.0 (2029-12-24)'), 'already has the version 0.2.0'],
  ])('is refused with %s', (_what, text, sentence) => {
    expect(() => cutChangelog(text, '0.2.0', '2030-01-31')).toThrow(sentence);
  });

  it('leaves nothing to do by hand in the changelog of this repository', () => {
    const text = readFileSync(join(packageRoot(), 'CHANGELOG.md'), 'utf8').replace(
      '## Unreleased\n',
      '## Unreleased\n\n- Something.\n',
    );
    expect(cutChangelog(text, '99.0.0', '2030-01-31')).toContain('## Unreleased\n\n## 99.0.0 (2030-01-31)\n\n');
  });
});

describe('the version to release', () => {
  it.each(['0.2.0', '0.2.1', '0.10.0', '1.0.0'])('may be %s after 0.2.0', (version) => {
    expect(readVersion(version, '0.2.0')).toBe(version);
  });

  it.each([[undefined], ['v1.2.3'], ['1.2'], ['1.2.3-beta.1'], ['01.2.3'], ['0.1.9']])('is not %s', (version) => {
    expect(() => readVersion(version, '0.2.0')).toThrow(/Give the version as three numbers|is older than/);
  });
});

describe('npm run release', () => {
  let root: string;
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (path: string) => readFileSync(join(root, path), 'utf8');

  const ADDRESSES = {
    repository: 'github:acme/wirecheck',
    bugs: 'https://git.example/issues',
    homepage: 'https://git.example',
  };

  // In place of the real one, which builds.
  const PICTURES = "node --eval \"fs.writeFileSync('picture.png',require('./package.json').version)\"";
  const CUT = "node --eval \"fs.appendFileSync('editions.yaml','cut '+process.argv[1])\"";

  function writeManifest(addresses: Readonly<Record<string, string>>): void {
    // In place of the real files, which take long.
    const files =
      "node --eval \"process.chdir(process.argv[1]);for(const f of ['wirecheck.mjs','wirecheck-wirecheck-0.2.0.tgz','a.sha256'])fs.writeFileSync(f,'//')\"";
    const manifest = {
      name: '@wirecheck/wirecheck',
      version: '0.1.0',
      scripts: { 'release:files': files, 'edition:cut': CUT, screenshot: PICTURES },
      ...addresses,
    };
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'wirecheck-release-test-'));
    mkdirSync(join(root, 'node_modules'));
    writeManifest(ADDRESSES);
    const lock = {
      name: '@wirecheck/wirecheck',
      version: '0.1.0',
      packages: { '': { version: '0.1.0' }, 'node_modules/a': {} },
    };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
    writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG);
    writeFileSync(join(root, 'editions.yaml'), '');
    writeFileSync(join(root, 'picture.png'), '0.1.0');
    writeFileSync(join(root, '.gitignore'), 'node_modules/\nrelease/\n');
    git('init', '--quiet', '--initial-branch', 'main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@git.example');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Start');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function release(...args: readonly string[]) {
    return spawnSync(process.execPath, [SCRIPT, ...args], { cwd: root, encoding: 'utf8' });
  }

  /** Refs, files and their state. */
  const everything = () => [git('show-ref'), git('status', '--porcelain'), readdirSync(root), read('package.json')];

  it('commits, tags and leaves files whose checksums are right, and pushes nothing', () => {
    const { status, stdout, stderr } = release('0.2.0');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(git('log', '-1', '--format=%an %s', 'main')).toBe('Ada Release 0.2.0');
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'main'));
    expect(git('show', '--format=', '--name-only').split('\n')).toEqual([
      'CHANGELOG.md',
      'editions.yaml',
      'package-lock.json',
      'package.json',
      'picture.png',
    ]);
    expect(read('picture.png')).toBe('0.2.0');
    expect(git('status', '--porcelain')).toBe('');
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '0.2.0',
      packages: { '': { version: '0.2.0' } },
    });
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### Added\n/m);
    expect(read('editions.yaml')).toMatch(/^cut \d{4}-\d\d-\d\d$/);
    const sums = ['wirecheck-wirecheck-0.2.0.tgz', 'wirecheck.mjs'].map((file) => {
      const bytes = readFileSync(join(root, 'release', file));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
    });
    expect(read('release/SHA256SUMS')).toBe(sums.join(''));
    expect(stdout).toContain(
      'git push origin v0.2.0\n  npm publish --access public ./release/wirecheck-wirecheck-0.2.0.tgz ',
    );
  });

  it('as a dry run does everything and changes nothing, and reports what a release would refuse', () => {
    writeManifest({ ...ADDRESSES, homepage: 'https://example.invalid/wirecheck' });
    const before = everything();
    const { status, stdout, stderr } = release('0.2.0', '--dry-run');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('A release would be refused: The tree has changes that are not committed.');
    expect(stdout).toContain('release again:\n  homepage in package.json: the real address\n');
    expect(stdout).toMatch(/^release: [0-9a-f]{64} {2}wirecheck-wirecheck-0\.2\.0\.tgz$/m);
    expect(stdout).toContain('Dry run: nothing was changed.');
    expect(everything()).toEqual(before);
  });

  it('does everything without the addresses, and lists what has to be set before it is published', () => {
    writeManifest({});
    mkdirSync(join(root, '.github'));
    writeFileSync(join(root, '.github/CODEOWNERS'), '# Placeholder: the owners.\n* @OWNER\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'No addresses yet');
    const { status, stdout } = release('0.2.0');
    expect(status).toBe(0);
    expect(stdout.split('release again:\n')[1]?.trimEnd().split('\n')).toEqual([
      '  repository in package.json: the real address',
      '  bugs in package.json: the real address',
      '  homepage in package.json: the real address',
      '  .github/CODEOWNERS: the line below "Placeholder"',
    ]);
    expect(git('tag')).toBe('v0.2.0');
  });

  it('explains its arguments, also if one is unknown', () => {
    expect(release('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: npm run release') });
    const { status, stderr } = release('--hlep');
    expect(stderr).toMatch(/^Unknown option '--hlep'\.\n\nUsage: /);
    expect(status).toBe(1);
  });

  it.each<[what: string, prepare: () => void, sentence: string]>([
    ['changes', () => writeFileSync(join(root, 'new.txt'), ''), 'The tree has changes that are not committed.'],
    ['another branch', () => git('switch', '--quiet', '--create', 'work'), 'The branch is work, not main.'],
    ['the tag', () => git('tag', 'v0.2.0'), 'The tag v0.2.0 already exists.'],
  ])('is refused with %s, and changes nothing', (_what, prepare, sentence) => {
    prepare();
    const before = everything();
    const { status, stderr } = release('0.2.0');
    expect(stderr).toContain(sentence);
    expect(status).toBe(1);
    expect(everything()).toEqual(before);
  });

  it('releases the branch of the worktree that it is started in', () => {
    git('branch', 'work');
    git('commit', '--quiet', '--allow-empty', '--message', 'Later');
    const linked = join(root, 'node_modules/linked');
    git('worktree', 'add', '--quiet', linked, 'work');
    mkdirSync(join(linked, 'node_modules'));
    writeFileSync(join(linked, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n');
    execFileSync('git', ['commit', '--quiet', '--all', '--message', 'Nothing yet'], { cwd: linked });
    const { stderr } = spawnSync(process.execPath, [SCRIPT, '0.2.0', '--dry-run'], { cwd: linked, encoding: 'utf8' });
    expect(stderr).toContain('CHANGELOG.md has no entries');
  });

  it('leaves the repository as it was if the build fails', () => {
    writeFileSync(join(root, 'package.json'), read('package.json').replace('fs.writeFileSync', 'fs.nothing'));
    git('commit', '--quiet', '--all', '--message', 'Break the build');
    const before = everything();
    const { status, stderr } = release('0.2.0');
    expect(stderr).toContain('`npm run release:files -- ');
    expect(status).toBe(1);
    expect(everything()).toEqual(before);
    expect(existsSync(join(root, 'release'))).toBe(false);
  });
});
