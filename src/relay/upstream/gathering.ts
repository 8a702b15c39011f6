/** Holds the calls of a case until all have come, so that they are really answered at the same time. */
import type { UpstreamScript } from '../upstream-script.ts';

/** Milliseconds that calls are held back for others of their case. */
const MAX_GATHERING = 1_500;

export interface Gathering {
  count: number;
  readonly full: Promise<void>;
  readonly open: () => void;
}

export function holdForOthers(
  gatherings: Map<string, Gathering>,
  { case: name, script }: { readonly case: string; readonly script: Pick<UpstreamScript, 'gather'> },
): Promise<void> {
  let gathering = gatherings.get(name);
  if (!gathering) {
    let open = (): void => undefined;
    const full = new Promise<void>((resolve) => (open = resolve));
    setTimeout(open, MAX_GATHERING).unref();
    gathering = { count: 0, full, open };
    gatherings.set(name, gathering);
  }
  gathering.count += 1;
  if (gathering.count >= script.gather) gathering.open();
  return gathering.full;
}
