/** `wirecheck relay BASE_URL --explore`: drawn requests, compared at both ends of the gateway. */
import { runRelayExplore } from '../explore/relay/run-relay-explore.ts';
import { type ExploreUpstream, startExploreUpstream } from '../explore/relay/upstream.ts';
import { createRecorder } from '../recording/write-recording.ts';
import type { Keys, Settings } from '../settings.ts';
import { checkSubject } from './check-subject.ts';
import type { CommandIo } from './command-io.ts';
import { formatExplorePlan } from './explore-plan.ts';
import type { ExploreFlags } from './explore-flags.ts';
import { DRAWN_REQUESTS, formatSeed, seedOf } from './explore-settings.ts';
import { formatStart } from './relay-start.ts';
import { saveTo } from './save-found.ts';
import type { Inputs } from './settings/read-settings.ts';

/** Nothing is charged, so that only the requests of each finding are limited. */
const MOST_COMPLETIONS = 100_000;

export function exploreSettings(given: Settings, inputs: Inputs, { path }: Partial<ExploreFlags>): Settings {
  const { merged } = inputs;
  return {
    ...given,
    seed: seedOf(given, inputs),
    only: [],
    skip: [],
    patient: false,
    explore: {
      requests: merged.get('requests') ?? 0,
      completions: MOST_COMPLETIONS,
      shrinkCompletions: MOST_COMPLETIONS,
      ...(path !== undefined && { path }),
    },
  };
}

export function planRelayExplore(settings: Settings, io: CommandIo, json = false): number {
  io.stdout.write(formatExplorePlan(settings, { isFree: true, json }));
  return 0;
}

export async function exploreRelay(
  settings: Settings,
  keys: Keys,
  { inputs, io, save }: { readonly inputs: Inputs; readonly io: CommandIo; readonly save: string | undefined },
): Promise<number> {
  const saver = saveTo(save, inputs, io);
  let started: ExploreUpstream | undefined;
  const upstream = (): ExploreUpstream => {
    if (!started) throw new Error('The upstream was not started.');
    return started;
  };
  return checkSubject({
    inputs,
    io,
    excusable: { subject: 'relay', suites: [] },
    counted: DRAWN_REQUESTS,
    createRecorder,
    async begin() {
      started = await startExploreUpstream(settings, keys);
      if (!inputs.merged.get('quiet')) io.stderr.write(`${formatStart(settings, started.url)}${formatSeed(settings)}`);
    },
    async check(hooks, recorder) {
      const result = await runRelayExplore(settings, keys, upstream(), {
        ...hooks,
        ...(recorder && { recorder }),
      });
      const { explore } = settings;
      saver.keep(result, { ...settings, ...(explore && { explore: { ...explore, upstreamUrl: upstream().url } }) });
      return result.report;
    },
    end: saver.tell,
    // Keys of the gateway have arrived meanwhile.
    scanner: () => upstream().vault.createScanner([upstream().url]),
  });
}
