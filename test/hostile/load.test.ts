/** Targets that send too much under load. Every answer is judged, and memory stays bounded whatever comes. */
import { describe, expect, it } from 'vitest';
import { IS_THOROUGH } from '../kit/thoroughness.ts';
import { actOf, type Behaviour } from './behaviour.ts';
import { Gate } from './hostile-suite.ts';
import { type Act, startHostileTarget } from './hostile-target.ts';
import { problemsOf } from './inspection.ts';
import { prepareLoad, startPrepared } from './run-cli.ts';
import { SIZES } from './sizes.ts';

const MAX_MIB = 250;
const MAX_SECONDS = 150;
/** Each takes half a minute. */
const SHARE = IS_THOROUGH ? 1 : 16;
/** Calls that are answered honestly: a target that is hostile from the first call on is never put under load. */
const HONEST = 30;

/** Held, broken or not judged, as it may be; never a crash. */
const EXITS = [0, 1, 3];

function hostileLater(behaviour: Behaviour): Act {
  const act = actOf(behaviour);
  return (call) => (call.number <= HONEST ? call.forward() : act(call));
}

describe('sizes under load: a target that', () => {
  const tried = Object.entries(SIZES).filter((_behaviour, place) => place % SHARE === 0);
  // Each in a process of its own, whose memory is the point. More at a time would take too long for the limit on time.
  const gate = new Gate(2);
  it.concurrent.each(tried)('%s', { timeout: 1_000_000 }, async (_name, behaviour) => {
    const { flags = [] } = behaviour;
    await gate.enter();
    const target = await startHostileTarget(hostileLater(behaviour));
    try {
      const ended = await startPrepared(prepareLoad(target.baseUrl, target.key, flags)).ended;
      expect(problemsOf(ended, [...target.credentials, target.key], flags.includes('--no-bodies'))).toEqual([]);
      expect(ended.exit, ended.stderr + ended.stdout.slice(-2_000)).toBeOneOf(EXITS);
      expect(target.calls).toBeGreaterThan(HONEST);
      expect(ended.peakMiB).toBeLessThan(MAX_MIB);
      expect(ended.seconds).toBeLessThan(MAX_SECONDS);
    } finally {
      await target.close();
      gate.leave();
    }
  });
});
