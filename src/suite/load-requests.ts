/** Loads the base requests from `suites/requests.yaml`, by name. */
import { checkFile } from '../contract/file-schema.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { parseYaml, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import { UsageError } from '../usage-error.ts';
import type { BaseRequest } from './case.ts';
import type { RequestFile } from './suite-file.ts';

export type BaseRequests = ReadonlyMap<string, BaseRequest>;

const FILE = 'suites/requests.yaml';

let loaded: BaseRequests | undefined;

export function loadRequests(): BaseRequests {
  loaded ??= readRequests(parseYaml(readPackageFile(FILE), FILE));
  return loaded;
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
