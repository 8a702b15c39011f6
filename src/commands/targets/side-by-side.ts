/** Works on several hosts at the same time, and on one host's targets one after the other, so that each keeps its budget. */
import { groupBy } from '../../report/counts.ts';

/** More would need more memory and make every answer late: one process reads and judges them all. */
const MAX_HOSTS = 8;

/** `work` does not reject. */
export async function workSideBySide<Of>(
  items: readonly Of[],
  hostOf: (item: Of) => string,
  work: (item: Of) => Promise<void>,
): Promise<void> {
  const hosts = [...groupBy(items, hostOf).values()].values();
  const workOn = async (): Promise<void> => {
    for (const own of hosts) for (const item of own) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_HOSTS }, workOn));
}
