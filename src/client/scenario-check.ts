/** A check of a client: a pure function from a scenario, and from what the client did in all of them, to a result. */
import type { Contract } from '../contract/contract.ts';
import type { ClientTraffic, PlayedScenario } from '../exchange/client-traffic.ts';
import type { CheckOf } from '../verdict/check.ts';
import type { Scenario } from './scenario.ts';

/** A scenario and what the client did in it. */
export interface ScenarioEvidence {
  readonly case: Scenario;
  /** Absent if it was not played. */
  readonly played?: PlayedScenario;
}

export interface ClientRun {
  readonly traffic: ClientTraffic;
  readonly contract: Contract;
  /** Those that were not chosen as well: a control is played in any case. */
  readonly scenarios: readonly Scenario[];
}

export type ScenarioCheck = CheckOf<[evidence: ScenarioEvidence, run: ClientRun]>;
