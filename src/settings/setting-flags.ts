/** The settings of a run as flags of `wirecheck run` and as options of curl. Secrets appear as variables. */
import { flagOf, NO_BODIES, SETTING_NAMES, type SettingName, settingOf, variableOf } from './setting-names.ts';
import { argument } from '../text/shell-text.ts';

export interface RepeatedRun {
  readonly baseUrl: string;
  readonly settings: DescribedSettings;
  readonly seed: number;
}

export function runFlags(run: RepeatedRun): readonly string[] {
  return [...settingFlags(run), `${flagOf('seed')} ${run.seed}`];
}

/** Changed levels have no flag: they are read from the config file again. */
export function settingFlags({ settings }: Pick<RepeatedRun, 'settings'>): readonly string[] {
  return flagsFor(
    SETTING_NAMES.filter((name) => settingOf(name).isRepeated !== false),
    settings,
  );
}

/** The flags that repeat the whole run, with its choice of cases and its limits. */
export function allFlags(settings: DescribedSettings): readonly string[] {
  // The seed and the choice of an exploration are not what its flags were.
  const flags = 'explore.requests' in settings ? settingFlags({ settings }) : flagsFor(SETTING_NAMES, settings);
  return [...flags, ...(settings[NO_BODIES] === true ? [flagOf('no-bodies')] : [])];
}

function flagsFor(names: readonly SettingName[], settings: DescribedSettings): readonly string[] {
  return [
    ...names.flatMap((name) => argumentsFor(name, flagOf(name), settings)),
    ...headersIn(settings).map((header) =>
      'value' in header
        ? `${flagOf('header')} ${argument(`${header.name}: ${header.value}`)}`
        : `${flagOf('header-env')} ${argument(`${header.name}=${variableFor(header)}`)}`,
    ),
  ];
}

/** Looked up once: every command of a report has them. */
const CURL_OPTIONS = SETTING_NAMES.flatMap((name) => {
  const { curl } = settingOf(name);
  return curl === undefined ? [] : [[name, curl] as const];
});

export function curlOptions({ settings }: RepeatedRun): readonly string[] {
  return CURL_OPTIONS.flatMap(([name, curl]) => argumentsFor(name, curl, settings));
}

function argumentsFor(name: SettingName, option: string, settings: DescribedSettings): readonly string[] {
  const { path, type } = settingOf(name);
  const value = path && settings[path];
  if (value === undefined || value === false) return [];
  if (value === true) return [option];
  if (typeof value === 'object' && 'withheld' in value) return [`${option} "$${variableOf(name)}"`];
  return [value].flat().map((each) => `${option} ${argument(type.show(each))}`);
}

/** The variables of secret headers, by header name in lower case. */
export function secretHeaders({ settings }: RepeatedRun): ReadonlyMap<string, string> {
  return new Map(
    headersIn(settings).flatMap((header) =>
      'value' in header ? [] : [[header.name.toLowerCase(), variableFor(header)] as const],
    ),
  );
}

function headersIn({ headers = [] }: DescribedSettings): readonly DescribedHeader[] {
  return Array.isArray(headers) ? (headers as readonly DescribedHeader[]) : [];
}

/** Library callers need not name the variable of a secret header. */
function variableFor({ name, variable }: Extract<DescribedHeader, { withheld: string }>): string {
  return variable ?? name.toUpperCase().replaceAll(/\W/g, '_');
}

/** A header as a report has it: a secret value is withheld. */
export type DescribedHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly withheld: 'value'; readonly variable?: string };

/** Times in milliseconds, sizes in bytes. Possible secrets are withheld. */
export type DescribedSetting =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly DescribedHeader[]
  | { readonly withheld: 'login'; readonly shown: string }
  | { readonly withheld: 'address' | 'PEM text' };

/** The settings that differ from their defaults, by their path in `Settings`, such as `limits.depth`. */
export type DescribedSettings = Readonly<Record<string, DescribedSetting>>;
