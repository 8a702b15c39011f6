import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}
interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(packageRoot(), file), 'utf8'));
const { dependencies, scripts } = read('package.json') as Manifest;
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
const locked = Object.entries(packages).filter(([path]) => path !== '');

const sources = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

describe('the installed package', () => {
  it('has few dependencies, each at one exact version', () => {
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(7);
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('has no install scripts, and neither do its dependencies', () => {
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^(?:pre|post)prepare$/.test(name))).toEqual(
      [],
    );
    expect(locked.filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)).toEqual([]);
  });

  it('is locked by hash, and comes only from the public registry', () => {
    const loose = locked.filter(
      ([, { resolved = '', integrity = '' }]) =>
        !/^(?:https:\/\/registry\.npmjs\.org\/|$)/.test(resolved) || !integrity.startsWith('sha512-'),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });
});

describe('a documented command', () => {
  // Whoever registers a name that is not ours would be sent the keys of those who follow the page.
  const fromRegistry = /\b(?:npx|npm exec|npm x|pnpm dlx|yarn dlx|bunx)(?:\s+(?!--no-install\s)-\S+)*\s+wirecheck\b/;

  it.each([
    ['npx', '', true],
    ['npx', '--yes ', true],
    ['npx\n', '-y --quiet ', true],
    ['npm exec', '-- ', true],
    ['pnpm dlx', '', true],
    ['npx', '--no-install ', false],
    ['npx', 'vitest run # not ', false],
  ])('by %j with %j comes from the registry: %s', (runner, flags, isFromRegistry) => {
    expect(fromRegistry.test(`${runner} ${flags}wirecheck run`)).toBe(isFromRegistry);
  });

  it('never names a package that anybody could register', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: packageRoot(), encoding: 'utf8' }).split('\0');
    const texts = files
      .filter((file) => file !== '' && file !== 'CHANGELOG.md' && existsSync(join(packageRoot(), file)))
      .map((file) => [file, readFileSync(join(packageRoot(), file), 'utf8')] as const);
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(([, text]) => fromRegistry.test(text)).map(([file]) => file)).toEqual([]);
  });
});

/** Its table of status texts talks to nobody. */
const HARMLESS = "import { STATUS_CODES } from 'node:http';";
const textOf = (file: string): string => readFileSync(join(packageRoot(), 'src', file), 'utf8').replace(HARMLESS, '');

describe('the source', () => {
  const talking =
    /from '(?:undici|(?:node:)?(?:https?|http2|net|tls|dgram|dns|inspector)(?:\/promises)?)'|\bfetch\(|WebSocket/;

  // The others only listen: the reference gateway, also as the server of a scenario and as the upstream of a relay. A watch
  // listens for browsers, and opens a connection on which it sends nothing.
  const PLACES =
    /^(?:(?:exchange|gateway|scripted|gather\/client|commands\/watch)\/|gather\/load\/upstream-server\.ts$)/;

  it('asks the target in exchange/ alone, and listens only in its own servers', () => {
    expect(sources.length).toBeGreaterThan(100);
    const places = sources.filter((file) => talking.test(textOf(file)));
    expect(places.filter((file) => !PLACES.test(file))).toEqual([]);
    expect(
      sources.filter((file) => /from 'undici'|\bfetch\(/.test(textOf(file)) && !file.startsWith('exchange/')),
    ).toEqual([]);
    expect(places.length).toBeGreaterThan(0);
  });

  it('starts no process but the client under test, the program that ends it and a browser, and evaluates no code', () => {
    const starting = sources.filter((file) => /child_process|\beval\(|new Function\(/.test(textOf(file)));
    expect(starting.toSorted()).toEqual(['commands/open.ts', 'gather/client/drive/child.ts']);
  });
});
