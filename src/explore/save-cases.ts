/** Writes findings as cases of a suite, so that they stay: `wirecheck run --suite FILE` sends them again. */
import { packageVersion } from '../contract/package-files.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import type { Contract } from '../contract/contract.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Settings } from '../settings.ts';
import { classify } from './classify.ts';
import { type DrawnRequest, isStreamed } from './drawn-request.ts';
import type { Cause } from './cause.ts';
import { mendRequest } from './mistakes.ts';

/** YAML takes JSON, and JSON needs no rules for quotes. */
export function formatSuite(causes: readonly Cause[], settings: Settings): string {
  const contract = contractOf(settings);
  const cases = causes.flatMap((cause, index) => casesFor(cause, index + 1, contract));
  const command = settings.explore?.upstreamUrl === undefined ? 'wirecheck explore' : 'wirecheck relay --explore';
  const others = causes.flatMap((cause) => {
    const why = whyNoCase(cause);
    return why === undefined ? [] : [`# ${why}: ${command} --seed ${settings.seed} --path ${cause.smallest.path}`];
  });
  return [
    `# Found by ${command} of version ${packageVersion()}, seed ${settings.seed}.`,
    ...others,
    'suite: found',
    'title: Requests found by exploring',
    cases.length === 0 ? 'cases: []' : 'cases:',
    ...cases.flatMap((entry) =>
      Object.entries(entry).map(
        ([name, value], place) => `  ${place === 0 ? '-' : ' '} ${name}: ${JSON.stringify(value)}`,
      ),
    ),
    '',
  ].join('\n');
}

/** A run sends one request on a connection, and sees one end of a gateway. */
function whyNoCase({ smallest, symptoms: [{ clause }] }: Cause): string | undefined {
  if (clause.startsWith('relay.')) return 'What reaches the upstream is no case';
  return smallest.requests.length > 1 ? 'A sequence is no case' : undefined;
}

type Entry = Readonly<Record<string, Json>>;

/** A request that is to be refused is one edit of a request that is answered: that is a case of its own. */
function casesFor(cause: Cause, number: number, contract: Contract): readonly Entry[] {
  const [request] = cause.smallest.requests;
  if (!request || whyNoCase(cause) !== undefined) return [];
  const topical = cause.symptoms.filter(({ isOfTopic }) => isOfTopic).map(({ clause, check }) => ({ clause, check }));
  const answer = { clause: answerClause(request), check: 'answered' };
  const base = isStreamed(request) ? 'chat-stream' : 'chat';
  const head = { id: `request-${number}`, title: titleOf(cause) };
  const { kind } = classify(request, contract);
  if (kind === 'valid' || kind === 'tolerant') {
    const expect = topical.length > 0 ? topical : [answer];
    return [{ ...head, request: base, ...editsOf(request, base), expect }];
  }
  if (request.raw !== undefined) return [{ ...head, control: base, raw: request.raw, expect: topical }];
  const { mended, edit } = mendRequest(request, contract);
  const edits = editsOf(mended, base);
  if (Object.keys(edits).length === 0) return [{ ...head, control: base, ...edit, expect: topical }];
  const control = { id: `request-${number}-control`, title: 'The same request without its violation is answered' };
  return [
    { ...control, request: base, ...edits, expect: [answer] },
    { ...head, control: `found/${control.id}`, ...edit, expect: topical },
  ];
}

/** What only other cases judge shows in any run that sends the request. */
function answerClause(request: DrawnRequest): string {
  return isStreamed(request) ? 'stream.answers' : 'endpoint.chat-answers';
}

function titleOf({ difference, symptoms: [{ clause }] }: Cause): string {
  const places = difference.map(({ pointer }) => pointer).join(' and ');
  return places === '' ? `A drawn request keeps ${clause}` : `A request that differs in ${places} keeps ${clause}`;
}

/** Against the base request, which has a model, a message and a limit of tokens. */
function editsOf({ body, written, spellings, raw }: DrawnRequest, base: string): JsonObject {
  if (raw !== undefined) return { raw };
  const own = Object.entries(body).filter(
    ([name, value]) =>
      name !== 'model' && !(name === 'stream' && base === 'chat-stream') && !(name in written) && !isUsual(name, value),
  );
  const removed = ['model', 'messages'].find((name) => !(name in body));
  const set = Object.fromEntries(own.map(([name, value]) => [`/${name}`, value]));
  const numbers = Object.fromEntries(Object.entries(written).map(([name, text]) => [`/${name}`, text]));
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(removed !== undefined && { remove: `/${removed}` }),
    ...(Object.keys(numbers).length > 0 && { rawNumber: numbers }),
    ...(spellings.length > 0 && { spelling: spellings }),
  };
}

function isUsual(name: string, value: Json): boolean {
  return name === 'max_tokens' && typeof value === 'string';
}
