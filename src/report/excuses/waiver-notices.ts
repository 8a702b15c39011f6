/** Notices about waivers that are unused, expired or not in effect yet. */
import type { WaiverReport, WaiverState } from './excuse-report.ts';
import type { WaiverEntry } from './waivers.ts';

const SENTENCES: Record<WaiverState, (waiver: WaiverReport, failOnUnused: boolean) => string | undefined> = {
  'in-use': () => undefined,
  // With --fail-on-unused-waivers, the user needs to know which waivers this run could not decide.
  undecided: (_waiver, failOnUnused) =>
    failOnUnused ? 'may be unused: nothing it names failed, but not everything was judged.' : undefined,
  unused: () => 'is unused: everything it names passed. Remove it.',
  expired: ({ until, findings }) =>
    findings === 0
      ? `expired on ${until}, and nothing it names failed. Remove it.`
      : `expired on ${until}: the failure counts again. Fix it, or set a later date.`,
  pending: ({ announced, findings }) =>
    findings === 0
      ? undefined
      : `does not apply yet: the removal was announced for ${announced?.date}, and is a failure before that day.`,
};

export function waiverNotices(
  file: string,
  waivers: readonly WaiverReport[],
  failOnUnused: boolean,
): readonly string[] {
  return waivers.flatMap((waiver) => {
    const sentence = SENTENCES[waiver.state](waiver, failOnUnused);
    return sentence === undefined ? [] : [`${file}:${waiver.line}: the waiver for ${subjectOf(waiver)} ${sentence}`];
  });
}

/** `errors.code in auth/*` */
export function subjectOf({ case: caseGlob, clause, fingerprint }: WaiverEntry): string {
  const names = [clause, fingerprint].filter((name) => name !== undefined);
  if (caseGlob === undefined) return names.join(', ');
  return names.length === 0 ? caseGlob : `${names.join(', ')} in ${caseGlob}`;
}
