/** The plan by which a recording is judged: that of its settings, without what the recorded run did not send. */
import { type AdaptedPlan, omitAbsent, tellAskedOtherwise } from '../recording/absent-steps.ts';
import { type RecordingStart, restoreSettings } from '../recording/recording.ts';
import { hashSuites } from '../recording/write-recording.ts';
import type { Profile } from '../contract/profile/profile.ts';
import type { Settings } from '../settings.ts';
import { EXTRA_KEYS } from '../suite/case.ts';
import type { Checks } from '../verdict/check.ts';
import { plan } from './run.ts';

interface PlanOptions {
  readonly checks?: Checks;
  /** Another one than that of the run. */
  readonly profile?: Profile;
}

let latest: { readonly key: string; readonly checks: Checks | undefined; readonly adapted: AdaptedPlan } | undefined;

/** Recordings that are judged together were mostly made with the same settings, and a plan depends on nothing else. */
export function planForRecording(start: RecordingStart, settings: Settings, options: PlanOptions): AdaptedPlan {
  const { keys, steps } = start;
  const { checks } = options;
  const own = options.profile && restoreSettings(start);
  const { baseUrl: _baseUrl, seed: _seed, ...rest } = settings;
  const extraKeys = EXTRA_KEYS.filter((extra) => keys.some(({ role }) => role === extra));
  const key = JSON.stringify([rest, own?.profile, own?.levels, extraKeys, steps, hashSuites(settings.suites)]);
  if (latest?.key === key && latest.checks === checks) return latest.adapted;
  const adapt = (by: Settings): AdaptedPlan => omitAbsent(plan(by, extraKeys, checks), { steps });
  const adapted = own ? tellAskedOtherwise(adapt(settings), adapt(own)) : adapt(settings);
  latest = { key, checks, adapted };
  return adapted;
}
