/** A contract that requires more fields than v1 does has a case for each: a request without the field is refused. */
import type { Contract } from '../contract/contract.ts';
import { REQUEST_SCHEMA } from '../contract/assemble-contract.ts';
import type { YamlDocument } from '../contract/yaml/yaml-document.ts';
import type { CaseEntry, SuiteFile } from './suite-file.ts';

const REQUIRED_SUITE = 'required';

/** Those of v1 have cases of their own. */
const OF_V1 = ['model', 'messages'];

export function suiteOfRequired({ rules, schemas }: Contract): YamlDocument | undefined {
  const { properties = {} } = schemas.get(REQUEST_SCHEMA) ?? {};
  const cases = rules.required.flatMap((field): CaseEntry[] => {
    const named = properties[field]?.['x-clause'];
    const clause = typeof named === 'string' ? undefined : named?.absent;
    if (OF_V1.includes(field) || clause === undefined) return [];
    return [
      {
        id: `without-${field.replaceAll('_', '-')}`,
        title: `A request without ${field} is not answered with a completion`,
        // Streamed, so that a reply without a limit can be ended at its first text.
        control: field === 'max_tokens' ? 'chat-stream' : 'chat',
        remove: `/${field}`,
        expect: [{ clause, check: 'refused' }],
      },
    ];
  });
  if (cases.length === 0) return undefined;
  const value: SuiteFile = { suite: REQUIRED_SUITE, title: 'Fields that the profile requires', cases };
  return { file: 'profile', value, lineOf: () => 1 };
}
