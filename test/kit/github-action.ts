/** The GitHub Action as its runner runs it: each shell step in bash, with the environment that the file gives it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/contract/package-root.ts';
import { type CiJob, makeJob } from './ci-job.ts';
import { runBash } from './run-program.ts';

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

export const ACTION = parse(readFileSync(join(packageRoot(), 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

type Scope = Record<string, string>;

/** `${{ name }}`, and nothing that would need more of the language. */
function evaluate(text: string, scope: Scope): string {
  return text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_whole, name: string) => {
    const value = scope[name];
    if (value === undefined) throw new Error(`${name} is not known to the test`);
    return value;
  });
}

function evaluateAll(texts: Readonly<Record<string, string | number>>, scope: Scope): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, evaluate(String(value), scope)]));
}

/** The one condition there is: `a != '' && b != ''`. */
function isMet(condition: string, scope: Scope): boolean {
  return condition.split('&&').every((part) => {
    const [, name = ''] = /^ *([\w.-]+) != '' *$/.exec(part) ?? [];
    if (!(name in scope)) throw new Error(`the test cannot decide ${part}`);
    return scope[name] !== '';
  });
}

function readOutputs({ output }: CiJob, step: Step): Scope {
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      return [`steps.${step.id}.outputs.${name}`, value];
    }),
  );
}

export async function useAction(inputs: Readonly<Record<string, string>>, job = makeJob()) {
  const scope: Scope = { 'github.action_path': packageRoot() };
  for (const [name, { default: usual = '' }] of Object.entries(ACTION.inputs))
    scope[`inputs.${name}`] = inputs[name] ?? usual;
  const uploads: Record<string, string>[] = [];
  const used: string[] = [];
  let exit: number | null = 0;
  let text = '';
  for (const step of ACTION.runs.steps) {
    if (exit !== 0) break;
    if (step.if !== undefined && !isMet(step.if, scope)) continue;
    if (step.uses !== undefined) used.push(step.uses);
    if (step.uses?.startsWith('actions/upload-artifact@')) uploads.push(evaluateAll(step.with ?? {}, scope));
    if (step.run === undefined) continue;
    const env = { ...job.env, ...job.github, ...evaluateAll(step.env ?? {}, scope) };
    const ended = await runBash(step.run, job.cwd, env);
    text += ended.text;
    exit = ended.exit;
    Object.assign(scope, readOutputs(job, step));
  }
  const values = Object.entries(ACTION.outputs).map(([name, { value }]) => [name, value]);
  const outputs = evaluateAll(Object.fromEntries(values) as Record<string, string>, scope);
  return { exit, text, uploads, used, job, outputs };
}
