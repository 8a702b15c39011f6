/** Tables with one value of each kind of a union, and the parts that they share. */
import type { Quote } from '../../src/text/quote.ts';
import type { OfKind } from '../../src/verdict/reason.ts';

/** The compiler asks for a kind here as soon as the union has it. */
export type OneOfEach<Union extends { readonly kind: string }> = {
  readonly [Kind in Union['kind']]: Required<Omit<OfKind<Union, Kind>, 'kind'>>;
};

export const quote: Quote = { quote: 'said', length: 400, isCut: true };
export const answer = { status: 503, type: quote, code: quote, message: quote, isPage: true, isEmpty: true } as const;
export const failure = { failure: 'timeout', code: 'X', limit: 'idle-timeout' } as const;

export function withKinds(parts: Readonly<Record<string, object>>): readonly object[] {
  return Object.entries(parts).map(([kind, rest]) => ({ kind, ...rest }));
}
