/** What keeps two runs from being compared, and what else the user should know about them. */
import { count } from '../../text/layout.ts';
import type { ProfileReport } from '../profile-report.ts';
import type { CaseReport, Report } from '../report.ts';
import type { CasePairs } from './pair-cases.ts';
import type { ComparisonNotice, Obstacle } from './comparison-notice.ts';
import { isComparable, type ObservedRun } from './observed-run.ts';

export function obstaclesTo(
  older: ObservedRun,
  newer: ObservedRun,
  { pairs, undecided, onlyIn }: CasePairs,
  shapes: number,
): readonly Obstacle[] {
  const unfinished = [older, newer].flatMap(({ report: { ending }, source, withheld }): readonly Obstacle[] => [
    ...(ending.kind === 'complete' ? [] : [{ kind: 'incomplete', source, ending } as const]),
    ...(withheld ? [{ kind: 'without-bodies', source } as const] : []),
  ]);
  const sources = { older: older.source, newer: newer.source };
  if (unfinished.length === 0 && undecided.length > 0) return [{ kind: 'undecided', cases: undecided, ...sources }];
  if (pairs.length + shapes === 0) return [...unfinished, { kind: 'nothing-in-common' }];
  const lacking = onlyIn.old.filter(isComparable).map(({ id }) => id);
  if (lacking.length > 0) return [...unfinished, { kind: 'lacking', cases: lacking, ...sources }];
  return pairs.length > 0 ? unfinished : [...unfinished, { kind: 'no-case-in-common' }];
}

/** In the wrong order, breaking changes would look additive. */
function orderNotices(older: ObservedRun, newer: ObservedRun): readonly ComparisonNotice[] {
  const [before, now] = [older.report, newer.report];
  const [first, second] = [before.provenance.startedAt, now.provenance.startedAt];
  if (first > second) return [{ kind: 'wrong-order', older: newer.source, newer: older.source }];
  const isSame = first === second && before.target.baseUrl === now.target.baseUrl;
  return isSame ? [{ kind: 'same-run' }] : [];
}

function onlyIn(source: string, cases: readonly CaseReport[]): readonly ComparisonNotice[] {
  return cases.length === 0 ? [] : [{ kind: 'only-here', source, cases: cases.map(({ id }) => id) }];
}

function modelNotices({ target: { model: older } }: Report, { target: { model: newer } }: Report) {
  if (older === newer) return [];
  const models = { ...(older !== undefined && { older }), ...(newer !== undefined && { newer }) };
  return [{ kind: 'different-models', ...models } as const];
}

/** First of all: the same verdict means something else under another profile. */
function profileNotices({ profile: before }: Report, { profile: now }: Report): readonly ComparisonNotice[] {
  if (before?.digest === now?.digest) return now ? [{ kind: 'same-profile', profile: nameProfile(now) }] : [];
  return [
    {
      kind: 'different-profiles',
      ...(before && { older: nameProfile(before) }),
      ...(now && { newer: nameProfile(now) }),
    },
  ];
}

/** `acme-gateway 3 (v1 with 6 changes, digest b6e5b6230619)` */
function nameProfile({ name, version = '', basedOn, changes, digest }: ProfileReport): string {
  const words = `${basedOn} with ${count(changes.length, 'change')}, digest ${digest.slice(0, 12)}`;
  return name === undefined ? words : `${name} ${version} (${words})`;
}

export function noticesOn(
  older: ObservedRun,
  newer: ObservedRun,
  { onlyIn: only, redefined, otherLimits }: CasePairs,
  { retired, fixed }: { readonly retired: readonly string[]; readonly fixed: readonly string[] },
): readonly ComparisonNotice[] {
  const [before, now] = [older.report, newer.report];
  const isSameContract = before.provenance.contractHash === now.provenance.contractHash;
  const cut = [older, newer].filter(({ withoutBody, withheld }) => withoutBody > 0 && !withheld);
  return [
    ...profileNotices(before, now),
    ...orderNotices(older, newer),
    ...(isSameContract ? [] : [{ kind: 'different-contracts' } as const]),
    ...modelNotices(before, now),
    // Others that the older run judged are an obstacle.
    ...onlyIn(
      older.source,
      only.old.filter((each) => !isComparable(each)),
    ),
    ...onlyIn(newer.source, only.new),
    ...cut.map(({ source, withoutBody }) => ({ kind: 'bodies-missing', source, count: withoutBody }) as const),
    ...(redefined.length > 0 ? [{ kind: 'redefined', clauses: redefined } as const] : []),
    ...(otherLimits.length > 0 ? [{ kind: 'other-limits', clauses: otherLimits } as const] : []),
    ...(fixed.length > 0 ? [{ kind: 'fixed', clauses: fixed } as const] : []),
    ...(retired.length > 0 ? [{ kind: 'retired', models: retired } as const] : []),
  ];
}
