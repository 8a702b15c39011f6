import { describe, expect, it } from 'vitest';
import { fileSchema } from '../contract/file-schema.ts';
import { isObject } from '../json.ts';

type Definitions = Readonly<Record<string, unknown>>;

function definitionsOf(name: 'report' | 'recording'): Definitions {
  const schema: unknown = JSON.parse(fileSchema(name));
  if (!isObject(schema) || !isObject(schema['$defs'])) throw new Error(`${name} has no $defs`);
  return schema['$defs'];
}

describe('the recording schema', () => {
  it.each(['header', 'keyUse', 'failure', 'limitName', 'bodyEnd', 'ending'])(
    'has the same %s as the report schema',
    (name) => {
      const expected = definitionsOf('report')[name];
      expect(expected).toBeDefined();
      expect(definitionsOf('recording')[name]).toEqual(expected);
    },
  );
});
