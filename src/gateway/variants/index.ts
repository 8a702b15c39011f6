/** All variants: unusual behaviour within the contract, in which a checker must find nothing broken. */
import type { Variant } from '../modifier.ts';
import { ACCESS_VARIANTS } from './access.ts';
import { ANSWER_VARIANTS } from './answers.ts';
import { STREAM_VARIANTS } from './streams.ts';
import { TRANSPORT_VARIANTS } from './transport.ts';

const VARIANT_TABLE = {
  ...ANSWER_VARIANTS,
  ...ACCESS_VARIANTS,
  ...STREAM_VARIANTS,
  ...TRANSPORT_VARIANTS,
} satisfies Record<string, Variant>;

export type VariantId = keyof typeof VARIANT_TABLE;
export const VARIANTS: Readonly<Record<VariantId, Variant>> = VARIANT_TABLE;
