/** The embedded reference gateway. */
export type { Gateway, GatewayOptions } from './gateway.ts';
export { startGateway } from './gateway.ts';
export type { FaultId } from './faults/index.ts';
export { FAULTS } from './faults/index.ts';
export type { VariantId } from './variants/index.ts';
export { VARIANTS } from './variants/index.ts';
export { UNSEEN } from './faults/unseen.ts';
export type { KeyRole } from './keys.ts';
export { KEYS } from './keys.ts';
export type { Fault, Modifier } from './modifier.ts';
