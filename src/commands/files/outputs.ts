/** Where a report goes: its files, and the format on stdout. */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DEFAULT_FILES, FORMAT_NAMES, type FormatName } from '../../settings/format-names.ts';
import { UsageError } from '../../usage-error.ts';
import type { CommandIo } from '../command-io.ts';
import type { Merged } from '../settings/merge-settings.ts';
import { detectAgent } from './detect-agent.ts';
import { readReporters } from './reporters.ts';
import { requireWritable } from './write-files.ts';

export interface Outputs {
  /** The format on stdout; everything else then goes to stderr. */
  readonly stdout?: FormatName;
  /** Why stdout has output for agents although nobody asked for it, such as `AI_AGENT is set`. */
  readonly agentSign?: string;
  readonly files: readonly { readonly format: FormatName; readonly path: string }[];
}

export const NO_FILES = 'none';
export const RERUN_FOLDER = 'wirecheck-rerun';

export function readOutputs(merged: Merged, io: Pick<CommandIo, 'cwd' | 'env' | 'stdout'>): Outputs {
  const { cwd } = io;
  const reporters = readReporters(merged.get('reporter') ?? [], {
    names: FORMAT_NAMES,
    cwd,
    originOf: (index) => merged.origin('reporter', index),
  });
  const out = chooseFolder(merged);
  // Reporters replace the default files, unless `--out` also asks for them. Output for agents names the full report.
  const replacing = reporters.filter(({ format, path }) => format !== 'agent' || path !== undefined);
  const wantsDefaults = replacing.length === 0 || merged.origin('out') !== undefined;
  const folder = wantsDefaults && out !== undefined && out !== NO_FILES ? resolve(cwd, out) : undefined;
  if (folder !== undefined && isFile(folder)) {
    const { label = '--out', at } = merged.origin('out') ?? {};
    throw new UsageError(`${label} names ${out}, which is a file: name a folder, or use --reporter html=FILE.`, at);
  }
  const stdout = reporters.find(({ path }) => path === undefined);
  const agentSign = asksForScreen(merged) ? undefined : detectAgent(io);
  return {
    ...(stdout && { stdout: stdout.format }),
    ...(agentSign !== undefined && { stdout: 'agent', agentSign }),
    files: [
      ...(folder === undefined ? [] : defaultFiles(folder)),
      ...reporters.flatMap(({ format, path }) => (path === undefined ? [] : [{ format, path }])),
    ],
  };
}

/** A rerun has a few cases only, and must not replace the whole report that it took them from. */
function chooseFolder(merged: Merged): string | undefined {
  const given = merged.origin('out');
  // The folder of the config file or of a variable is where the last report is.
  const isChosen = merged.get('last-failed') ? given?.kind === 'flag' : given !== undefined;
  return merged.get('rerun-failed') !== undefined && !isChosen ? RERUN_FOLDER : merged.get('out');
}

/** Whether the user or the config file says what stdout should show. */
function asksForScreen(merged: Merged): boolean {
  return (['reporter', 'quiet', 'verbose'] as const).some((name) => merged.origin(name) !== undefined);
}

/** For an agent whose person wonders why the output looks different. */
export function announceAgent(
  { agentSign }: { readonly agentSign?: string | undefined },
  { stdout }: Pick<CommandIo, 'stdout'>,
): void {
  if (agentSign === undefined) return;
  stdout.write(`Output for agents (${agentSign}); --reporter terminal for people\n`);
}

/** Nobody watches, or an agent does: no progress line. */
export function wantsNoProgress(merged: Merged, { stdout }: Outputs): boolean {
  return stdout === 'agent' || (merged.get('quiet') ?? false);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function defaultFiles(folder: string): Outputs['files'] {
  return FORMAT_NAMES.flatMap((format) => {
    const name = (DEFAULT_FILES as { readonly [Name in FormatName]?: string })[format];
    return name === undefined ? [] : [{ format, path: join(folder, name) }];
  });
}

/** The same files, in a folder of their own. */
export function inFolder({ files }: Outputs, name: string): Outputs {
  return { files: files.map(({ format, path }) => ({ format, path: join(dirname(path), name, basename(path)) })) };
}

/** Called before the first request, so that no tokens are spent on a report that cannot be written. */
export function checkOutputs({ files }: Outputs): void {
  for (const { path } of files) requireWritable(path, 'choose another place with --out or --reporter.');
}
