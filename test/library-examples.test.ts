import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';

const STRICT = {
  ...{
    strict: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noEmit: true,
    skipLibCheck: false,
  },
  ...{ module: 'nodenext', target: 'es2022', types: ['node'] },
};

/** The other examples go on from the first one. */
const isWhole = (example: string): boolean => example.includes('DEFAULT_');

it('The examples of the library compile in a strict project', { timeout: 60_000 }, () => {
  const page = readFileSync(join(packageRoot(), 'docs/programs.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code).filter(isWhole);
  expect(examples.length).toBeGreaterThan(2);
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-examples-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const [index, example] of examples.entries()) writeFileSync(join(folder, `example-${index}.ts`), example);
    const paths = { paths: { '@wirecheck/wirecheck': [join(packageRoot(), 'dist/index.d.ts')] } };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...STRICT, ...paths } }));
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(packageRoot(), 'node_modules/typescript/bin/tsc'), '-p', folder],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stdout]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
