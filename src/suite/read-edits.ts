/** Reads the edits of a case from the keys of its YAML entry. */
import type { Json } from '../json.ts';
import type { Edit, KeyUse } from './case.ts';

/** The keys that change the request a case starts from. */
export interface EditKeys {
  readonly set?: Readonly<Record<string, Json>>;
  readonly add?: Readonly<Record<string, Json>>;
  readonly remove?: string;
  readonly raw?: string;
  readonly rawNumber?: Readonly<Record<string, string>>;
  readonly header?: Readonly<Record<string, string | null>>;
  readonly key?: KeyUse;
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
}

const READERS: { readonly [K in keyof EditKeys]-?: (entry: EditKeys) => readonly Edit[] } = {
  set: ({ set = {} }) => Object.entries(set).map(([pointer, value]) => ({ kind: 'set', pointer, value })),
  add: ({ add = {} }) => Object.entries(add).map(([pointer, value]) => ({ kind: 'add', pointer, value })),
  remove: ({ remove }) => (remove === undefined ? [] : [{ kind: 'remove', pointer: remove }]),
  raw: ({ raw }) => (raw === undefined ? [] : [{ kind: 'raw', text: raw }]),
  rawNumber: ({ rawNumber = {} }) =>
    Object.entries(rawNumber).map(([pointer, text]) => ({ kind: 'rawNumber', pointer, text })),
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
