/** Notices about waivers that are unused, expired or not in effect yet. */
import type { NamedWaiver, Notice } from '../../exchange/notice.ts';
import type { WaiverReport } from './excuse-report.ts';

export function waiverNotices(
  file: string,
  waivers: readonly WaiverReport[],
  failOnUnused: boolean,
): readonly Notice[] {
  return waivers.flatMap((waiver) => noticeOn(waiver, nameWaiver(file, waiver), failOnUnused) ?? []);
}

export function nameWaiver(
  file: string,
  { line, case: caseGlob, clause, fingerprint }: Pick<WaiverReport, 'line' | 'case' | 'clause' | 'fingerprint'>,
): NamedWaiver {
  return {
    file,
    line,
    ...(caseGlob !== undefined && { case: caseGlob }),
    ...(clause !== undefined && { clause }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

function noticeOn(
  { state, until = '', announced, findings, matchesNothing }: WaiverReport,
  named: NamedWaiver,
  failOnUnused: boolean,
): Notice | undefined {
  switch (state) {
    case 'in-use':
      return undefined;
    case 'undecided':
      // With --fail-on-unused-waivers, the user needs to know which waivers this run could not decide.
      return failOnUnused ? { kind: 'waiver-undecided', ...named } : undefined;
    case 'unused':
      return { kind: 'waiver-unused', ...named, ...(matchesNothing && { matchesNothing }) };
    case 'expired':
      return { kind: 'waiver-expired', until, isBroken: findings > 0, ...named };
    case 'pending':
      return findings === 0 || !announced ? undefined : { kind: 'waiver-pending', date: announced.date, ...named };
  }
}
