/** Variables from a file. What the environment holds already goes first, as with Node's own `--env-file`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from '../../usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function withEnvFile(file: string | undefined, cwd: string, env: Environment): Environment {
  if (file === undefined) return env;
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`The file of variables ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return { ...parseEnv(text), ...env };
}
