/** Clauses that two contracts define differently: their verdicts differ even if the target stayed the same. */
import { FIELDS, limitClauses, requiredClause } from '../../contract/profile/change-contract.ts';
import type { ProfileChange } from '../../contract/profile/profile.ts';
import type { Report } from '../report.ts';

export const OPTIONAL_FIELDS = 'request.optional-fields';

export interface Redefined {
  readonly clauses: ReadonlySet<string>;
  /** Those on limits: a case that sends the value itself asks the same in both runs. */
  readonly limits: ReadonlySet<string>;
}

/** What a report says of its contract. */
type Judged = Pick<Report, 'profile'>;

export function redefinedClauses(older: Judged, newer: Judged): Redefined {
  const [before, now] = [definitionsIn(older), definitionsIn(newer)];
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (clause) => sorted(before.get(clause)) !== sorted(now.get(clause)),
  );
  const limits = [older, newer]
    .flatMap(changesIn)
    .flatMap((change) => (change.kind === 'limit' ? clausesOf(change) : []));
  return { clauses: new Set(changed), limits: new Set(limits) };
}

function changesIn({ profile }: Judged): readonly ProfileChange[] {
  return profile?.changes.map(({ change }) => change) ?? [];
}

/** What the profile says of each clause, without reasons. A level is none: kept is kept at any. */
function definitionsIn(report: Judged): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, readonly string[]>();
  for (const change of changesIn(report))
    for (const clause of clausesOf(change)) made.set(clause, [...(made.get(clause) ?? []), definitionOf(change)]);
  return made;
}

function sorted(definitions: readonly string[] = []): string {
  return JSON.stringify(definitions.toSorted());
}

function definitionOf(change: ProfileChange): string {
  switch (change.kind) {
    case 'field':
      return JSON.stringify([change.field, change.types.toSorted()]);
    case 'limit':
      return JSON.stringify([change.field, change.min, change.max]);
    case 'clause':
      return change.summary;
    case 'required':
      return change.field;
    case 'level':
    case 'add':
      return '';
  }
}

function clausesOf(change: ProfileChange): readonly string[] {
  switch (change.kind) {
    case 'field':
      return [FIELDS[change.field]?.clause ?? ''];
    case 'limit':
      return [...Object.values(limitClauses(change.field)), 'client.request-limits'];
    case 'clause':
      return [change.clause];
    case 'required':
      return [requiredClause(change.field), OPTIONAL_FIELDS, 'client.request-fields'];
    case 'level':
    case 'add':
      return [];
  }
}
