/** What the declaration of a command gets. */
import type { Command } from 'commander';
import type { SettingName } from '../../settings/setting-names.ts';
import type { CommandIo } from '../command-io.ts';
import type { HELP } from '../help-texts.ts';
import type { SettingWords } from './setting-words.ts';

export interface Declaring {
  /** Adds a command with the flags of its settings and its help. */
  readonly add: (
    name: keyof typeof HELP,
    summary: string,
    settings: readonly SettingName[],
    words?: SettingWords,
  ) => Command;
  readonly io: CommandIo;
  readonly exitWith: (code: number) => void;
}
