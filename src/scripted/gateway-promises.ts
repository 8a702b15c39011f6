/** A profile as options of the reference gateway, which knows no profiles. */
import { contractOf } from '../contract/profile/apply-profile.ts';
import { changesOf, type Profile } from '../contract/profile/profile.ts';
import type { Promises } from '../gateway/index.ts';
import { loadSuites } from '../suite/load-suites.ts';

export function promisesOf(profile: Profile): Promises {
  const contract = contractOf({ levels: {}, profile });
  const { limits } = contract.rules;
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  return {
    limits: Object.fromEntries(
      changesOf(profile, 'limit').map(({ field }) => {
        const { minimum, maximum } = limits[field] ?? {};
        return [
          field,
          { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) },
        ];
      }),
    ),
    required: changesOf(profile, 'required').map(({ field }) => field),
    nullInErrors: changesOf(profile, 'field').flatMap(({ field, types }) => {
      const [holder, name] = field.split('.');
      return holder === 'error' && name !== undefined && types.includes('null') ? [name] : [];
    }),
    headers: cases.flatMap(({ expect }) =>
      expect.flatMap(({ check, options: { name } }) =>
        check === 'header-present' && typeof name === 'string' ? [name.toLowerCase()] : [],
      ),
    ),
  };
}
