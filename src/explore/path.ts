/** The path of a draw: its number, then the choices that made it smaller, and how many requests of a sequence were kept. */
import type { Contract } from '../contract/contract.ts';
import { UsageError } from '../usage-error.ts';
import { type Draw, keepFirst } from './drawn-request.ts';
import { countDraws } from './make-draws.ts';
import { smallerForms } from './smaller.ts';

/** `17`, `17:3:0`, or of a sequence `17.2:3`. */
const PATH = /^(\d+)((?:[.:]\d+)*)$/;

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
  return (steps.match(/[.:]\d+/g) ?? []).reduce((form, step): Draw => {
    const choice = Number(step.slice(1));
    const next = step.startsWith('.') ? keepFirst(form, choice) : smallerForms(form, contract)[choice]?.draw;
    if (!next || next.requests.length === 0) throw wrongPath(path);
    return next;
  }, draw);
}

function wrongPath(path: string): UsageError {
  return new UsageError(
    `--path ${path.slice(0, 60)} leads to no draw: copy it from a report of the same version, with its --seed and --profile.`,
  );
}
