/** Judges a recording as a given report was judged: as strictly, by the same profile, with the same excuses. */

import { existsSync } from 'node:fs';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load-contract.ts';
import { UNCHANGED } from '../../contract/profile/apply-profile.ts';
import type { Profile } from '../../contract/profile/profile.ts';
import { builtInProfiles, loadProfile } from '../../contract/profile/read-profile.ts';
import { relayExploreContract } from '../../explore/explore-cases.ts';
import type { AnyRecording } from '../../recording/recording.ts';
import { suiteFilesOf } from '../../recording/write-recording.ts';
import { type Excuses, readBaseline } from '../../report/excuses/apply-excuses.ts';
import { restoreWaivers } from '../../report/excuses/waivers.ts';
import { reportProfile } from '../../report/profile-report.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { ReportDifference, JudgingChange, SubjectWord } from '../../report/verification/verification.ts';
import { judgeForeign } from '../../run/judge-recording.ts';
import { judgeAnyRecording } from '../../subjects/judge-any-recording.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { knownCases } from '../settings/read-excuses.ts';
import type { RecordedFile } from './load-recorded.ts';
import { loadOlderReport } from './read-files.ts';

interface Given {
  /** The recording, as the user wrote it. */
  readonly file: string;
  readonly cwd: string;
  readonly profile?: string;
  readonly baseline?: string;
}

type Recorded = Exclude<RecordedFile, { readonly kind: 'report' }>;

type Judged =
  | {
      readonly kind: 'judged';
      readonly report: Report;
      readonly otherwise: readonly JudgingChange[];
      /** That the recording names. */
      readonly suites: readonly string[];
    }
  | { readonly kind: 'other-subject'; readonly difference: ReportDifference };

export async function judgeForReport(report: Report, recorded: Recorded, given: Given): Promise<Judged> {
  const opened = recorded.kind === 'har' ? undefined : await recorded.open();
  const { name: reported } = traitsOf(report);
  const subject = subjectOf(opened);
  if (reported !== subject) {
    return { kind: 'other-subject', difference: { kind: 'subject', reported, recorded: subject } };
  }
  // A profile with the clauses of these files cannot be found without them.
  const suites = suiteFilesIn(opened);
  const settings = settingsOf(opened);
  const digest = digestIn(opened);
  const profile = findProfile(report, digest, given);
  const options = {
    // A lenient report of a strict run then differs: no command makes one.
    strict: report.strict || settings?.strict === true,
    ...(profile && { profile }),
    excuses: excusesOf(report, { ...given, chosen: profile ?? settings?.profile, opened }),
  };
  if (opened) {
    const otherwise: readonly JudgingChange[] = [
      ...(report.strict && settings?.strict === false ? (['strict'] as const) : []),
      ...(report.profile && report.profile.digest !== digest ? (['profile'] as const) : []),
    ];
    const judged = await judgeAnyRecording(opened, options);
    return { kind: 'judged', report: judged, otherwise, suites };
  }
  if (recorded.kind !== 'har') throw new Error('Only a HAR file is not opened as a recording.');
  return { kind: 'judged', report: await judgeForeign(await recorded.open(), options), otherwise: [], suites: [] };
}

/** `relay --explore` records what it sends, as a run does. */
function subjectOf(opened: AnyRecording | undefined): SubjectWord {
  return hasUpstream(opened) ? 'relay' : (opened?.subject ?? 'gateway');
}

function hasUpstream(opened: AnyRecording | undefined): boolean {
  return opened?.subject === 'gateway' && opened.start.settings.explore?.upstreamUrl !== undefined;
}

function settingsOf(opened: AnyRecording | undefined) {
  return opened?.start.settings;
}

function suitesOf(opened: AnyRecording | undefined): readonly string[] {
  return opened?.subject === 'gateway' ? (opened.start.settings.suites ?? []) : [];
}

/** Files with cases of the user's own, which are read from where they were. Throws a UsageError if one is not there. */
export function suiteFilesIn(opened: AnyRecording | undefined): readonly string[] {
  const files = suiteFilesOf(suitesOf(opened));
  const missing = files.find((file) => !existsSync(file));
  if (missing === undefined) return files;
  throw new UsageError(
    `Cannot find the suite file ${inert(missing, 300)}, which the recording names: put it there, or start wirecheck in the folder from which the run was started.`,
    { code: 'FILE_MISSING' },
  );
}

/** Of the contract that the run was judged by; undefined for v1. */
function digestIn(opened: AnyRecording | undefined): string | undefined {
  const settings = settingsOf(opened);
  if (!opened || !settings) return undefined;
  return reportProfile(settings, contractIn(opened))?.digest;
}

/** Before any change. */
function contractIn(opened: AnyRecording): Contract {
  if (hasUpstream(opened)) return relayExploreContract(UNCHANGED);
  return loadContract(opened.subject);
}

/** Undefined for that of the recording. A report that hides the profile of its run then differs from what the run gives. */
function findProfile({ profile: wanted }: Report, recorded: string | undefined, given: Given): Profile | undefined {
  const { profile: name, cwd } = given;
  if (!wanted) {
    if (name === undefined) return undefined;
    throw new UsageError('The report names no profile: leave out --profile.', { code: 'CONFLICT' });
  }
  if (name === undefined && wanted.digest === recorded) return undefined;
  const chosen = name ?? builtInProfiles().find((each) => each === wanted.name);
  const profile = chosen === undefined ? undefined : loadProfile(chosen, cwd);
  if (profile?.digest === wanted.digest) return profile;
  throw new UsageError(
    `The report was judged by the profile ${inert(wanted.name ?? 'of a config file', 100)} with the digest ${wanted.digest}: pass it with --profile FILE.`,
    { code: name === undefined ? 'VALUE_MISSING' : 'CONFLICT' },
  );
}

interface Judging extends Given {
  readonly chosen: Profile | undefined;
  readonly opened: AnyRecording | undefined;
}

/** The report has its waivers, but not the older report that it was compared with. */
function excusesOf(report: Report, { baseline, cwd, chosen, opened }: Judging): Excuses {
  const { waivers, baseline: compared } = report;
  if (!compared && baseline !== undefined) {
    throw new UsageError('The report was made without a baseline: leave out --baseline.', { code: 'CONFLICT' });
  }
  if (compared && baseline === undefined) {
    throw new UsageError(
      `The report was made with the baseline ${inert(compared.file, 300)}: pass it with --baseline FILE.`,
      { code: 'VALUE_MISSING' },
    );
  }
  const suites = suitesOf(opened);
  return {
    ...(waivers && {
      waivers: restoreWaivers(waivers.file, waivers.entries, knownCases({ suites, profile: chosen })),
      failOnUnusedWaivers: waivers.failOnUnused,
    }),
    ...(compared &&
      baseline !== undefined && {
        baseline: readBaseline(loadOlderReport('--baseline', baseline, cwd, traitsOf(report).name), compared.file),
      }),
  };
}
