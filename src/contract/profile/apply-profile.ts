/** Applies a profile to the contract, once. Everything after it follows from the changed contract. */

import { resolve } from 'node:path';
import { withoutUndefined } from '../../json.ts';
import { once } from '../../once-per.ts';
import { usageError } from '../../usage-error.ts';
import { assembleContract, type ContractParts } from '../assemble-contract.ts';
import type { Contract, Level, Subject } from '../contract.ts';
import { digestOf } from '../digest.ts';
import { loadContract } from '../read-contract.ts';
import { changeClauses, changeDescription, changeSchemas, explainChange, newClauses } from './change-contract.ts';
import { clausesAsWritten, clausesOfSuites } from './own-clauses.ts';
import { changesOf, type Profile, type ProfileChange } from './profile.ts';

/** The settings that decide by which contract a run is judged. */
export interface ChosenContract {
  readonly profile?: Profile;
  /** The short form of a profile without a name. */
  readonly levels: Readonly<Record<string, Level>>;
  /** Files among them may bring clauses of their own. */
  readonly suites?: readonly string[];
}

/** v1 as it is. */
export const UNCHANGED: ChosenContract = { levels: {} };

const applied = new Map<string, Contract>();

export function contractOf(chosen: ChosenContract, subject?: Subject): Contract {
  return changeContract(loadContract(subject), chosen, subject);
}

/** A contract that also has clauses of suites with mistakes: to find the mistakes of their cases, and not to judge by. */
export function contractAsWritten({ levels, suites = [] }: ChosenContract): Contract {
  const base = loadContract();
  const changes = [...(profileOf({ levels }, base)?.changes ?? []), ...clausesAsWritten(suites)];
  return applyProfile(base, { changes, digest: '' }, undefined);
}

/** Returns the contract itself if nothing changes it. `base`: the whole contract of the subject. */
export function changeContract(base: Contract, chosen: ChosenContract, subject?: Subject): Contract {
  const profile = profileOf(chosen, base);
  if (!profile) return base;
  const key = `${subject ?? 'gateway'} ${profile.digest}`;
  const known = applied.get(key) ?? applyProfile(base, profile, subject);
  applied.set(key, known);
  return known;
}

/** Changed levels and clauses of suites are a profile without a name. Levels of other subjects change nothing here. */
export function profileOf({ profile, levels, suites = [] }: ChosenContract, base: Contract): Profile | undefined {
  if (profile) {
    refuseBeside(profile, suites);
    return profile;
  }
  const changed = Object.entries(levels).flatMap(([id, level]) => {
    const clause = base.clause(id);
    return clause && clause.level !== 'none' && clause.level !== level
      ? [{ kind: 'level', clause: id, level } as const]
      : [];
  });
  const changes = [...changed, ...clausesOfSuites(suites)];
  // A comment in the file changes no contract.
  const written = changes.map(({ line: _line, ...change }: ProfileChange) => change);
  return changes.length === 0 ? undefined : { changes, digest: digestOf({ changes: written }) };
}

/** Its name and its digest would no longer say what a run was judged by. */
function refuseBeside({ name = '', suite }: Profile, suites: readonly string[]): void {
  for (const file of suites) {
    const [first] = clausesOfSuites([file]);
    if (!first) continue;
    const sentence =
      suite?.file === resolve(file)
        ? `this is the suite of the profile ${name}, which brings it along. Leave out --suite.`
        : `clauses of a suite cannot be used with the profile ${name}. Make the file its suite.`;
    throw usageError.CONFLICT(sentence, { file, ...withoutUndefined({ line: first.line }) });
  }
}

function applyProfile(base: Contract, profile: Profile, subject: Subject | undefined): Contract {
  const added = Object.assign({}, ...changesOf(profile, 'add').map(({ fields }) => fields));
  const parts: ContractParts = {
    hash: () => base.hash,
    schemas: once(() => profile.changes.reduce(changeSchemas, base.schemas)),
    added,
    suite: subject === undefined ? profile.suite : undefined,
    description: () => changeDescription(base.description, base.schemas, parts.schemas(), profile),
    explain: (id) => {
      const [own, usual] = [explainChange(id, profile, rules), base.explain(id)];
      // Whoever relies on a clause does so whatever its limit is.
      return own && usual?.hurts !== undefined ? { hurts: usual.hurts, ...own } : (own ?? usual);
    },
  };
  const { rules } = assembleContract([], parts);
  const clauses = changeClauses(base.clauses, profile, rules);
  const own = subject === undefined ? profile.changes.flatMap(newClauses) : [];
  return assembleContract([...clauses, ...own], parts);
}
