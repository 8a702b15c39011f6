/** `wirecheck completion SHELL` */
import type { Command } from 'commander';
import { didYouMean } from '../../text/suggestion.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import type { CommandIo } from '../command-io.ts';
import { bashCompletion } from './bash.ts';
import { type CompletedCommand, completedCommands } from './completed.ts';
import { fishCompletion } from './fish.ts';
import { type Shell, SHELLS } from './shells.ts';
import { zshCompletion } from './zsh.ts';

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `program`: with all commands. */
export function completionCommand(name: string, program: Command, { stdout }: CommandIo): number {
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined) {
    const guess = didYouMean(name, SHELLS) || ` Use one of ${SHELLS.join(', ')}.`;
    throw new UsageError(`Unknown shell "${inert(name, 60)}".${guess}`, { code: 'UNKNOWN_NAME' });
  }
  stdout.write(SCRIPTS[shell](completedCommands(program)));
  return 0;
}
