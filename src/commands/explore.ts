/** `wirecheck explore BASE_URL`: sends drawn requests, judges them, and shrinks those that fail. */
import { classify } from '../gather/explore/classify.ts';
import { MOST_LOOKING, MOST_PER_FINDING } from '../gather/explore/ask-again.ts';
import { EXPLORE, planExplore } from '../gather/explore/plan-explore.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { makeExchangeId } from '../exchange/identity.ts';
import { MAX_UNANSWERED } from '../gather/walk/target-watch.ts';
import { ANY_MODEL, bindRequest, initialBindings } from '../plan/bind-request.ts';
import type { Plan } from '../plan/plan.ts';
import { makeRequestWord } from '../plan/request-word.ts';
import type { Settings, Keys } from '../settings.ts';
import { count, groupDigits, inert } from '../text/layout.ts';
import { formatJson, withoutUndefined } from '../json.ts';
import { runExplore, type ExploreProgress } from '../gather/explore/run-explore.ts';
import { createRecorder, type Recorder } from '../recording/write-recording.ts';
import { checkTransport, isLoopback } from '../run/check-address.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { announceUpstream, type CheckHooks, checkSubject } from './check-subject.ts';
import type { CommandIo, Call, OwnOptions } from './command-row.ts';
import {
  sharedSeed,
  withSeed,
  requireBaseUrl,
  type Inputs,
  readInputs,
  requireKeys,
  toSettings,
} from './settings/read-settings.ts';
import type { Scanner } from '../exchange/secrets/scanner.ts';
import { guardKeys } from './files/secret-guard.ts';
import { EXPLORE_SETTINGS } from './settings/command-settings.ts';
import { COMMAND } from '../contract/package-files.ts';
import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { ExploreResult } from '../gather/explore/report-on-explore.ts';
import { formatSuite, SAVED_HEAD, unsaved } from '../gather/explore/save-cases.ts';
import { exploreCommandOf } from '../render/explore-text.ts';
import { argument } from '../text/shell-text.ts';
import { requireWritable, writeWhole } from './files/user-files.ts';
import { runRelayExplore, startExploreUpstream } from '../gather/explore/relay/run-relay-explore.ts';

const MOST_COMPLETIONS = 300;
/** Completions of the controls, which come on top of the draws. */
const CONTROLS = 5;

export async function exploreCommand({ args, options, flags, io }: Call): Promise<number> {
  const inputs = readInputs(EXPLORE_SETTINGS, withSeed(flags, options.path), io);
  const baseUrl = requireBaseUrl('explore', args[0], inputs);
  const settings = readSettings(inputs, baseUrl, options.path);
  checkTransport(settings.baseUrl, settings.allowHttp);
  if (options.plan) return showPlan(settings, io, { json: options.json });
  const plan = describePlan(settings, false);
  const most = groupDigits(plan.most.completions);
  const cost = `${formatCompletions(plan)}, at most ${most} if the gateway breaks the contract`;
  if (options.path === undefined && options.yes !== true) requireConsent(settings.baseUrl, cost, inputs);
  const keys = requireKeys(inputs);
  return guardKeys(settings, keys, (scanner) =>
    checkDraws('gateway', options.save, inputs, async () => {
      tell(`Seed ${settings.seed}. This run takes ${cost}.\n`, inputs);
      return { send: (hooks) => runExplore(settings, keys, hooks), settings, scanner: () => scanner };
    }),
  );
}

/** Somebody pays for them, and the default is many. */
function requireConsent(baseUrl: string, cost: string, { merged }: Inputs): void {
  const { hostname } = new URL(baseUrl);
  if (isLoopback(hostname) || merged.origin('max-completions') !== undefined) return;
  throw usageError.VALUE_MISSING(
    `Exploring ${inert(hostname, 100)} takes ${cost}. Allow it with --yes, or limit it with --max-completions N.`,
  );
}

/** Of a conforming target, which may refuse some of the requests or not. */
function formatCompletions({ requests, least: { completions } }: ShownPlan): string {
  const most = count(completions + requests.open, 'completion');
  return requests.open === 0 ? most : `${completions} to ${most}`;
}

function readSettings(inputs: Inputs, baseUrl: string, path: string | undefined): Settings {
  const given = toSettings(inputs, baseUrl);
  const completions = given.maxCompletions ?? MOST_COMPLETIONS;
  if (completions <= CONTROLS) {
    throw new UsageError(
      `--max-completions ${completions} leaves nothing for drawn requests, since the controls take up to ${CONTROLS}: give at least ${CONTROLS + 1}.`,
    );
  }
  const shrinkCompletions = inputs.merged.get('shrink-completions') ?? 0;
  return {
    ...given,
    seed: sharedSeed(given, inputs),
    maxCompletions: completions + shrinkCompletions,
    explore: { ...drawsOf(inputs, path), completions: completions - CONTROLS, shrinkCompletions },
  };
}

function drawsOf({ merged }: Inputs, path: string | undefined) {
  return { requests: merged.get('requests') ?? 0, ...withoutUndefined({ path }) };
}

/** What the drawn requests are sent with. */
interface Sending {
  readonly send: (hooks: CheckHooks<ExploreProgress> & { readonly recorder?: Recorder }) => Promise<ExploreResult>;
  /** The settings that repeat them. */
  readonly settings: Settings;
  readonly scanner: () => Scanner;
}

function checkDraws(
  subject: 'gateway' | 'relay',
  save: string | undefined,
  inputs: Inputs,
  begin: () => Promise<Sending>,
): Promise<number> {
  const keep = saveTo(save, inputs);
  let told: readonly string[] = [];
  return checkSubject({
    inputs,
    excusable: { subject, suites: [] },
    unit: 'requests',
    advance: ({ requests, requestsExpected = requests, looking }: ExploreProgress) => ({
      done: requests,
      total: requestsExpected,
      ...(looking && { doing: `looking into draw ${looking.draw}, ${looking.place} of ${looking.all} that failed` }),
    }),
    createRecorder,
    async begin() {
      const { send, settings, scanner } = await begin();
      return {
        async check(hooks, recorder) {
          const result = await send({ ...hooks, ...(recorder && { recorder }) });
          told = keep(result, settings);
          return result.report;
        },
        scanner,
        end: () => told.forEach((line) => tell(`${line}\n`, inputs)),
      };
    },
  });
}

function tell(text: string, { merged, io }: Inputs): void {
  if (!merged.get('quiet')) io.stderr.write(text);
}

/** Writes the file, and returns what was saved, and how the rest is repeated. */
function saveTo(file: string | undefined, { merged, io }: Inputs) {
  if (file === undefined) return () => [];
  const path = resolve(io.cwd, file);
  checkPlace(path, file, merged.get('force') ?? false);
  return (result: ExploreResult, settings: Settings): readonly string[] => {
    const text = formatSuite(result.causes, settings);
    if (text !== undefined) writeWhole(path, text);
    return formatSaved(result, settings, text === undefined ? undefined : relative(io.cwd, path));
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
const NOTHING_CHARGED_LINE = 'Nothing is charged: the scripted upstream calls no model.\n';

export function exploreSettings(given: Settings, inputs: Inputs, { path }: OwnOptions): Settings {
  return {
    ...given,
    seed: sharedSeed(given, inputs),
    only: [],
    skip: [],
    patient: false,
    explore: { ...drawsOf(inputs, path), completions: NOTHING_CHARGED, shrinkCompletions: NOTHING_CHARGED },
  };
}

export function exploreRelay(
  settings: Settings,
  keys: Keys,
  save: string | undefined,
  inputs: Inputs,
): Promise<number> {
  return checkDraws('relay', save, inputs, async () => {
    const upstream = await startExploreUpstream(settings, keys);
    const { vault, url } = upstream;
    tell(`${announceUpstream(settings, url)}Seed ${settings.seed}. ${NOTHING_CHARGED_LINE}`, inputs);
    const { explore } = settings;
    return {
      send: (hooks) => runRelayExplore(settings, keys, upstream, hooks),
      settings: { ...settings, ...(explore && { explore: { ...explore, upstreamUrl: url } }) },
      scanner: () => vault.createScanner([url]),
    };
  });
}

/** Prints what `--plan` asks for. */
export function showPlan(
  settings: Settings,
  { stdout }: CommandIo,
  { isFree = false, json = false }: { readonly isFree?: boolean; readonly json?: boolean | undefined },
): number {
  const plan = describePlan(settings, isFree);
  stdout.write(json ? formatJson(plan) : formatExplorePlan(plan, settings, isFree));
  return 0;
}

/** Drawn requests, by what the contract says of them. */
const KINDS = {
  valid: 'that have to be answered',
  tolerant: 'with unknown fields',
  invalid: 'with one violation',
  open: 'that may be refused',
} as const;

type ShownPlan = ReturnType<typeof describePlan>;

/** What `--plan --json` prints. `isFree`: the upstream is ours. */
function describePlan(settings: Settings, isFree: boolean) {
  const contract = contractOf(settings);
  const { draws, plan } = planExplore(settings);
  const requests = draws.flatMap((draw) => draw.requests);
  const kinds = requests.map((request) => classify(request, contract).kind);
  const counts = Object.keys(KINDS).map((kind) => [kind, kinds.filter((own) => own === kind).length] as const);
  const { baseUrl, seed, explore } = settings;
  return {
    baseUrl,
    seed,
    draws: draws.length,
    sequences: draws.filter((draw) => draw.requests.length > 1).length,
    requests: { all: requests.length, ...(Object.fromEntries(counts) as Record<keyof typeof KINDS, number>) },
    /** The size of the drawn requests as they are sent. Without `--model`, a name of usual length is assumed. */
    bodyBytes: countBytes(plan, settings),
    /** What is sent if everything passes, with the controls. */
    least: { requests: plan.least.requests, completions: plan.least.completions },
    /** The limits. Completions are zero where the scripted upstream answers. */
    most: {
      /** All requests, with every attempt (`--retries`) and every control that is asked again. */
      requests: mostRequests(settings, plan),
      /** Requests for asking again and shrinking. */
      furtherRequests: MOST_LOOKING,
      requestsPerFinding: MOST_PER_FINDING,
      completions: isFree
        ? 0
        : Math.min(settings.maxCompletions ?? Infinity, plan.most.completions + (explore?.shrinkCompletions ?? 0)),
      shrinkCompletions: isFree ? 0 : (explore?.shrinkCompletions ?? 0),
      /** Tokens without asking again and shrinking. */
      completionTokens: isFree ? 0 : plan.most.tokens,
    },
  };
}

/** `isFree`: the upstream is ours. */
function formatExplorePlan(plan: ShownPlan, { model }: Settings, isFree: boolean): string {
  const { baseUrl, seed, sequences, requests, bodyBytes, least, most } = plan;
  const about = model === undefined ? 'about ' : '';
  return [
    `Explore ${baseUrl}, seed ${seed}\n`,
    `  ${count(requests.all, 'drawn request')}, ${about}${count(bodyBytes, 'byte')} of bodies, ${count(sequences, 'sequence')} on one connection\n`,
    ...Object.entries(KINDS).map(([kind, words]) => `  ${requests[kind as keyof typeof KINDS]} ${words}\n`),
    `  ${groupDigits(least.requests)} requests with the controls, ${formatCompletions(plan)}\n`,
    `At most ${groupDigits(most.furtherRequests)} requests more for asking again and shrinking, about ${most.requestsPerFinding} a finding.\n`,
    `At most ${groupDigits(most.requests)} requests in all, with every retry and every control that is asked again.\n`,
    ...(isFree
      ? [NOTHING_CHARGED_LINE]
      : [
          `At most ${groupDigits(most.completions)} charged completions, ${groupDigits(most.shrinkCompletions)} of them only for asking again and shrinking.\n`,
          `At most ${groupDigits(most.completionTokens)} completion tokens, without asking again and shrinking.\n`,
        ]),
    'Nothing was sent.\n',
  ].join('');
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
