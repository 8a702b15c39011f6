/** `--watch`: asks again what was broken whenever the gateway may have changed, and shows each round in the browser. */
import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { Budget } from '../../exchange/channel/ledger.ts';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { liveHtmlPage } from '../../render/html/html.ts';
import type { Report } from '../../report/report.ts';
import { isLoopback } from '../../run/check-address.ts';
import { run } from '../../run/run.ts';
import type { Keys, Settings } from '../../settings.ts';
import { inert } from '../../text/layout.ts';
import { usageError } from '../../usage-error.ts';
import type { CheckHooks } from '../check-subject.ts';
import { settingsToAsk } from '../choose-cases.ts';
import type { OwnOptions } from '../command-row.ts';
import { findOpener, startBrowser } from '../open.ts';
import type { Inputs } from '../settings/read-settings.ts';
import type { Progress } from '../../exchange/channel/hooks.ts';
import { type LiveServer, startLiveServer } from './live-server.ts';
import { type Round, Rounds } from './rounds.ts';
import { Bell, watchPath, watchRestarts } from './triggers.ts';

/** Milliseconds that a round waits for a gateway that has just come back. */
const COMING_BACK = 30_000;

export interface Watching {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly options: OwnOptions;
  readonly inputs: Inputs;
  readonly scanner: Scanner;
}

/** Refused before anything is sent, so that no CI job waits for somebody to press a key. */
export function requireWatchable({
  settings,
  options,
  inputs: { io, merged },
}: Omit<Watching, 'scanner' | 'keys'>): void {
  const { baseUrl, maxCompletions } = settings;
  if (io.onEnter === undefined || !io.stderr.live)
    throw usageError.CONFLICT('--watch needs a terminal with a person: without one, leave it out.');
  if (options.open !== false && findOpener(process.platform, io.env) === undefined)
    throw usageError.CONFLICT('--watch found no browser: add --no-open, and open the address that it prints.');
  for (const name of ['record', 'bail'] as const)
    if (merged.get(name)) throw usageError.CONFLICT(`--watch asks in several rounds: leave out --${name}.`);
  if (maxCompletions === undefined && !isLoopback(new URL(baseUrl).hostname))
    throw usageError.VALUE_MISSING('--watch spends by itself: limit all rounds together with --max-completions.');
  for (const path of options.watchPath ?? [])
    if (!existsSync(resolve(io.cwd, path)))
      throw usageError.FILE_UNREADABLE(`--watch-path ${inert(path, 200)} does not exist: name a file or a folder.`);
}

/** Returns the report of the last round. */
export async function watchTarget(watching: Watching, hooks: CheckHooks<Progress>): Promise<Report> {
  const { settings, options, inputs } = watching;
  const { io } = inputs;
  const bell = new Bell();
  const server = await startLiveServer((testCase) => bell.ring({ case: testCase }));
  const rounds = new Rounds();
  const { ask, tell } = askWith({ ...watching, budget: new Budget(settings), server, rounds }, hooks);
  const onAway = (isAway: boolean): void => {
    if (isAway) tell('The gateway is away');
    else bell.ring();
  };
  const stops = [
    ...(settings.proxy === undefined ? [watchRestarts(settings.baseUrl, onAway)] : []),
    ...(options.watchPath ?? []).map((path) => watchPath(resolve(io.cwd, path), () => bell.ring())),
    io.onEnter?.(() => bell.ring()),
  ];
  // It may have just come back.
  const again = { ...settings, waitFor: settings.waitFor ?? COMING_BACK };
  try {
    let round = await ask(settings, true);
    hooks.say(`Watching at ${server.url} (Enter asks again, Ctrl-C ends)\n`);
    if (options.open !== false) await startBrowser(server.url, io.env);
    while (completionsLeft(settings, rounds) !== 0) {
      const trigger = await bell.next(hooks.signal);
      if (!trigger) break;
      const open = rounds.toAsk(trigger.case);
      if (open.size > 0) round = await ask(settingsToAsk(again, open), false);
      if (round.left === 0 && trigger.case === undefined) round = await ask(again, true);
    }
    return round.report;
  } finally {
    for (const stop of stops) stop?.();
    await server.close();
  }
}

interface Asking extends Watching {
  readonly budget: Budget;
  readonly server: LiveServer;
  readonly rounds: Rounds;
}

function askWith({ settings, keys, scanner, budget, server, rounds }: Asking, hooks: CheckHooks<Progress>) {
  let last: Progress | undefined;
  const onProgress = (progress: Progress): void => {
    last = progress;
    hooks.onProgress(progress);
    server.tell(`Asking: ${progress.requests} of ${progress.requestsExpected} requests`);
  };
  /** Between two rounds. */
  const tell = (doing: string): void => {
    if (last) hooks.onProgress({ ...last, doing });
    server.tell(doing);
  };
  const ask = async (asked: Settings, isWhole: boolean): Promise<Round> => {
    const report = await run(asked, keys, { ...hooks, onProgress, budget });
    const round = rounds.add(report, isWhole);
    hooks.say(`${round.line}\n`);
    const page = liveHtmlPage(rounds.all, completionsLeft(settings, rounds));
    if (scanner.findsIn(page)) throw new Error('the page of the watch has a secret, so it was not shown');
    server.show(page, rounds.all.length);
    tell('Waiting for a change');
    return round;
  };
  return { ask, tell };
}

/** Undefined without a limit. */
function completionsLeft({ maxCompletions }: Settings, { all }: Rounds): number | undefined {
  if (maxCompletions === undefined) return undefined;
  return Math.max(0, maxCompletions - all.reduce((sum, { report }) => sum + report.cost.used.completions, 0));
}
