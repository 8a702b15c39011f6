/** Every variant: a gateway that is unusual and yet keeps the contract. No checker may find anything broken in it. */
import type { Variant } from '../modifier.ts';

const VARIANT_TABLE = {
  'charset-in-content-type': { title: 'x', answer: (r) => r },
} satisfies Record<string, Variant>;

export type VariantId = keyof typeof VARIANT_TABLE;
export const VARIANTS: Readonly<Record<VariantId, Variant>> = VARIANT_TABLE;
