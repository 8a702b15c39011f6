/** Data that says by its `kind` what it is, and the tables that have a row for each kind. */

/** The members of a union that may be of this kind. */
export type OfKind<Union extends { readonly kind: string }, Kind extends Union['kind']> = Union extends unknown
  ? Kind extends Union['kind']
    ? Union
    : never
  : never;

/** What the words of a row are made of: the parameter of a function, or of its `text`. Nothing for a fixed text. */
type DataOf<Row> = Row extends { readonly text: infer Text }
  ? DataOf<Text>
  : Row extends (data: infer Data) => string
    ? Data
    : unknown;

/**
 * The union that a table of words describes: one member for each row, with the data that its words need. So a kind is
 * declared where its words are. `npm run schemas` knows this type by its name.
 */
export type RowsOf<Table> = {
  readonly [Kind in keyof Table]: { readonly kind: Kind } & DataOf<Table[Kind]>;
}[keyof Table];

/** The words for data of a kind. The compiler cannot follow the kind through the index. */
export function wordsFor<Data extends { readonly kind: string }>(
  table: { readonly [Kind in Data['kind']]: string | ((data: OfKind<Data, Kind>) => string) },
  data: Data,
): string {
  const words = table[data.kind as Data['kind']] as string | ((data: Data) => string);
  return typeof words === 'string' ? words : words(data);
}

/** An item of the lists in a table. */
export type Listed<Lists extends Readonly<Record<string, readonly string[]>>> = {
  readonly [Topic in keyof Lists]: Lists[Topic][number];
}[keyof Lists];
