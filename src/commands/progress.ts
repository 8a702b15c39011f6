/** The line that is painted over while a run goes on. Only where a person is watching. */
import { count } from '../text/layout.ts';
import type { Progress } from '../run/run.ts';
import type { Screen } from './surroundings.ts';

export interface ProgressLine {
  readonly update: (progress: Progress) => void;
  /** Takes the line away for good. */
  readonly end: () => void;
}

const CLEAR = '\r\u001b[2K';
/** Often enough to look alive, seldom enough to cost nothing. */
const REPAINT_EVERY = 200;

export function progressLine(screen: Screen): ProgressLine {
  if (!screen.live) return { update: () => undefined, end: () => undefined };
  let last: Progress | undefined;
  let at = 0;
  const paint = () => {
    if (last === undefined) return;
    const now = { ...last, elapsed: last.elapsed + performance.now() - at };
    screen.write(CLEAR + inWords(now).slice(0, (screen.columns || 80) - 1));
  };
  // The time goes on while an answer is waited for; the timer itself keeps nothing alive.
  const timer = setInterval(paint, REPAINT_EVERY).unref();
  return {
    update: (progress) => {
      last = progress;
      at = performance.now();
    },
    end: () => {
      clearInterval(timer);
      screen.write(CLEAR);
    },
  };
}

export function inWords({ casesDone, cases, requests, completions, elapsed }: Progress): string {
  return [
    `${casesDone} of ${count(cases, 'case')}`,
    count(requests, 'request'),
    `${count(completions, 'completion')} charged`,
    `${Math.floor(elapsed / 1000)} s`,
  ].join(' · ');
}
