/** The commands that write the files that a project keeps: settings, waivers, a CI job. */
import type { Command } from 'commander';
import { settingOf } from '../../settings/setting-names.ts';
import type { InitOptions } from '../init-notes.ts';
import { addTo, flagsOf } from '../settings/command-settings.ts';
import type { WaiveOptions } from '../waive.ts';
import type { Declaring } from './declaring.ts';

export function declareWaive({ add, io, exitWith }: Declaring): void {
  add('waive', 'add a waiver, so that a known failure does not fail runs until a date', [])
    .argument('<ID>', 'clause, case (* matches any characters), or fingerprint of a finding')
    .option('--reason <TEXT>', 'why it is accepted for now (required)')
    .option('--until <DATE>', 'last day of the waiver (this or --announced is required)')
    .option('--announced <DATE>', 'instead of --until: day from which an announced removal is legal')
    .option('--owner <NAME>', 'who will fix it')
    .option('--link <URL>', 'where it is tracked or was announced')
    .option(
      '--report <FILE>',
      'report.json: shows how many of its findings the waiver covers, and looks up a fingerprint',
    )
    .option('--waivers <FILE>', 'waiver file (default: wirecheck.waivers.yaml)')
    .option('--suite <NAME|FILE>', 'suite of the case or the clause, if it is not built in (repeatable)', addTo)
    .option('--profile <NAME|FILE>', 'profile of the clause, if v1 does not have it')
    .action(async (id: string, options: WaiveOptions, command: Command) => {
      const { waiveCommand } = await import('../waive.ts');
      exitWith(waiveCommand(id, options, flagsOf(command), io));
    });
}

export function declareInit({ add, io, exitWith }: Declaring): void {
  add('init', 'write a config file, a waiver file and a CI job, unless they exist', [])
    .option('--base-url <URL>', 'base URL of the gateway, ending in the version segment')
    .option('--allow-http', settingOf('allow-http').summary)
    .option('--key-env <NAME>', 'variable that holds the key (default: WIRECHECK_API_KEY)')
    .option('--ci <NAME>', 'github, gitlab or none (default: whichever the folder uses, otherwise none)')
    .option('--install <SPEC>', 'where the CI job installs wirecheck from (default: ./wirecheck.tgz)')
    .option('--force', 'overwrite the config file and the CI job; a waiver file is never overwritten')
    .action(async (options: InitOptions) => {
      const { initCommand } = await import('../init.ts');
      exitWith(await initCommand(options, io));
    });
}
