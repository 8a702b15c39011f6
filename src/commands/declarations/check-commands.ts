/** The commands that check something, and the plan of a check. */
import { type Command, Option } from 'commander';
import { BASE_URL } from '../../settings/settings-without-flag.ts';
import type { ClientFlags } from '../client.ts';
import type { ExploreFlags } from '../settings/read-settings.ts';
import type { LoadFlags } from '../load.ts';
import type { RelayFlags } from '../relay.ts';
import {
  CLIENT_SETTINGS,
  DEMO_SETTINGS,
  EXPLORE_SETTINGS,
  flagsOf,
  LOAD_SETTINGS,
  RELAY_SETTINGS,
  RUN_SETTINGS,
} from '../settings/command-settings.ts';
import type { Declaring } from './declaring.ts';
import { addJson, flagsWithJson } from './json-option.ts';
import { addModifiers, type ModifierOptions, modifiersOf } from './modifier-options.ts';
import { FOR_CLIENTS, FOR_EXPLORE, FOR_LOAD, FOR_RELAYS } from './setting-words.ts';

export function declareRun({ add, io, exitWith }: Declaring): void {
  addJson(add('run', 'check the gateway at BASE_URL', RUN_SETTINGS))
    .argument('[BASE_URL]', BASE_URL.summary)
    .action(async (baseUrl: string | undefined, _options: unknown, command: Command) => {
      const { runCommand } = await import('../run.ts');
      exitWith(await runCommand(baseUrl, flagsWithJson(command), io));
    });
}

export function declareDemo({ add, io, exitWith }: Declaring): void {
  addModifiers(addJson(add('demo', 'check the built-in reference gateway', DEMO_SETTINGS))).action(
    async (options: ModifierOptions, command: Command) => {
      const { demoCommand } = await import('../demo.ts');
      exitWith(await demoCommand(flagsWithJson(command), modifiersOf(options), io));
    },
  );
}

export function declareRelay({ add, io, exitWith }: Declaring): void {
  addJson(
    add(
      'relay',
      'check both ends of the gateway at BASE_URL, with a scripted upstream behind it',
      RELAY_SETTINGS,
      FOR_RELAYS,
    ),
  )
    .argument('[BASE_URL]', BASE_URL.summary)
    .option(
      '--print-config <NAME>',
      'print a configuration that puts the scripted upstream behind a gateway: nginx, caddy, haproxy, litellm or portkey',
    )
    .option('--explore', 'send drawn requests in place of the cases, and compare what arrives; see docs/explore.md')
    .option('--plan', 'with --explore: show what would be drawn, without sending anything')
    .option(
      '--path <PATH>',
      'with --explore: send only this draw, as a report names it, with the --seed of that report',
    )
    .option('--save <FILE>', 'with --explore: write each finding at the front as a case of a suite')
    .action(async (baseUrl: string | undefined, options: Partial<RelayFlags>, command: Command) => {
      const { relayCommand } = await import('../relay.ts');
      exitWith(await relayCommand(baseUrl, options, flagsWithJson(command), io));
    });
}

export function declareLoad({ add, io, exitWith }: Declaring): void {
  addJson(add('load', 'check the gateway at BASE_URL under load: every answer is judged', LOAD_SETTINGS, FOR_LOAD))
    .argument('[BASE_URL]', BASE_URL.summary)
    .argument('[COMMAND...]', 'with --during: command that runs while the load is held, after --')
    .option('--allow-load <HOST>', 'host that may be loaded, typed out; needed for any but this machine')
    .option('--during', 'hold one stage while COMMAND runs, such as a rolling restart')
    .option('--plan', 'show what would be sent and what it costs, without sending anything')
    .addOption(new Option('--targets <FILE>').hideHelp())
    .action(
      async (baseUrl: string | undefined, words: readonly string[], options: Partial<LoadFlags>, command: Command) => {
        const { loadCommand } = await import('../load.ts');
        exitWith(await loadCommand({ ...options, baseUrl, command: words }, flagsWithJson(command), io));
      },
    );
}

export function declareExplore({ add, io, exitWith }: Declaring): void {
  addJson(
    add(
      'explore',
      'send drawn requests to the gateway at BASE_URL, and shrink what fails',
      EXPLORE_SETTINGS,
      FOR_EXPLORE,
    ),
  )
    .argument('[BASE_URL]', BASE_URL.summary)
    .option('--plan', 'show what would be sent and what it costs, without sending anything')
    .option('--path <PATH>', 'send only this draw, as a report names it, with the --seed of that report')
    .option('--save <FILE>', 'write each finding but sequences as a case of a suite, for wirecheck run --suite FILE')
    .action(async (baseUrl: string | undefined, options: Partial<ExploreFlags>, command: Command) => {
      const { exploreCommand } = await import('../explore.ts');
      exitWith(await exploreCommand({ ...options, baseUrl }, flagsWithJson(command), io));
    });
}

export function declarePlan({ add, io, exitWith }: Declaring): void {
  add('plan', 'show what a run would send and cost, without sending anything', RUN_SETTINGS)
    .argument('[BASE_URL]', 'shown in the heading; the plan does not depend on it')
    .option('--json', 'print JSON')
    .action(async (baseUrl: string | undefined, { json = false }: PlanOptions, command: Command) => {
      const { planCommand } = await import('../plan.ts');
      exitWith(await planCommand(baseUrl, flagsOf(command), json, io));
    });
}

export function declareClient({ add, io, exitWith }: Declaring): void {
  addJson(add('client', 'check a client: drive it through scenarios', CLIENT_SETTINGS, FOR_CLIENTS))
    .argument('[COMMAND...]', 'command that makes one call, after --; see below')
    .option('--driver', 'keep the command running and send it one JSON line per scenario')
    .option('--clients <FILE>', 'check several clients and write a matrix; see docs/clients.md')
    .action(async (words: readonly string[], options: Partial<ClientFlags>, command: Command) => {
      const { clientCommand } = await import('../client.ts');
      exitWith(await clientCommand(words, { driver: false, ...options }, flagsWithJson(command), io));
    });
}

interface PlanOptions {
  readonly json?: boolean;
}
