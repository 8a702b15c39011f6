/** `wirecheck explore BASE_URL`: sends drawn requests, judges them, and shrinks those that fail. */
import { classify } from '../gather/explore/classify.ts';
import { MOST_LOOKING, MOST_PER_FINDING } from '../gather/explore/cause.ts';
import { EXPLORE, planExplore } from '../gather/explore/plan-explore.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { makeExchangeId } from '../exchange/identity.ts';
import { MAX_UNANSWERED } from '../gather/walk/target-watch.ts';
import { ANY_MODEL, bindRequest, initialBindings } from '../plan/bind-request.ts';
import type { Plan } from '../plan/plan.ts';
import { makeRequestWord } from '../plan/request-word.ts';
import type { Settings, Keys } from '../settings.ts';
import { count, inert } from '../text/layout.ts';
import { formatJson } from '../json.ts';
import { runExplore, type ExploreProgress } from '../gather/explore/run-explore.ts';
import { createRecorder } from '../recording/write-recording.ts';
import { checkTransport } from '../run/check-address.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { announceUpstream, checkSubject } from './check-subject.ts';
import type { CommandIo } from './command-io.ts';
import { type ShownExplorePlan, formatExplorePlan } from './plan-text.ts';
import {
  sharedSeed,
  type ExploreFlags,
  withSeed,
  requireBaseUrl,
  type Inputs,
  readInputs,
  toSettings,
} from './settings/read-settings.ts';
import type { Scanner } from '../exchange/secrets/scanner.ts';
import { guardKeys } from './files/secret-guard.ts';
import { EXPLORE_SETTINGS } from './settings/command-settings.ts';
import { requireKeys } from './settings/read-keys.ts';
import { COMMAND } from '../contract/package-files.ts';
import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { ExploreResult } from '../gather/explore/report-on-explore.ts';
import { formatSuite, SAVED_HEAD, unsaved } from '../gather/explore/save-cases.ts';
import { exploreCommandOf } from '../render/explore-text.ts';
import { argument } from '../text/shell-text.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
import { runRelayExplore } from '../gather/explore/relay/run-relay-explore.ts';
import { startExploreUpstream } from '../gather/explore/relay/upstream.ts';
import type { Call } from './table/command-row.ts';

const MOST_COMPLETIONS = 300;
/** Completions of the controls, which come on top of the draws. */
const CONTROLS = 5;

export async function exploreCommand({ args, options, flags, io }: Call<Partial<ExploreFlags>>): Promise<number> {
  const inputs = readInputs(EXPLORE_SETTINGS, withSeed(flags, options.path), io);
  const baseUrl = requireBaseUrl('explore', args[0], inputs.env, inputs.config);
  const settings = readSettings(inputs, baseUrl, options.path);
  checkTransport(settings.baseUrl, settings.allowHttp);
  if (options.plan) return showPlan(settings, io, { json: options.json });
  const keys = requireKeys(inputs.merged, inputs.env, inputs.io.cwd);
  return guardKeys(settings, keys, (scanner) => explore({ settings, keys, save: options.save }, scanner, inputs));
}

function readSettings(inputs: Inputs, baseUrl: string, path: string | undefined): Settings {
  const given = toSettings(inputs, baseUrl);
  const { merged } = inputs;
  const completions = given.maxCompletions ?? MOST_COMPLETIONS;
  if (completions <= CONTROLS) {
    throw new UsageError(
      `--max-completions ${completions} leaves nothing for drawn requests, since the controls take up to ${CONTROLS}: give at least ${CONTROLS + 1}.`,
    );
  }
  const shrinkCompletions = merged.get('shrink-completions') ?? 0;
  return {
    ...given,
    seed: sharedSeed(given, inputs),
    maxCompletions: completions + shrinkCompletions,
    explore: {
      requests: merged.get('requests') ?? 0,
      completions: completions - CONTROLS,
      shrinkCompletions,
      ...(path !== undefined && { path }),
    },
  };
}

interface ExploreTask {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly save: string | undefined;
}

function explore({ settings, keys, save }: ExploreTask, scanner: Scanner, inputs: Inputs): Promise<number> {
  const saver = saveTo(save, inputs);
  return checkSubject({
    inputs,
    excusable: { subject: 'gateway', suites: [] },
    counted: DRAWN_REQUESTS,
    createRecorder,
    begin() {
      if (!inputs.merged.get('quiet')) inputs.io.stderr.write(formatSeed(settings));
      return scanner;
    },
    async check(hooks, recorder) {
      const result = await runExplore(settings, keys, { ...hooks, ...(recorder && { recorder }) });
      saver.keep(result, settings);
      return result.report;
    },
    end: saver.tell,
    scanner: (known) => known,
  });
}

function formatSeed({ seed }: Settings): string {
  return `Seed ${seed}.\n`;
}

const DRAWN_REQUESTS = {
  unit: 'requests',
  advance: ({ requests, requestsExpected = requests, looking }: ExploreProgress) => ({
    done: requests,
    total: requestsExpected,
    ...(looking && { doing: `looking into draw ${looking.draw}, ${looking.place} of ${looking.all} that failed` }),
  }),
};

interface Saver {
  /** Writes the file. */
  readonly keep: (result: ExploreResult, settings: Settings) => void;
  /** Says, after the report, what was saved, and how the rest is repeated. */
  readonly tell: () => void;
}

function saveTo(file: string | undefined, { merged, io }: Inputs): Saver {
  if (file === undefined) return { keep: () => undefined, tell: () => undefined };
  const path = resolve(io.cwd, file);
  checkPlace(path, file, merged.get('force') ?? false);
  let lines: readonly string[] = [];
  return {
    keep(result, settings) {
      const text = formatSuite(result.causes, settings);
      if (text !== undefined) writeWhole(path, text);
      lines = formatSaved(result, settings, text === undefined ? undefined : relative(io.cwd, path));
    },
    tell() {
      if (!merged.get('quiet')) io.stderr.write(lines.map((line) => `${line}\n`).join(''));
    },
  };
}

/** Called before the first request. A mistyped folder is not made, and what somebody wrote by hand is not replaced. */
function checkPlace(path: string, file: string, force: boolean): void {
  const shown = inert(file, 300);
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw usageError.FILE_UNWRITABLE(
      `The folder of ${shown} does not exist: create it, or choose another file with --save.`,
    );
  }
  requireWritable(path, 'choose another file with --save.', file);
  if (force || !statSync(path, { throwIfNoEntry: false })?.isFile()) return;
  const text = readFileSync(path, 'utf8');
  if (text === '' || text.startsWith(SAVED_HEAD)) return;
  const remedy = 'choose another file, or replace it with --force.';
  throw usageError.FILE_EXISTS(`${shown} exists, and --save did not write it: ${remedy}`);
}

/** `file`: undefined if nothing was written. */
function formatSaved(
  { report, causes }: ExploreResult,
  { seed }: Settings,
  file: string | undefined,
): readonly string[] {
  const others = unsaved(causes);
  const number = causes.length - others.length;
  const repeat = (path: string): string => `${exploreCommandOf(report)} --seed ${seed} --path ${path}`;
  const run = `${COMMAND} run ${argument(report.target.baseUrl)} --suite ${argument(file ?? '')}`;
  return [
    file === undefined
      ? 'No finding is a case, so no file was saved.'
      : `Saved ${count(number, 'request')} that ${number === 1 ? 'fails' : 'fail'} in ${inert(file, 300)}. Send ${number === 1 ? 'it' : 'them'} again: ${run}`,
    ...others.map(({ why, path }) => `Not saved: draw ${path}. ${why}. Repeat it: ${repeat(path)}`),
  ];
}

/** Nothing is charged, so that only the requests of each finding are limited. */
const NOTHING_CHARGED = 100_000;

export function exploreSettings(given: Settings, inputs: Inputs, { path }: Partial<ExploreFlags>): Settings {
  const { merged } = inputs;
  return {
    ...given,
    seed: sharedSeed(given, inputs),
    only: [],
    skip: [],
    patient: false,
    explore: {
      requests: merged.get('requests') ?? 0,
      completions: NOTHING_CHARGED,
      shrinkCompletions: NOTHING_CHARGED,
      ...(path !== undefined && { path }),
    },
  };
}

export async function exploreRelay(
  settings: Settings,
  keys: Keys,
  { inputs, save }: { readonly inputs: Inputs; readonly save: string | undefined },
): Promise<number> {
  const saver = saveTo(save, inputs);
  return checkSubject({
    inputs,
    excusable: { subject: 'relay', suites: [] },
    counted: DRAWN_REQUESTS,
    createRecorder,
    async begin() {
      const upstream = await startExploreUpstream(settings, keys);
      const lines = `${announceUpstream(settings, upstream.url)}${formatSeed(settings)}`;
      if (!inputs.merged.get('quiet')) inputs.io.stderr.write(lines);
      return upstream;
    },
    async check(hooks, recorder, upstream) {
      const result = await runRelayExplore(settings, keys, upstream, { ...hooks, ...(recorder && { recorder }) });
      const { explore } = settings;
      saver.keep(result, { ...settings, ...(explore && { explore: { ...explore, upstreamUrl: upstream.url } }) });
      return result.report;
    },
    end: saver.tell,
    // Keys of the gateway have arrived meanwhile.
    scanner: ({ vault, url }) => vault.createScanner([url]),
  });
}

/** Prints what `--plan` asks for. */
export function showPlan(
  settings: Settings,
  { stdout }: CommandIo,
  { isFree = false, json = false }: { readonly isFree?: boolean; readonly json?: boolean | undefined },
): number {
  const plan = describeExplorePlan(settings, isFree);
  stdout.write(json ? formatJson(plan) : formatExplorePlan(plan, settings, isFree));
  return 0;
}

/** `isFree`: the upstream is ours. */
function describeExplorePlan(settings: Settings, isFree: boolean): ShownExplorePlan {
  const contract = contractOf(settings);
  const { draws, plan } = planExplore(settings);
  const requests = draws.flatMap((draw) => draw.requests);
  const kinds = requests.map((request) => classify(request, contract).kind);
  const countOf = (kind: (typeof kinds)[number]): number => kinds.filter((own) => own === kind).length;
  return {
    baseUrl: settings.baseUrl,
    seed: settings.seed,
    draws: draws.length,
    sequences: draws.filter((draw) => draw.requests.length > 1).length,
    requests: {
      all: requests.length,
      valid: countOf('valid'),
      tolerant: countOf('tolerant'),
      invalid: countOf('invalid'),
      open: countOf('open'),
    },
    bodyBytes: countBytes(plan, settings),
    least: { requests: plan.least.requests, completions: plan.least.completions },
    most: {
      requests: mostRequests(settings, plan),
      furtherRequests: MOST_LOOKING,
      requestsPerFinding: MOST_PER_FINDING,
      completions: isFree ? 0 : mostCompletions(settings, plan),
      shrinkCompletions: isFree ? 0 : (settings.explore?.shrinkCompletions ?? 0),
      completionTokens: isFree ? 0 : plan.most.tokens,
    },
  };
}

function countBytes({ steps }: Plan, settings: Settings): number {
  const bindings = { model: ANY_MODEL, ...initialBindings(settings) };
  const sizes = steps.flatMap(({ id, name, template }) => {
    const word = makeRequestWord(settings.seed, makeExchangeId({ step: id }));
    const filled = name === EXPLORE ? bindRequest(template, bindings, word) : undefined;
    return filled?.kind === 'request' ? [Buffer.byteLength(filled.request.body ?? '')] : [];
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Controls after waves with doubtful refusals, and after refusals of the key, are fewer. */
const OTHER_CONTROLS = 24;

function mostRequests({ retries, maxRequests = Infinity }: Settings, { steps, most }: Plan): number {
  const controls = Math.ceil(steps.length / MAX_UNANSWERED) + OTHER_CONTROLS;
  return Math.min(maxRequests, most.requests + controls * (retries + 1) + MOST_LOOKING);
}

/** A careless target may answer violations too, until the run ends at its limit. */
function mostCompletions({ maxCompletions = Infinity, explore }: Settings, { most }: Plan): number {
  return Math.min(maxCompletions, most.completions + (explore?.shrinkCompletions ?? 0));
}
