/** The profile that a run was judged by, for the report: every change beside what v1 says. */
import type { FilePlace } from '../contract/yaml/yaml-document.ts';
import type { Level, Range } from '../contract/contract.ts';
import { loadContract } from '../contract/read-contract.ts';
import { type ChosenContract, profileOf } from '../contract/profile/apply-profile.ts';
import { typeOfField } from '../contract/profile/change-contract.ts';
import { clausesOfV1 } from '../contract/profile/own-clauses.ts';
import type { Profile, ProfileChange } from '../contract/profile/profile.ts';
import { withoutUndefined } from '../json.ts';
import type { Count } from '../scalars.ts';

export interface ProfileReport extends Pick<Profile, 'name' | 'version' | 'about' | 'digest'> {
  readonly basedOn: 'v1';
  /** How many of the changes concern a safety clause. */
  readonly safetyChanges: Count;
  readonly changes: readonly ChangeReport[];
  /** By clause: where a file of the user changes its level. Absent if a profile does, or a program that uses the library. */
  readonly levelPlaces?: Readonly<Record<string, FilePlace>>;
}

export interface ChangeReport {
  readonly change: ProfileChange;
  /** What v1 says. */
  readonly levelWas?: Level;
  readonly limitWas?: Range;
  readonly typeWas?: string;
  readonly safety?: true;
}

/** Undefined for v1 as it is. `base`: the contract before any change. */
export function reportProfile(chosen: ChosenContract, base = loadContract()): ProfileReport | undefined {
  const profile = profileOf(chosen, base);
  if (!profile) return undefined;
  const { name, version, about, digest } = profile;
  const changes = profile.changes.map(({ line: _line, ...change }) => reportChange(change as ProfileChange));
  return {
    ...withoutUndefined({ name, version }),
    basedOn: 'v1',
    ...withoutUndefined({ about }),
    digest,
    safetyChanges: changes.filter(({ safety }) => safety).length,
    changes,
  };
}

function reportChange(change: ProfileChange): ChangeReport {
  if (change.kind === 'level') {
    const { level = 'none', safety } = clausesOfV1().find(({ id }) => id === change.clause) ?? {};
    return { change, ...(level !== 'none' && { levelWas: level }), ...(safety && { safety }) };
  }
  const { rules, schemas } = loadContract();
  if (change.kind === 'limit') return { change, limitWas: rules.limits[change.field] ?? {} };
  if (change.kind === 'field') return { change, ...withoutUndefined({ typeWas: typeOfField(change.field, schemas) }) };
  // A new kind of change has to say here what v1 has in its place.
  return { change } satisfies { readonly change: { readonly kind: 'clause' | 'required' | 'add' } };
}
