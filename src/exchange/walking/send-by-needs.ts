/** Sends steps at once, each as soon as those that it needs have been sent. */
import type { Step } from '../../plan/plan.ts';

/** Needs outside of these steps count as met. */
export async function sendByNeeds(steps: readonly Step[], send: (step: Step) => Promise<unknown>): Promise<void> {
  const under = new Map<string, Promise<unknown>>();
  const start = (id: string): Promise<unknown> => {
    const known = under.get(id);
    if (known) return known;
    const step = steps.find(({ id: other }) => other === id);
    const sent = step ? Promise.all(step.needs.map(start)).then(() => send(step)) : Promise.resolve();
    under.set(id, sent);
    return sent;
  };
  await Promise.all(steps.map(({ id }) => start(id)));
}
