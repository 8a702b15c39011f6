/** `wirecheck profile [NAME|FILE]`: what a profile changes, and what follows from it. `--suggest` drafts one. */
import { contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { builtInProfiles, loadProfile } from '../contract/profile/read-profile.ts';
import { formatProfile, listChanges } from '../render/profile-text.ts';
import { reportProfile } from '../report/profile-report.ts';
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
    if (name !== undefined) throw new UsageError('--suggest drafts a new profile: remove the name of the other one.', {
        code: 'CONFLICT',
      });
    io.stdout.write(suggestProfile(loadReport(suggest, io.cwd)));
    return 0;
  }
  const names = name === undefined ? builtInProfiles() : [name];
  const width = clampWidth(io.stdout.columns);
  io.stdout.write(`${names.map((each) => explainProfile(each, io.cwd, width).join('\n')).join('\n\n')}\n`);
  return 0;
}

function explainProfile(name: string, cwd: string, width: number): readonly string[] {
  const profile = loadProfile(name, cwd);
  const chosen = { levels: {}, profile };
  const report = reportProfile(chosen);
  if (!report) throw new Error('A profile has changes.');
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
