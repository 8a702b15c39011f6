/** Changes the clauses of the contract as a profile says: levels, statements, and clauses that are new. */
import { formatInside, formatOutside } from '../limit-text.ts';
import type { Clause, Explanation, RequestRules } from '../contract.ts';
import { FIELDS, limitClauses, requiredClause } from './places.ts';
import { type ChangeOf, changesOf, type Profile, type ProfileChange } from './profile.ts';

/** `rules`: those of the changed contract. */
export function changeClauses(clauses: readonly Clause[], profile: Profile, rules: RequestRules): readonly Clause[] {
  const statements = changedStatements(clauses, profile, rules);
  const levels = new Map(changesOf(profile, 'level').map((change) => [change.clause, change]));
  return clauses.map((clause): Clause => {
    const statement = statements.get(clause.id);
    const level = levels.get(clause.id);
    return {
      ...clause,
      ...statement,
      ...(level && { level: level.level, ...(level.why !== undefined && { why: level.why }) }),
    };
  });
}

/** Clauses that v1 does not have: those of the profile itself, and one for each field that it requires. */
export function newClauses(profile: Profile): readonly Clause[] {
  return profile.changes.flatMap((change) => newClause(change) ?? []);
}

function newClause(change: ProfileChange): Clause | undefined {
  const why = change.why === undefined ? {} : { why: change.why };
  if (change.kind === 'clause') {
    const { clause: id, level, summary } = change;
    return { id, part: '-', kind: 'stated', level, ...why, scope: 'run', summary };
  }
  if (change.kind !== 'required') return undefined;
  const summary = `A request without ${change.field} is not answered with a completion.`;
  return { id: requiredClause(change.field), part: '2', kind: 'stated', level: 'must', ...why, scope: 'run', summary };
}

type Statement = Pick<Clause, 'summary'> & Partial<Pick<Clause, 'level' | 'why'>>;

function changedStatements(
  clauses: readonly Clause[],
  profile: Profile,
  rules: RequestRules,
): ReadonlyMap<string, Statement> {
  const made = new Map<string, Statement>();
  for (const { field } of changesOf(profile, 'limit')) {
    const { outside, inside } = limitClauses(field);
    const range = rules.limits[field] ?? {};
    const beyond = formatOutside(range);
    made.set(
      outside,
      beyond === undefined
        ? { level: 'observe', summary: `The profile sets no limit for ${field}.` }
        : { summary: `A ${field} ${beyond} is not answered with a completion.` },
    );
    made.set(inside, { summary: `A ${field} ${formatInside(range)} is answered.` });
  }
  if (changesOf(profile, 'required').length > 0) {
    const fields = formatList(rules.required, 'and');
    made.set('request.optional-fields', { summary: `A request with only ${fields} is answered.` });
    made.set('client.request-fields', {
      summary: `Chat requests have ${fields}, and every known field has its type.`,
    });
  }
  for (const { field, types } of changesOf(profile, 'field')) {
    const id = FIELDS[field]?.clause ?? '';
    const before = clauses.find((clause) => clause.id === id)?.summary ?? '';
    // Such statements end with the type: `The id of a completion is a string.`
    made.set(id, { summary: before.replace(/an? \w+\.$/, `${formatTypes(types)}.`) });
  }
  return made;
}

/** Why a clause reads as it does in this profile; undefined if the profile does not change its statement. */
export function explainChange(id: string, { name, changes }: Profile, rules: RequestRules): Explanation | undefined {
  for (const change of changes) {
    const why = change.why === undefined ? '' : ` ${change.why}`;
    if (change.kind === 'clause' && change.clause === id) return explainNew(change, name);
    if (change.kind === 'required' && requiredClause(change.field) === id) {
      return {
        reading: `The profile requires ${change.field}.${why} Any 4xx with the error body is a proper refusal.`,
        passes: '400 with the error body.',
        fails: '200 with a completion.',
        hurts: `Who needs ${change.field} in every request does not get it, and callers are not told that it is missing.`,
      };
    }
    if (change.kind === 'field' && FIELDS[change.field]?.clause === id) {
      return { reading: `The profile allows ${formatTypes(change.types)}.${why}` };
    }
    if (change.kind === 'limit') {
      const { inside, outside } = limitClauses(change.field);
      const range = formatInside(rules.limits[change.field] ?? {});
      if (id === inside || id === outside) {
        return { reading: `The profile sets the limit: a ${change.field} ${range} is answered.${why}` };
      }
    }
  }
  return undefined;
}

/** `profile`: its name; none if a suite brings the clause. */
function explainNew({ why, hurts }: ChangeOf<'clause'>, profile: string | undefined): Explanation {
  const states = `${profile === undefined ? 'Your suite' : 'The profile'} states it.`;
  const reading = why === undefined ? states : `${states} ${why}`;
  return { reading, ...(hurts !== undefined && { hurts }) };
}

/** `a string, an integer or null` */
function formatTypes(types: readonly string[]): string {
  const words = types.map((type) => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`));
  return formatList(words, 'or');
}

/** `model, messages and max_tokens` */
export function formatList(items: readonly string[], word: 'and' | 'or'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1) ?? ''}`;
}
