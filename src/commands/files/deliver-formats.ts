/** Where a board or a comparison goes: some formats to files, and one to stdout. */
import { relative } from 'node:path';
import type { CommandIo } from '../command-io.ts';
import { type Input, refuseOverwrites } from './refuse-overwrites.ts';
import type { ChosenFormat } from './reporters.ts';
import { requireWritable, writeWhole } from './write-files.ts';

export function prepareFormats(
  outputs: readonly ChosenFormat<string>[],
  inputs: readonly Input[],
  /** What is written, such as `board`, and the flags that choose another file. */
  { what, flags }: { readonly what: string; readonly flags: string },
): void {
  const files = outputs.flatMap(({ format, path }) => (path === undefined ? [] : [{ format, path }]));
  refuseOverwrites(
    inputs,
    files.map(({ format, path }) => ({ name: `the ${format} ${what}`, path, flags })),
  );
  for (const { path } of files) requireWritable(path, `choose another file with ${flags}.`);
}

/** Stdout has the format that was asked for there, otherwise the text for people. */
export function deliverFormats<Name extends string>(
  outputs: readonly ChosenFormat<Name>[],
  render: (format: Name) => string,
  renderForScreen: (format: Name | undefined) => string,
  { cwd, stdout, stderr }: CommandIo,
): void {
  for (const { format, path } of outputs) {
    if (path === undefined) continue;
    writeWhole(path, render(format));
    stderr.write(`Wrote ${relative(cwd, path)}\n`);
  }
  stdout.write(renderForScreen(outputs.find(({ path }) => path === undefined)?.format));
}
