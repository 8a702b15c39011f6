/** The reference gateway. */
export { type KeyRole, KEYS } from './access.ts';
export { type FaultId, type VariantId, FAULTS, UNSEEN, VARIANTS } from './catalogue.ts';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
export type { Answer, Piece, Reply } from './answer.ts';
export { headersOf, piecesOf } from './answer.ts';
export type { Fault, Modifier } from './modifier.ts';
export { type DeploymentOptions, type OpenDeployment, openDeployment } from './open-deployment.ts';
export type { OneIn } from './pool.ts';
export type { Promises } from './promises.ts';
