/** What `run` and `demo` have in common: ask, write the files, print the report. */
import type { Report } from '../report/report.ts';
import { run } from '../run.ts';
import type { Keys, Settings } from '../settings.ts';
import { detailOf, show, writeFiles } from './deliver.ts';
import { checkOutputs, readOutputs } from './outputs.ts';
import { progressLine } from './progress.ts';
import type { Told } from './read-settings.ts';
import type { Surroundings } from './surroundings.ts';
import { tellGithub } from './tell-github.ts';
import { withoutBodies } from '../report/without-bodies.ts';

export async function checkTarget(settings: Settings, keys: Keys, told: Told, around: Surroundings): Promise<number> {
  const outputs = readOutputs(told.merged, around.cwd);
  checkOutputs(outputs);
  const { stderr } = around;
  const quiet = told.merged.get('quiet') ?? false;
  for (const notice of told.notices) stderr.write(`${notice}\n`);

  const report = await ask(settings, keys, quiet, around);
  const kept = told.merged.get('no-bodies') ? withoutBodies(report) : report;
  const problem = writeFiles(kept, outputs, quiet ? undefined : stderr, around.cwd);
  tellGithub(kept, outputs, around);
  const { stdout } = around;
  const detail = detailOf(told.merged);
  // A format that was asked for on stdout has it for itself; the report for people then goes to stderr.
  if (outputs.stdout !== undefined) show(kept, outputs.stdout, detail, stdout);
  if (outputs.stdout !== 'terminal') show(kept, 'terminal', detail, outputs.stdout === undefined ? stdout : stderr);
  if (problem) throw problem;
  return report.outcome.exit;
}

async function ask(
  settings: Settings,
  keys: Keys,
  quiet: boolean,
  { stderr, onInterrupt }: Surroundings,
): Promise<Report> {
  const stop = new AbortController();
  const line = progressLine(quiet ? { ...stderr, live: false } : stderr);
  const release = onInterrupt(() => {
    stop.abort();
    stderr.write('Interrupted: the report of what was done is being written. Once more ends at once.\n');
  });
  try {
    return await run(settings, keys, { onProgress: line.update, signal: stop.signal });
  } finally {
    line.end();
    release();
  }
}
