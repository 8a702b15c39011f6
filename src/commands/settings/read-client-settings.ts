/** The settings of `wirecheck client`, for one client and for several. */
import { DEFAULT_CLIENT_SETTINGS } from '../../client/client-setup.ts';
import type { ClientSettings } from '../../exchange/client-traffic.ts';
import { SUBJECTS } from '../../subjects/subjects.ts';
import { chooseCases } from '../choose-cases.ts';
import { chooseContract } from './choose-contract.ts';
import { checkLevelsOf } from './config-file.ts';
import type { Inputs } from './read-settings.ts';

export function readClientSettings(inputs: Inputs): ClientSettings {
  const { merged, config } = inputs;
  const contract = chooseContract(inputs);
  checkLevelsOf(config);
  return {
    only: chooseCases(inputs, SUBJECTS.client.cases(), 'client').only,
    skip: merged.get('skip') ?? [],
    ...contract,
    strict: merged.get('strict') ?? false,
    concurrency: merged.get('concurrency') ?? DEFAULT_CLIENT_SETTINGS.concurrency,
    scenarioTimeout: merged.get('scenario-timeout') ?? DEFAULT_CLIENT_SETTINGS.scenarioTimeout,
  };
}
