/** Loads the base requests from `suites/requests.yaml`, by name. */
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { checkFile } from '../contract/file-schema.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { parseYaml, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import { isObject } from '../json.ts';
import { UsageError } from '../usage-error.ts';
import type { BaseRequest } from './case.ts';
import { completeRequest } from './complete-request.ts';
import type { RequestFile } from './suite-file.ts';

export type BaseRequests = ReadonlyMap<string, BaseRequest>;

const FILE = 'suites/requests.yaml';

const CHAT = '/chat/completions';

const loaded = new WeakMap<Contract, BaseRequests>();

/** With everything that the contract requires. */
export function loadRequests(contract: Contract = loadContract()): BaseRequests {
  const known =
    loaded.get(contract) ?? completeRequests(readRequests(parseYaml(readPackageFile(FILE), FILE)), contract);
  loaded.set(contract, known);
  return known;
}

function completeRequests(requests: BaseRequests, { rules }: Contract): BaseRequests {
  return new Map(
    [...requests].map(([name, request]) => {
      const { path, body } = request;
      return [name, path === CHAT && isObject(body) ? { ...request, body: completeRequest(body, rules) } : request];
    }),
  );
}

export function readRequests(document: YamlDocument): BaseRequests {
  checkFile('requests', document);
  const entries = Object.entries(document.value as RequestFile);
  const mixed = entries.find(([, { body, raw }]) => body !== undefined && raw !== undefined);
  if (mixed) {
    const line = document.lineOf([mixed[0], 'raw']);
    throw new UsageError('raw must be left out if body is given.', { file: document.file, line });
  }
  return new Map(entries.map(([name, { headers = {}, ...entry }]) => [name, { name, headers, ...entry }]));
}
