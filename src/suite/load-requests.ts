/** Loads the base requests from `suites/requests.yaml`, by name. */
import { checkFile } from '../contract/file-schema.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import type { Json } from '../json.ts';
import type { BaseRequest } from './case.ts';

interface RequestEntry {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly raw?: string;
  readonly control?: string;
}

export type BaseRequests = ReadonlyMap<string, BaseRequest>;

let loaded: BaseRequests | undefined;

export function loadRequests(): BaseRequests {
  loaded ??= readRequests();
  return loaded;
}

function readRequests(): BaseRequests {
  const file = 'suites/requests.yaml';
  const document = parseYaml(readPackageFile(file), file);
  checkFile('requests', document);
  const entries = document.value as Record<string, RequestEntry>;
  return new Map(
    Object.entries(entries).map(([name, { headers = {}, ...entry }]) => [name, { name, headers, ...entry }]),
  );
}
