/** Writes findings as cases of a suite, so that they stay: `wirecheck run --suite FILE` sends them again. */
import type { Contract } from '../../contract/contract.ts';
import { packageVersion } from '../../contract/package-files.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Settings } from '../../settings.ts';
import { loadSuites } from '../../suite/read-suites.ts';
import type { DrawCause } from './cause.ts';
import { SPELLING } from './difference.ts';
import { classify, mendRequest } from './classify.ts';
import { type DrawnRequest, isStreamed } from './drawn-request.ts';
import { USUAL_MESSAGE } from './simpler.ts';

/** How a file of ours begins. */
export const SAVED_HEAD = '# Found by';

/** Findings that are no cases. */
export function unsaved(causes: readonly DrawCause[]) {
  return causes.flatMap((cause) => {
    const why = whyNoCase(cause);
    return why === undefined ? [] : [{ why, path: cause.smallest.path }];
  });
}

/** Undefined if no finding is a case. YAML takes JSON, and JSON needs no rules for quotes. */
export function formatSuite(causes: readonly DrawCause[], settings: Settings): string | undefined {
  const contract = contractOf(settings);
  const cases = causes.flatMap((cause, index) => casesFor(cause, index + 1, contract));
  if (cases.length === 0) return undefined;
  const command = settings.explore?.upstreamUrl === undefined ? 'wirecheck explore' : 'wirecheck relay --explore';
  const others = unsaved(causes).map(({ why, path }) => `# ${why}: ${command} --seed ${settings.seed} --path ${path}`);
  return [
    `${SAVED_HEAD} ${command} of version ${packageVersion()}, seed ${settings.seed}.`,
    ...others,
    'suite: found',
    'title: Requests found by exploring',
    'cases:',
    ...cases.flatMap((entry) =>
      Object.entries(entry).map(
        ([name, value], place) => `  ${place === 0 ? '-' : ' '} ${name}: ${JSON.stringify(value)}`,
      ),
    ),
    '',
  ].join('\n');
}

/** A run sends one request on a connection, and sees one end of a gateway. */
function whyNoCase({ smallest, symptoms: [{ clause }] }: DrawCause): string | undefined {
  if (clause.startsWith('relay.')) return 'What reaches the upstream is no case';
  return smallest.requests.length > 1 ? 'A sequence is no case' : undefined;
}

/** A request that is to be refused is one edit of a request that is answered: that is a case of its own. */
function casesFor(cause: DrawCause, number: number, contract: Contract): readonly JsonObject[] {
  const [request] = cause.smallest.requests;
  if (!request || whyNoCase(cause) !== undefined) return [];
  const answer = { clause: isStreamed(request) ? 'stream.answers' : 'endpoint.chat-answers', check: 'answered' };
  const base = isStreamed(request) ? 'chat-stream' : 'chat';
  const head = { id: `request-${number}`, title: titleOf(cause) };
  const requestClass = classify(request, contract);
  if (requestClass.kind !== 'invalid') {
    const expect = expectationsOf(cause, contract, requestClass.kind === 'open' ? NO_SERVER_ERROR : answer);
    return [{ ...head, request: base, ...editsOf(request, base), expect }];
  }
  const expect = expectationsOf(cause, contract, { clause: requestClass.clause, check: 'refused' });
  const { mended, edit } = mendRequest(request, contract);
  const edits = editsOf(mended, base);
  if (Object.keys(edits).length === 0) return [{ ...head, control: base, ...edit, expect }];
  const control = { id: `request-${number}-control`, title: 'The same request without its violation is answered' };
  return [
    { ...control, request: base, ...edits, expect: [answer] },
    { ...head, control: `found/${control.id}`, ...edit, expect },
  ];
}

const NO_SERVER_ERROR = { clause: 'errors.no-server-error', check: 'no-server-error' };

/** All that the request shows. `usual`: what it has to keep if only cases that look at all answers found something. */
function expectationsOf({ symptoms }: DrawCause, contract: Contract, usual: JsonObject): readonly JsonObject[] {
  const built = new Map(loadSuites([], contract).flatMap(({ cases }) => cases.map((each) => [each.id, each] as const)));
  const found = symptoms.map(({ case: id, clause, check }): JsonObject => {
    const own = built.get(id)?.expect.find((each) => each.clause === clause && each.check === check);
    return { clause, check, ...own?.options };
  });
  return symptoms.some(({ isOfTopic }) => isOfTopic) ? found : [usual, ...found];
}

function titleOf({ difference, symptoms: [{ clause }] }: DrawCause): string {
  const places = difference.map(({ pointer }) => nameOfPlace(pointer)).join(' and ');
  return places === '' ? `A drawn request keeps ${clause}` : `A request that differs in ${places} keeps ${clause}`;
}

function nameOfPlace(pointer: string): string {
  if (pointer === '') return 'its body';
  return pointer === `/${SPELLING}` ? 'the spelling of its JSON' : pointer;
}

/** The edits of the base request, which has a model, a message and a limit of tokens. */
function editsOf({ body, written, spellings }: DrawnRequest, base: string): JsonObject {
  const own = Object.entries(body).filter(
    ([name, value]) =>
      name !== 'model' && !(name === 'stream' && base === 'chat-stream') && !(name in written) && !isUsual(name, value),
  );
  const removed = ['model', 'messages', 'max_tokens'].find((name) => !(name in body));
  const set = Object.fromEntries(own.map(([name, value]) => [`/${name}`, value]));
  const numbers = Object.fromEntries(Object.entries(written).map(([name, text]) => [`/${name}`, text]));
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(removed !== undefined && { remove: `/${removed}` }),
    ...(Object.keys(numbers).length > 0 && { rawNumber: numbers }),
    ...(spellings.length > 0 && { spelling: spellings }),
  };
}

/** The words of the base request are as usual, and no cache knows them. */
function isUsual(name: string, value: Json): boolean {
  if (name === 'messages') return JSON.stringify(value) === JSON.stringify([USUAL_MESSAGE]);
  return name === 'max_tokens' && typeof value === 'string';
}
