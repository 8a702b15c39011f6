/** `wirecheck profile [NAME|FILE]`: what a profile changes, and what follows from it. `--suggest` drafts one. */
import { contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { builtInProfiles, loadProfile } from '../contract/profile/read-profile.ts';
import { formatProfile, listChanges } from '../render/profile-text.ts';
import type { Profile } from '../contract/profile/profile.ts';
import { type ProfileReport, reportProfile } from '../report/profile-report.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { inert } from '../text/inert.ts';
import { clampWidth, count, hang, spread } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';
import { formatReason } from '../verdict/reason.ts';
import type { Contract } from '../contract/contract.ts';
import type { CommandIo } from './command-io.ts';
import { linesOf } from './explained.ts';
import { loadReport } from './files/load-report.ts';
import { suggestProfile } from './suggest-profile.ts';

export interface ProfileFlags {
  readonly suggest?: string;
}

export function profileCommand(name: string | undefined, { suggest }: ProfileFlags, io: CommandIo): number {
  if (suggest !== undefined) {
    if (name !== undefined) throw new UsageError('--suggest drafts a new profile: remove the name of the other one.');
    io.stdout.write(suggestProfile(loadReport(suggest, io.cwd)));
    return 0;
  }
  const width = clampWidth(io.stdout.columns);
  const lines = name === undefined ? listProfiles(io.cwd, width) : explainProfile(name, io.cwd, width);
  io.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

function listProfiles(cwd: string, width: number): readonly string[] {
  return [
    ...builtInProfiles().flatMap((name) => {
      const { profile, report } = readOne(name, cwd);
      return hang(`${formatProfile(report)}  `, profile.about ?? '', width);
    }),
    '`wirecheck profile NAME` explains one, and `wirecheck profile FILE` yours.',
  ];
}

function readOne(name: string, cwd: string): { readonly profile: Profile; readonly report: ProfileReport } {
  const profile = loadProfile(name, cwd);
  const report = reportProfile({ levels: {}, profile });
  if (!report) throw new Error('A profile has changes.');
  return { profile, report };
}

function explainProfile(name: string, cwd: string, width: number): readonly string[] {
  const { profile, report } = readOne(name, cwd);
  const chosen = { levels: {}, profile };
  const contract = contractOf(chosen);
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  const known = new Set(loadSuites([], contractOf(UNCHANGED)).flatMap((suite) => suite.cases.map(({ id }) => id)));
  const leftOut = cases.flatMap(({ id, pointless }) => (pointless ? [`${id}: ${formatReason(pointless)}`] : []));
  return [
    ...spread(formatProfile(report), 'profile', width),
    '',
    ...linesOf(
      [
        ['About', profile.about],
        ['Digest', profile.digest],
        ['Musts', `${countMusts(contract)} (v1: ${countMusts(contractOf(UNCHANGED))})`],
        ['New cases', cases.flatMap(({ id }) => (known.has(id) ? [] : [id])).join('\n')],
        ['Left out', leftOut.join('\n')],
        ['Use', `wirecheck run "$WIRECHECK_BASE_URL" --profile ${inert(name, 200)}`],
      ],
      width,
    ),
    '',
    `${count(report.changes.length, 'change')} to v1:`,
    ...listChanges(report).flatMap(({ what, why }) => hang('  - ', inert(`${what}. ${why}`, 1000), width)),
  ];
}

/** Must clauses that a run without extra keys can judge. */
function countMusts({ clauses }: Contract): number {
  return clauses.filter(({ level, scope }) => level === 'must' && scope === 'run').length;
}
