/** A client to judge, and how. */
import type { Level } from '../contract/contract.ts';
import { DEFAULT_SCENARIO_TIMEOUT, DEFAULT_SETTINGS } from '../settings.ts';

export interface Client {
  readonly name: string;
  readonly command: readonly string[];
  readonly version?: string;
  /** The command stays and takes JSON lines. */
  readonly isDriver: boolean;
}

export interface ClientSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly strict: boolean;
  readonly levels: Readonly<Record<string, Level>>;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly scenarioTimeout: number;
}

export const DEFAULT_CLIENT_SETTINGS: ClientSettings = {
  only: [],
  skip: [],
  strict: false,
  levels: {},
  concurrency: DEFAULT_SETTINGS.concurrency,
  scenarioTimeout: DEFAULT_SCENARIO_TIMEOUT,
};
