/** A profile as options of the reference gateway, which knows no profiles. */
import { contractOf } from '../contract/profile/apply-profile.ts';
import { loadContract } from '../contract/read-contract.ts';
import { typeOfField } from '../contract/profile/change-contract.ts';
import { changesOf, type Profile } from '../contract/profile/profile.ts';
import type { Promises } from '../gateway/index.ts';
import { withoutUndefined } from '../json.ts';
import { loadSuites } from '../suite/read-suites.ts';

export function promisesOf(profile: Profile): Promises {
  const contract = contractOf({ levels: {}, profile });
  const { limits } = contract.rules;
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  return {
    limits: Object.fromEntries(
      changesOf(profile, 'limit').map(({ field }) => {
        const { minimum, maximum } = limits[field] ?? {};
        return [field, withoutUndefined({ min: minimum, max: maximum })];
      }),
    ),
    required: changesOf(profile, 'required').map(({ field }) => field),
    types: Object.fromEntries(
      changesOf(profile, 'field').flatMap(({ field, types }) => {
        const type = typeToSend(field, types);
        return type === undefined ? [] : [[field, type]];
      }),
    ),
    headers: cases.flatMap(({ expect }) =>
      expect.flatMap(({ check, options: { name } }) =>
        check === 'header-present' && typeof name === 'string' ? [name.toLowerCase()] : [],
      ),
    ),
  };
}

/** A null that the profile allows in errors is sent, so that clients meet it. Otherwise v1's type, if it is allowed. */
function typeToSend(field: string, types: readonly string[]): string | undefined {
  if (field.startsWith('error.') && types.includes('null')) return 'null';
  const usual = typeOfField(field, loadContract().schemas) ?? '';
  const isUsual = types.includes(usual) || (usual === 'integer' && types.includes('number'));
  return isUsual ? undefined : types[0];
}
