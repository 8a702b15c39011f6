/** Reads suites: the built-in ones by name, those of users by file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { checkFile } from '../contract/file-schema.ts';
import { packageRoot } from '../contract/package-root.ts';
import { parseYaml, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import type { Case, Suite } from './case.ts';
import { checkNames } from './check-names.ts';
import { type CaseEntry, checkOver, expandCase } from './expand-case.ts';
import { loadRequests } from './load-requests.ts';

/** In the order in which they are read: a case may start from those before it. */
export const BUILT_IN_SUITES = [
  'models',
  'auth',
  'chat',
  'streaming',
  'parameters',
  'errors',
  'tolerance',
  'versioning',
] as const;

/** Cases for exchanges that were recorded elsewhere. No run asks for them: it has cases of its own for the same. */
export const RECORDED_SUITE = 'recorded';

interface SuiteFile {
  readonly suite: string;
  readonly title: string;
  readonly cases: readonly CaseEntry[];
}

/** `names` are built-in suites or paths of YAML files. None: all built-in ones. */
export function loadSuites(names: readonly string[], contract: Contract): readonly Suite[] {
  const cases = new Map<string, Case>();
  const suites = [...new Set(names.length > 0 ? names : BUILT_IN_SUITES)].map((name) =>
    readSuite(name, contract, cases),
  );
  checkOver(cases);
  return suites;
}

function readSuite(name: string, contract: Contract, cases: Map<string, Case>): Suite {
  const document = readSuiteFile(name);
  const { suite, title, cases: entries } = document.value as SuiteFile;
  const own = entries.flatMap((entry, index) => {
    const lineOf = (path: readonly (string | number)[]): number => document.lineOf(['cases', index, ...path]);
    const known = { contract, requests: loadRequests(), cases, lineOf };
    const source = { file: document.file, line: lineOf([]) };
    const expanded = expandCase(suite, entry, source, known);
    for (const one of expanded) {
      const before = cases.get(one.id);
      if (before) {
        const at = { file: document.file, line: lineOf(['id']) };
        throw new UsageError(`the id ${one.id} is taken by ${before.source.file}:${before.source.line}`, at);
      }
      cases.set(one.id, one);
    }
    return expanded;
  });
  return { name: suite, title, cases: own };
}

function readSuiteFile(name: string): YamlDocument {
  const builtIn = name === RECORDED_SUITE || (BUILT_IN_SUITES as readonly string[]).includes(name);
  const file = builtIn ? `suites/${name}.yaml` : name;
  const path = builtIn ? join(packageRoot(), file) : name;
  if (!builtIn && !/\.ya?ml$/.test(name)) {
    throw new UsageError(
      `There is no suite "${name}".${didYouMean(name, BUILT_IN_SUITES) || ` There are ${BUILT_IN_SUITES.join(', ')}, or give a .yaml file.`}`,
    );
  }
  if (!existsSync(path)) throw new UsageError(`There is no suite file ${name}.`);
  const document = parseYaml(readFileSync(path, 'utf8'), file);
  if (!builtIn) checkNames(document);
  checkFile('suite', document);
  return document;
}
