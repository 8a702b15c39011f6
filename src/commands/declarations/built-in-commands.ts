/** The commands that show, serve or test what is built in. */
import { type Command, Option } from 'commander';
import type { EditionsOptions } from '../editions.ts';
import type { GatewayFlags, Modifiers } from '../gateway.ts';
import type { ContractFlags } from '../contract.ts';
import type { ProfileFlags } from '../profile.ts';
import type { SchemaOptions } from '../schema.ts';
import { addTo } from '../settings/command-settings.ts';
import type { Declaring } from './declaring.ts';
import { UsageError } from '../../usage-error.ts';
import { addModifiers, type ModifierOptions, modifiersOf } from './modifier-options.ts';

const PROFILE = ['--profile <NAME|FILE>', 'as this profile changes it'] as const;

export function declareList({ add, io, exitWith }: Declaring): void {
  add(
    'list',
    'list cases, suites, scenarios, relay-cases, load-cases, explore-cases, clauses, checks, faults, variants or settings',
    [],
  )
    .argument('[WHAT]', 'list to show (default: the number of entries in each)')
    .option('--json', 'print JSON')
    .option('--suite <NAME|FILE>', 'only cases of this suite (repeatable)', addTo)
    .option(...PROFILE)
    .action(async (what: string | undefined, { json = false, suite = [], ...rest }: ListOptions) => {
      const { listCommand } = await import('../list.ts');
      exitWith(await listCommand(what, { json, suite, ...rest }, io));
    });
}

export function declareExplain({ add, io, exitWith }: Declaring): void {
  add('explain', 'explain a clause, case, scenario, suite, check, fault, variant or setting', [])
    .argument('<NAME>', 'an id or name that `wirecheck list` shows')
    .option('--json', 'print JSON')
    .option('--suite <NAME|FILE>', 'suite to search (repeatable)', addTo)
    .option(...PROFILE)
    .action(async (id: string, { json = false, suite = [], ...rest }: ListOptions) => {
      const { explainCommand } = await import('../explain.ts');
      exitWith(explainCommand(id, { json, suite, ...rest }, io));
    });
}

export function declareGateway({ add, io, exitWith }: Declaring): void {
  addModifiers(add('gateway', 'serve the reference gateway until Ctrl-C', []))
    .addOption(new Option('--port <N>', 'port to listen on').default('0', 'a free port'))
    .addOption(new Option('--host <HOST>', 'address to listen on').default('127.0.0.1', '127.0.0.1'))
    .option('--latency <TIME>', 'delay before every answer, such as 200ms')
    .addOption(new Option('--seed <N>', 'seed for the texts and for choosing replicas').default('1', '1'))
    .option('--json', 'print the address, the keys and the models as JSON')
    .option('--profile <NAME|FILE>', 'follow this profile instead of v1')
    .action(async (options: ModifierOptions & Omit<GatewayFlags, keyof Modifiers>) => {
      const { gatewayCommand } = await import('../gateway.ts');
      exitWith(await gatewayCommand({ ...options, ...modifiersOf(options) }, io));
    });
}

/** Its targets are not in the package. The name is kept for those who still have it in a script. */
export function declareSelftest({ add }: Declaring): void {
  add('selftest', 'test wirecheck itself: npm run selftest, in a checkout', [])
    .argument('[NAME...]')
    .allowUnknownOption()
    .action(() => {
      throw new UsageError(
        'The self-test is not in the package, since its targets are not. Run `npm run selftest` in a checkout of wirecheck.',
        { code: 'UNKNOWN_COMMAND' },
      );
    });
}

export function declareSchema({ add, io, exitWith }: Declaring): void {
  add('schema', 'print the JSON Schemas and the OpenAPI description', [])
    .argument('[NAME]', 'such as v1/model, files/recording or openapi (default: all)')
    .option('--list', 'print only the names')
    .option('--json', 'print the OpenAPI description or the list of names as JSON')
    .option(...PROFILE)
    .action(async (name: string | undefined, options: SchemaOptions) => {
      const { schemaCommand } = await import('../schema.ts');
      exitWith(schemaCommand(name, options, io));
    });
}

export function declareEditions({ add, io, exitWith }: Declaring): void {
  add('editions', 'list the editions of the tests, with what changed', [])
    .option('--json', 'print JSON')
    .action(async (options: EditionsOptions) => {
      const { editionsCommand } = await import('../editions.ts');
      exitWith(editionsCommand(options, io));
    });
}

export function declareProfile({ add, io, exitWith }: Declaring): void {
  add('profile', 'explain a profile: your contract, v1 with changes', [])
    .argument('[NAME|FILE]', 'profile to explain (default: list those of wirecheck)')
    .option('--suggest <REPORT>', 'draft a profile from the failures of a report.json, without safety clauses')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options: ProfileFlags) => {
      const { profileCommand } = await import('../profile.ts');
      exitWith(profileCommand(name, options, io));
    });
}

export function declareContract({ add, io, exitWith }: Declaring): void {
  add('contract', 'print the contract as Markdown', [])
    .option(...PROFILE)
    .action(async (options: ContractFlags) => {
      const { contractCommand } = await import('../contract.ts');
      exitWith(contractCommand(options, io));
    });
}

export function declareCompletion({ add, io, exitWith }: Declaring): void {
  add('completion', 'print a script that completes commands, flags and names in a shell', [])
    .argument('<SHELL>', 'bash, zsh or fish')
    .action(async (shell: string, _options: unknown, command: Command) => {
      const { completionCommand } = await import('../completion/completion.ts');
      exitWith(completionCommand(shell, command.parent ?? command, io));
    });
}

interface ListOptions {
  readonly json?: boolean;
  readonly suite?: readonly string[];
  readonly profile?: string;
}
