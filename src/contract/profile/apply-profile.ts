/** Applies a profile to the contract, once. Everything after it follows from the changed contract. */
import { count } from '../../text/layout.ts';
import { assembleContract, type ContractParts } from '../assemble-contract.ts';
import type { Contract, Level, Subject } from '../contract.ts';
import type { JsonSchemas } from '../json-schema.ts';
import { loadContract } from '../load-contract.ts';
import { changeClauses, explainChange, newClauses } from './change-clauses.ts';
import { changeDescription, type ProfileInfo } from './change-description.ts';
import { changeSchemas } from './change-schemas.ts';
import { digestOf } from '../digest.ts';
import { changesOf, type Profile } from './profile.ts';

/** The settings that decide by which contract a run is judged. */
export interface ChosenContract {
  readonly profile?: Profile;
  /** The short form of a profile without a name. */
  readonly levels: Readonly<Record<string, Level>>;
}

/** v1 as it is. */
export const UNCHANGED: ChosenContract = { levels: {} };

const applied = new Map<string, Contract>();

export function contractOf(chosen: ChosenContract, subject?: Subject): Contract {
  return changeContract(loadContract(subject), chosen, subject);
}

/** Without changes, the contract itself. `base`: the whole contract of the subject. */
export function changeContract(base: Contract, chosen: ChosenContract, subject?: Subject): Contract {
  const profile = profileOf(chosen, base);
  if (!profile) return base;
  const key = `${subject ?? 'gateway'} ${profile.digest}`;
  const known = applied.get(key) ?? applyProfile(base, profile, subject);
  applied.set(key, known);
  return known;
}

/** Changed levels alone are a profile without a name. Those of other subjects change nothing here. */
export function profileOf({ profile, levels }: ChosenContract, base: Contract): Profile | undefined {
  if (profile) return profile;
  const changes = Object.entries(levels).flatMap(([id, level]) => {
    const clause = base.clause(id);
    return clause && clause.level !== 'none' && clause.level !== level
      ? [{ kind: 'level', clause: id, level } as const]
      : [];
  });
  return changes.length === 0 ? undefined : { changes, digest: digestOf({ changes }) };
}

function applyProfile(base: Contract, profile: Profile, subject: Subject | undefined): Contract {
  let schemas: JsonSchemas | undefined;
  const added = Object.assign({}, ...changesOf(profile, 'add').map(({ fields }) => fields));
  const parts: ContractParts = {
    hash: () => base.hash,
    schemas: () => (schemas ??= changeSchemas(base.schemas, profile)),
    added,
    suite: subject === undefined ? profile.suite : undefined,
    description: () => changeDescription(base.description, base.schemas, parts.schemas(), describeProfile(profile)),
    explain: (id) => explainChange(id, profile, rules) ?? base.explain(id),
  };
  const { rules } = assembleContract([], parts);
  const clauses = changeClauses(base.clauses, profile, rules);
  return assembleContract(subject === undefined ? [...clauses, ...newClauses(profile)] : clauses, parts);
}

/** An API description of a profile never looks like that of v1. */
function describeProfile(profile: Profile): ProfileInfo {
  const { name, version = '', about, changes, digest } = profile;
  const fields = changesOf(profile, 'add').flatMap((change) => Object.keys(change.fields));
  const isPrefixOpen = changesOf(profile, 'level').some(
    ({ clause, level }) => clause === 'auth.key-prefix' && level === 'observe',
  );
  const words = [
    ...(about === undefined ? [] : [about]),
    `This is v1 with ${count(changes.length, 'change')}, digest ${digest}.`,
    ...(fields.length === 0 ? [] : [`Every chat request also has ${fields.join(', ')}.`]),
  ];
  return {
    ...(name !== undefined && { name: `${name} ${version}` }),
    about: words.join(' '),
    ...(isPrefixOpen && { keys: 'An API key.' }),
  };
}
