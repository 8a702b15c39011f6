/** A CI job without its runner: a working folder, what the runner gives to every step, and an `npm` without network. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import type { Variables } from './run-program.ts';

export const CLI = join(packageRoot(), 'dist/cli.js');

/** Installs what was built here, and refuses to do so with a key. */
const NPM = `#!/bin/bash
[ "$*" = "ci --no-audit --no-fund --ignore-scripts" ] || exit 99
[ -z "$WIRECHECK_API_KEY$STAGING_KEY$WIRECHECK_LIMITED_KEY" ] || exit 98
mkdir -p node_modules/.bin
ln -sf '${CLI}' node_modules/.bin/wirecheck
`;

export interface CiJob {
  readonly cwd: string;
  /** Files that a step writes its outputs and its summary to. */
  readonly output: string;
  readonly summary: string;
  readonly env: Variables & { readonly PATH: string };
  readonly github: Variables;
}

/** Gone when the test ends. */
export function makeJob(only = 'models/*,auth/unknown-key*'): CiJob {
  const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-ci-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const output = join(cwd, 'github-output');
  const summary = join(cwd, 'github-summary');
  for (const file of [output, summary]) writeFileSync(file, '');
  const devDependencies = { '@wirecheck/wirecheck': 'file:wirecheck.tgz' };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ devDependencies }));
  writeFileSync(join(cwd, 'package-lock.json'), '{}');
  const env = {
    WIRECHECK_ONLY: only,
    PATH: process.env['PATH'] ?? '',
    HOME: cwd,
    npm_config_update_notifier: 'false',
  };
  const github = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
  return putProgram({ cwd, output, summary, env, github }, 'npm', NPM);
}

/** The job with a program that its steps find before any other of this name. */
export function putProgram(job: CiJob, name: string, script: string): CiJob {
  const bin = join(job.cwd, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), script);
  chmodSync(join(bin, name), 0o755);
  const PATH = job.env.PATH.startsWith(`${bin}:`) ? job.env.PATH : `${bin}:${job.env.PATH}`;
  return { ...job, env: { ...job.env, PATH } };
}

export async function gatewayFor(options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await startGateway({ eventGapMs: 1, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}
