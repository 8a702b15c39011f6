/** The files of a release, made twice from clean copies of the repository in different folders. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAjv } from '../../src/contract/ajv.ts';
import { packageRoot } from '../../src/contract/package-root.ts';
import { packageVersion } from '../../src/contract/package-files.ts';
import { SBOM_SCHEMA } from '../kit/cyclonedx-schema.ts';
import { IS_POSIX } from '../kit/platform.ts';
import { runProgram } from '../kit/run-program.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const SHIPPED = [
  `wirecheck-wirecheck-${packageVersion()}.tgz`,
  `wirecheck-${PLATFORM}`,
  ...(process.platform === 'linux' ? [`wirecheck-image-${PLATFORM}.tar`] : []),
  'wirecheck.mjs',
];

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly hashes: readonly { readonly content: string }[];
}
interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const folders: string[] = [];
let first: string;
let second: string;

/** With changes that are not committed, and without what git ignores. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), `wirecheck-${'copy-'.repeat(folders.length + 1)}`));
  folders.push(folder);
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (file !== '' && existsSync(join(packageRoot(), file))) cpSync(join(packageRoot(), file), join(folder, file));
  }
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function makeFiles(): Promise<string> {
  const copy = copyRepository();
  const manifest = readFileSync(join(copy, 'package.json'), 'utf8');
  const env = { PATH: process.env['PATH'] ?? '', HOME: copy };
  const { exit, text } = await runProgram(['npm', 'run', 'release:files', '--', 'release'], copy, env);
  expect(exit, text).toBe(0);
  expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(manifest);
  return join(copy, 'release');
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const sbomOf = (file: string) => JSON.parse(readFileSync(join(first, `${file}.cdx.json`), 'utf8')) as Sbom;
const namesIn = ({ components }: Sbom) => components.map(({ name }) => name);

describe.runIf(IS_POSIX)('the files of a release', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    [first, second] = await Promise.all([makeFiles(), makeFiles()]);
  }, 600_000);
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('are the same in both, byte for byte', () => {
    const expected = SHIPPED.flatMap((file) => [file, `${file}.cdx.json`, `${file}.sha256`]);
    expect(readdirSync(first).toSorted()).toEqual(expected.toSorted());
    for (const file of expected) expect([file, sha256(join(first, file))]).toEqual([file, sha256(join(second, file))]);
  });

  it('have no path of this machine in them', () => {
    for (const file of ['wirecheck.mjs', `wirecheck-${PLATFORM}`]) {
      expect(readFileSync(join(first, file)).includes(packageRoot())).toBe(false);
    }
  });

  it.each(SHIPPED)('have a checksum and an SBOM each: %s', (file) => {
    const checksum = sha256(join(first, file));
    expect(readFileSync(join(first, `${file}.sha256`), 'utf8')).toBe(`${checksum}  ${file}\n`);
    const sbom = sbomOf(file);
    const isValid = createAjv({}).compile(SBOM_SCHEMA);
    isValid(sbom);
    expect(isValid.errors).toBeNull();
    expect(sbom.metadata.component).toMatchObject({ version: packageVersion(), hashes: [{ content: checksum }] });
    const refs = [sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(sbom.dependencies.map(({ ref }) => ref)).toEqual(refs);
    expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  it('list the packages in each, and Node where it is in it', () => {
    const packages = namesIn(sbomOf('wirecheck.mjs'));
    const { dependencies } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
      readonly dependencies: object;
    };
    expect(packages).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(namesIn(sbomOf(`wirecheck-wirecheck-${packageVersion()}.tgz`))).toEqual(
      expect.arrayContaining([...packages]),
    );
    expect(namesIn(sbomOf(`wirecheck-${PLATFORM}`))).toEqual([...packages, 'node']);
  });

  it('have a package without a script that npm would ask to approve', () => {
    const tarball = join(first, `wirecheck-wirecheck-${packageVersion()}.tgz`);
    const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
    const { scripts } = JSON.parse(text) as { readonly scripts: object };
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
  });
});
