/** `--watch`: asks again what was broken whenever the gateway may have changed, and shows each round in the browser. */
import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { Budget } from '../../exchange/channel/ledger.ts';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { liveHtmlPage } from '../../render/html/html.ts';
import { listSquares } from '../../render/html/overview.ts';
import type { Report } from '../../report/report.ts';
import { isLoopback } from '../../run/check-address.ts';
import { run } from '../../run/run.ts';
import type { Keys, Settings } from '../../settings.ts';
import { count, inert } from '../../text/layout.ts';
import { usageError } from '../../usage-error.ts';
import type { CheckHooks } from '../check-subject.ts';
import { settingsToAsk } from '../choose-cases.ts';
import type { OwnOptions } from '../command-row.ts';
import { findOpener, startBrowser } from '../open.ts';
import type { Inputs } from '../settings/read-settings.ts';
import type { Progress } from '../../exchange/channel/hooks.ts';
import { startLiveServer } from './live-server.ts';
import { Rounds } from './rounds.ts';
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
export function requireWatchable({ settings, options, inputs }: Omit<Watching, 'scanner' | 'keys'>): void {
  const { baseUrl, maxCompletions } = settings;
  const { io, merged } = inputs;
  if (io.onEnter === undefined || !io.stderr.live)
    throw usageError.CONFLICT('--watch needs a terminal with a person: without one, leave it out.');
  if (options.open !== false && findOpener(process.platform, io.env) === undefined)
    throw usageError.CONFLICT('--watch found no browser: add --no-open, and open the address that it prints.');
  for (const name of ['record', 'bail', 'quiet'] as const)
    if (merged.get(name)) throw usageError.CONFLICT(`--watch shows several rounds: leave out --${name}.`);
  if (maxCompletions === undefined && !isLoopback(new URL(baseUrl).hostname))
    throw usageError.VALUE_MISSING('--watch spends by itself: limit all rounds together with --max-completions.');
  for (const path of options.watchPath ?? [])
    if (!existsSync(resolve(io.cwd, path)))
      throw usageError.FILE_UNREADABLE(`--watch-path ${inert(path, 200)} does not exist: name a file or a folder.`);
}

/** Returns the report of the last round. */
export async function watchTarget(watching: Watching, hooks: CheckHooks<Progress>): Promise<Report> {
  const { settings, keys, options, scanner } = watching;
  const { maxCompletions } = settings;
  const { io } = watching.inputs;
  const { signal, say } = hooks;
  const bell = new Bell();
  const server = await startLiveServer((testCase) => bell.ring(testCase));
  const rounds = new Rounds();
  const budget = new Budget(settings);
  let last: Progress | undefined;
  const onProgress = (progress: Progress): void => {
    last = progress;
    hooks.onProgress(progress);
    server.tell({ now: `Asking: ${progress.requests} of ${count(progress.requestsExpected ?? 0, 'request')}` });
  };
  const onStage = (soFar: Report): void => server.tell({ squares: listSquares(rounds.join(soFar)) });
  const gateway = { isAway: false, isAsked: true, returns: 0 };
  const waitForChange = (): void => {
    const doing = rounds.isUsedUp ? 'All that may be sent was sent' : describeWait(gateway);
    if (last) hooks.onProgress({ ...last, doing });
    server.tell({ now: doing });
  };
  const onAway = (isAway: boolean): void => {
    gateway.isAway = isAway;
    if (!gateway.isAsked) gateway.returns = 0;
    else if (!isAway) gateway.returns += 1;
    if (!gateway.isAsked) waitForChange();
    // What we ask may be what ends it, which would go on for ever.
    if (!isAway && gateway.returns < 2) bell.ring();
  };
  const ask = async (asked: Settings, isWhole: boolean): Promise<Report> => {
    gateway.isAsked = true;
    // With --detect, one answer of several proves nothing yet.
    const follows = rounds.report && settings.detect === 1;
    const round = await run(asked, keys, { ...hooks, onProgress, budget, ...(follows && { onStage }) });
    gateway.isAsked = false;
    const { report, line } = rounds.add(round, isWhole);
    say(`${line}\n`);
    const left = maxCompletions === undefined ? undefined : Math.max(0, maxCompletions - rounds.completions);
    const page = liveHtmlPage(rounds.all, left);
    if (scanner.findsIn(page)) throw new Error('the page of the watch has a secret, so it was not shown');
    // Browsers could not load it any more.
    if (!signal.aborted) server.show(page, rounds.all.length);
    waitForChange();
    return report;
  };
  const ring = (): void => bell.ring();
  signal.addEventListener('abort', ring, { once: true });
  const stops = [
    settings.proxy === undefined ? watchRestarts(settings.baseUrl, onAway) : undefined,
    ...(options.watchPath ?? []).map((path) => watchPath(resolve(io.cwd, path), ring)),
    io.onEnter?.(ring),
  ];
  // It may have just come back.
  const again = { ...settings, waitFor: settings.waitFor ?? COMING_BACK };
  try {
    let report = await ask(settings, true);
    if (!signal.aborted) {
      say(`Watching at ${server.url} (Enter asks again, Ctrl-C ends)\n`);
      if (options.open !== false) await startBrowser(server.url, io.env);
    }
    for (let trigger = await bell.next(signal); trigger; trigger = await bell.next(signal)) {
      const cases = rounds.toAsk(trigger);
      if (cases.size > 0) report = await ask(settingsToAsk(again, cases), false);
      if (trigger.has(undefined) && rounds.isDue) report = await ask(again, true);
    }
    return report;
  } finally {
    for (const stop of stops) stop?.();
    server.close();
  }
}

/** `returns`: how often it came back while it was asked. */
function describeWait({ isAway, returns }: { readonly isAway: boolean; readonly returns: number }): string {
  if (isAway) return 'The gateway is away';
  return returns > 1 ? 'The gateway restarts when it is asked: Enter asks again' : 'Waiting for a change';
}
