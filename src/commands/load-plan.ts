/** `wirecheck load … --plan`: the stages and the most that a run can cost. Nothing is sent. */
import { readLoadSettings } from '../load/load-settings.ts';
import { PROFILES, USUAL_PROFILES } from '../load/profiles.ts';
import { planLoad } from '../load/plan-load.ts';
import { PAUSE } from '../load/ramp.ts';
import type { Settings } from '../settings.ts';
import { contractLine } from './plan.ts';

export function formatLoadPlan(settings: Settings): string {
  const { mix } = readLoadSettings(settings);
  const plan = planLoad(settings);
  const highest = Math.max(...plan.ramp.map(({ inFlight }) => inFlight));
  const rows = [...plan.ramp, plan.burst(highest)].map(({ phase, inFlight, least, most, mostCalls: calls }) => {
    const name =
      phase === 'burst' ? `${inFlight} in flight, after ${PAUSE / 1000} s without calls` : `${inFlight} in flight`;
    const time = least === most ? seconds(least) : `${seconds(least)} to ${seconds(most)}`;
    return `  ${name}: ${time}${calls === undefined ? '' : `, at most ${calls.toLocaleString('en')} calls`}\n`;
  });
  const shares = Object.entries(mix).map(([kind, weight]) => `${kind}=${weight}`);
  return [
    `Load on ${settings.baseUrl}\n`,
    ...contractLine(settings).map((line) => `${line}\n`),
    ...rows,
    `  then 1 in flight until it recovers, at most ${seconds(settings.relay.recovery)}\n`,
    `Mix ${shares.join(',')}, seed ${settings.seed}\n`,
    `${formatCost(settings)}\n`,
    'Nothing was sent.\n',
  ].join('');
}

function formatCost({ relay, maxCompletions = 0 }: Settings): string {
  if (relay.upstreamPort !== undefined) return 'Nothing is charged: the scripted upstream answers.';
  const tokens = Math.max(...USUAL_PROFILES.map((name) => PROFILES[name].maxTokens));
  const most = (maxCompletions * tokens).toLocaleString('en');
  return `At most ${maxCompletions.toLocaleString('en')} charged completions, with at most ${most} completion tokens`;
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
