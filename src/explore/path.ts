/** The path of a draw, as fast-check writes them: its number, then which of the simpler forms was taken each time. */
import type { Contract } from '../contract/contract.ts';
import { UsageError } from '../usage-error.ts';
import type { Draw } from './drawn-request.ts';
import { countDraws } from './make-draws.ts';
import { simplerForms } from './simpler.ts';

/** `17`, or `17:3:0`. */
const PATH = /^(\d+)((?::\d+)*)$/;

/** As many as `--requests` may ask for: no report has a draw beyond them. */
const MOST_REQUESTS = 10_000;

/** The number of the draw that a path begins with. */
export function numberIn(path: string): number {
  const [, number] = PATH.exec(path) ?? [];
  if (number === undefined || Number(number) > countDraws(MOST_REQUESTS)) throw wrongPath(path);
  return Number(number);
}

/** The draw that a path leads to. */
export function followPath(draws: readonly Draw[], path: string, contract: Contract): Draw {
  const draw = draws.find(({ number }) => number === numberIn(path));
  if (!draw) throw wrongPath(path);
  const [, , steps = ''] = PATH.exec(path) ?? [];
  return (steps.match(/\d+/g) ?? []).reduce((form, step): Draw => {
    let place = 0;
    for (const simpler of simplerForms(form, contract)) {
      if (place === Number(step)) return simpler;
      place += 1;
    }
    throw wrongPath(path);
  }, draw);
}

function wrongPath(path: string): UsageError {
  return new UsageError(
    `--path ${path.slice(0, 60)} leads to no draw: copy it from a report of the same version, with its --seed and --profile.`,
  );
}
