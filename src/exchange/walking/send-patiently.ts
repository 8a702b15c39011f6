/** Sends the steps before and after idle pauses. The pauses run side by side, so that all take as long as the longest. */
import type { Step } from '../../plan/plan.ts';
import { pauseFor } from '../attempts/pace.ts';

export async function sendPatiently(
  steps: readonly Step[],
  signal: AbortSignal,
  send: (step: Step) => Promise<unknown>,
): Promise<void> {
  const pauses = new Set(steps.flatMap(({ template }) => template.idle?.pause ?? []));
  await Promise.all(
    Array.from(pauses, async (pause) => {
      const own = steps.filter(({ template }) => template.idle?.pause === pause);
      const isOpening = ({ template }: Step): boolean => template.idle?.on === 'opening';
      for (const step of own.filter(isOpening)) await send(step);
      await pauseFor(pause, signal);
      for (const step of own.filter((each) => !isOpening(each))) await send(step);
    }),
  );
}
