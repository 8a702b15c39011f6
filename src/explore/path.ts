/** The path of a draw: its number, how many requests of a sequence are kept, and the choices that made it smaller. */
import type { Contract } from '../contract/contract.ts';
import { UsageError } from '../usage-error.ts';
import type { Draw } from './drawn-request.ts';
import { smallerForms } from './smaller.ts';

/** `17`, `17:3:0`, or of a sequence `17.2:3`. */
const PATH = /^(\d+)(?:\.(\d+))?((?::\d+)*)$/;

export function formatPath(draw: Draw, kept: number, choices: readonly number[]): string {
  const part = draw.requests.length === 1 ? '' : `.${kept}`;
  return `${draw.number}${part}${choices.map((choice) => `:${choice}`).join('')}`;
}

/** The draw that a path leads to. */
export function followPath(draws: readonly Draw[], path: string, contract: Contract): Draw {
  const [, number, kept, choices = ''] = PATH.exec(path) ?? [];
  const draw = draws.find((each) => each.number === Number(number));
  if (!draw) throw wrongPath(path);
  const start: Draw = { ...draw, requests: draw.requests.slice(0, kept === undefined ? undefined : Number(kept)) };
  return choices
    .split(':')
    .slice(1)
    .reduce((form, choice): Draw => {
      const next = smallerForms(form, contract)[Number(choice)];
      if (!next) throw wrongPath(path);
      return next;
    }, start);
}

function wrongPath(path: string): UsageError {
  return new UsageError(
    `--path ${path.slice(0, 60)} leads to no draw: copy it from a report of the same version, with its --seed and --profile.`,
  );
}
