/** Reads the edits of a case from its YAML entry. */
import type { Edit, Expectation } from './case.ts';
import type { EditKeys } from './suite-file.ts';

const READERS: { readonly [K in keyof EditKeys]-?: (entry: EditKeys) => readonly Edit[] } = {
  set: ({ set = {} }) => Object.entries(set).map(([pointer, value]) => ({ kind: 'set', pointer, value })),
  add: ({ add = {} }) => Object.entries(add).map(([pointer, value]) => ({ kind: 'add', pointer, value })),
  remove: ({ remove }) => (remove === undefined ? [] : [{ kind: 'remove', pointer: remove }]),
  raw: ({ raw }) => (raw === undefined ? [] : [{ kind: 'raw', text: raw }]),
  rawNumber: ({ rawNumber = {} }) =>
    Object.entries(rawNumber).map(([pointer, text]) => ({ kind: 'rawNumber', pointer, text })),
  spelling: ({ spelling: spellings }) => (spellings === undefined ? [] : [{ kind: 'spelling', spellings }]),
  header: ({ header = {} }) => Object.entries(header).map(([name, value]) => ({ kind: 'header', name, value })),
  key: ({ key }) => (key === undefined ? [] : [{ kind: 'key', use: key }]),
  method: ({ method }) => (method === undefined ? [] : [{ kind: 'method', method }]),
  path: ({ path }) => (path === undefined ? [] : [{ kind: 'path', path }]),
  query: ({ query }) => (query === undefined ? [] : [{ kind: 'query', query }]),
};

export interface ReadEdit {
  readonly edit: Edit;
  /** The key of the entry that holds it. */
  readonly key: keyof EditKeys;
}

export function readEdits(entry: EditKeys): readonly ReadEdit[] {
  return (Object.keys(READERS) as (keyof EditKeys)[]).flatMap((key) =>
    READERS[key](entry).map((edit) => ({ edit, key })),
  );
}

/** Every refusal is judged by it, whatever the case tests (part 7). The body is judged by errors/every-error-body. */
export const REFUSAL_EXPECTATION: Expectation = {
  clause: 'errors.no-server-error',
  check: 'no-server-error',
  options: {},
};
