/** `wirecheck profile [NAME|FILE]`: what a profile changes, and what follows from it. `--suggest` drafts one. */
import { contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { builtInProfiles, loadProfile } from '../contract/profile/read-profile.ts';
import { formatProfile, listChanges } from '../render/profile-text.ts';
import { type ProfileReport, reportProfile } from '../report/profile-report.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { inert } from '../text/inert.ts';
import { clampWidth, count, hang, spread } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';
import { formatReason } from '../verdict/reason.ts';
import type { Contract } from '../contract/contract.ts';
import { COMMAND } from '../contract/package-files.ts';
import type { CommandIo } from './command-io.ts';
import { linesOf } from './explain-kinds.ts';
import { loadReport } from './files/read-files.ts';
import { formatJson } from './format-json.ts';
import { suggestProfile } from './suggest-profile.ts';

export interface ProfileFlags {
  readonly suggest?: string;
  readonly json?: boolean;
}

/** What `--json` prints of a profile. */
interface ShownProfile extends ProfileReport {
  /** Must clauses, as verdicts count them. */
  readonly musts: number;
  readonly mustsOfV1: number;
  readonly newCases: readonly string[];
  readonly leftOut: readonly { readonly case: string; readonly reason: string }[];
}

export function profileCommand(
  name: string | undefined,
  { suggest, json = false }: ProfileFlags,
  { cwd, stdout }: CommandIo,
): number {
  if (suggest !== undefined) {
    stdout.write(suggestProfile(loadReport(refuseOthers(suggest, name, json), cwd)));
    return 0;
  }
  const width = clampWidth(stdout.columns);
  const shown = (name === undefined ? builtInProfiles() : [name]).map((each) => describeProfile(each, cwd));
  const lines =
    name === undefined ? listLines(shown, width) : shown.flatMap((profile) => profileLines(name, profile, width));
  stdout.write(json ? formatJson(shown) : `${lines.join('\n')}\n`);
  return 0;
}

function listLines(profiles: readonly ShownProfile[], width: number): readonly string[] {
  return [
    ...profiles.flatMap((profile) => hang(`${formatProfile(profile)}  `, profile.about ?? '', width)),
    '`wirecheck profile NAME` explains one, and `wirecheck profile FILE` yours.',
  ];
}

function refuseOthers(report: string, name: string | undefined, json: boolean): string {
  if (name !== undefined) {
    throw new UsageError('--suggest drafts a new profile: remove the name of the other one.', { code: 'CONFLICT' });
  }
  if (json) throw new UsageError('--suggest drafts a YAML file: remove --json.', { code: 'CONFLICT' });
  return report;
}

function describeProfile(name: string, cwd: string): ShownProfile {
  const profile = loadProfile(name, cwd);
  const chosen = { levels: {}, profile };
  const report = reportProfile(chosen);
  if (!report) throw new Error('A profile has changes.');
  const contract = contractOf(chosen);
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  const known = new Set(loadSuites([], contractOf(UNCHANGED)).flatMap((suite) => suite.cases.map(({ id }) => id)));
  return {
    ...report,
    musts: countMusts(contract),
    mustsOfV1: countMusts(contractOf(UNCHANGED)),
    newCases: cases.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    leftOut: cases.flatMap(({ id, pointless }) => (pointless ? [{ case: id, reason: formatReason(pointless) }] : [])),
  };
}

function profileLines(name: string, profile: ShownProfile, width: number): readonly string[] {
  const { about = '', digest, musts, mustsOfV1, newCases, leftOut } = profile;
  return [
    ...spread(formatProfile(profile), 'profile', width),
    '',
    ...linesOf(
      [
        ['About', about],
        ['Digest', digest],
        ['Musts', `${musts} (v1: ${mustsOfV1})`],
        ['New cases', newCases.join('\n')],
        ['Left out', leftOut.map(({ case: id, reason }) => `${id}: ${reason}`).join('\n')],
        ['Use', `${COMMAND} run "$WIRECHECK_BASE_URL" --profile ${inert(name, 200)}`],
      ],
      width,
    ),
    '',
    `${count(profile.changes.length, 'change')} to v1:`,
    ...listChanges(profile).flatMap(({ what, why }) => hang('  - ', inert(`${what}. ${why}`, 1000), width)),
  ];
}

/** As verdicts count them: with those that need an extra key or a setting, without those that need two runs. */
function countMusts({ clauses }: Contract): number {
  return clauses.filter(({ level, scope }) => level === 'must' && scope !== 'comparison').length;
}
