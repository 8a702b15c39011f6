/** Prints the slowest test files after the others' results, so that a slow one is noticed when it is written. */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => ({ module, milliseconds: timeOf(module) }));
    if (timed.length <= SHOWN) return;
    const slowest = timed.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SHOWN);
    const lines = slowest.map(({ module, milliseconds }) => `${seconds(milliseconds)}  ${nameOf(module)}`);
    process.stdout.write(`\n Slowest files\n${lines.join('\n')}\n`);
  }
}

function timeOf(module: TestModule): number {
  const { duration, collectDuration } = module.diagnostic();
  return duration + collectDuration;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`.padStart(10);
}

function nameOf({ moduleId, project }: TestModule): string {
  return relative(project.config.root, moduleId);
}
